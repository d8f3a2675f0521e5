// How NICs recover from losses, by the catalog.
#include <gtest/gtest.h>

#include "scenario/testing.h"

namespace railyard {
namespace {

/// NICs that take packets in order alone go back N where routing spreads them, unless the scenario says otherwise.
TEST(ResolveRecovery, nics_recover_as_the_catalog_says_where_packets_are_spread) {
  const auto recovery = [](const std::string& nic, const std::string& more) {
    return testing::scenario_of(
               "name = \"p\"\n[traffic]\npattern = \"permutation\"\nsize = \"1 MB\"\n[cluster]\ngpus = 8\nnic = \"" + nic +
               "\"\n[engine]\nfidelity = \"packet\"\n[fabric]\nswitch = \"Tomahawk-5\"\n[routing]\npolicy = \"adaptive\"\n" +
               more)
        .packet.nic.recovery;
  };
  EXPECT_EQ(recovery("ConnectX-4", ""), LossRecovery::go_back_n);
  EXPECT_EQ(recovery("ConnectX-4", "[transport]\nloss_recovery = \"selective-repeat\"\n"), LossRecovery::selective_repeat);
  EXPECT_EQ(recovery("ConnectX-7", ""), LossRecovery::selective_repeat);
  EXPECT_EQ(recovery("Thor-2", ""), LossRecovery::selective_repeat) << "nothing is documented";
}

}  // namespace
}  // namespace railyard

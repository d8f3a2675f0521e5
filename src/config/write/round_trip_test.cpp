// What is written is read back as the same device, in every dialect that has a writer.
#include <gtest/gtest.h>

#include <algorithm>

#include "config/read/read.h"
#include "config/write/testing.h"

namespace railyard {
namespace {

/// Fields that are compared; a hash of addresses and ports has the protocol, too, whether a dialect says so or not.
std::vector<std::string> fields_of(const HashConfig& hash) {
  std::vector<std::string> fields = hash.fields;
  std::erase(fields, "protocol");
  std::sort(fields.begin(), fields.end());
  return fields;
}

/// A NIC sizes its buffers by itself: readers may say so or not.
bool has_same_effect(QosPolicy wrote, const QosPolicy& read, bool nic) {
  if (nic) wrote.groups = read.groups;
  return same_effect(wrote, read);
}

class RoundTrip : public testing::TestWithParam<Dialect> {};

TEST_P(RoundTrip, gives_the_same_device) {
  const Device wrote = sayable_device(GetParam());
  const Result<ConfigFile> file = write_config(wrote);
  ASSERT_TRUE(file) << to_text(file.error().front());
  Estate estate;
  const Diagnostics notes = read_config({file->name, wrote.name, file->text}, estate);
  EXPECT_FALSE(has_errors(notes)) << to_text(notes.front());
  ASSERT_EQ(estate.devices.size(), 1U) << file->text;
  const Device& read = estate.devices.front();
  EXPECT_EQ(read.name, wrote.name);
  EXPECT_EQ(read.kind, wrote.kind);
  EXPECT_EQ(read.dialect, wrote.dialect);
  EXPECT_TRUE(read.unread.empty()) << read.unread.front().statement;

  ASSERT_EQ(read.ports.size() >= wrote.ports.size(), true);
  for (const PortConfig& port : wrote.ports) {
    const auto same =
        std::find_if(read.ports.begin(), read.ports.end(), [&](const PortConfig& p) { return p.name == port.name; });
    ASSERT_NE(same, read.ports.end()) << port.name;
    EXPECT_EQ(same->mtu, port.mtu);
    ASSERT_LT(same->policy, read.policies.size());
    EXPECT_TRUE(has_same_effect(wrote.policies[port.policy], read.policies[same->policy], false)) << file->text;
  }
  for (const NicConfig& nic : wrote.nics) {
    const auto same = std::find_if(read.nics.begin(), read.nics.end(),
                                   [&](const NicConfig& n) { return n.netdev == nic.netdev || n.name == nic.name; });
    ASSERT_NE(same, read.nics.end()) << nic.name;
    EXPECT_EQ(same->mtu, nic.mtu);
    EXPECT_EQ(same->traffic_class, nic.traffic_class);
    EXPECT_EQ(same->cma_tos, nic.cma_tos);
    EXPECT_EQ(same->cnp_dscp, nic.cnp_dscp);
    EXPECT_EQ(same->cnp_priority, nic.cnp_priority);
    EXPECT_EQ(same->ecn_np, nic.ecn_np);
    EXPECT_EQ(same->ecn_rp, nic.ecn_rp);
    EXPECT_EQ(same->dcbx_willing, nic.dcbx_willing);
    ASSERT_LT(same->policy, read.policies.size());
    EXPECT_TRUE(has_same_effect(wrote.policies[nic.policy], read.policies[same->policy], true)) << file->text;
  }
  EXPECT_EQ(fields_of(read.hash), fields_of(wrote.hash));
  EXPECT_EQ(read.hash.seed, wrote.hash.seed);
  EXPECT_EQ(read.hash.dynamic, wrote.hash.dynamic);
  ASSERT_EQ(read.environment.size(), wrote.environment.size());
  for (const auto& [name, setting] : wrote.environment) EXPECT_EQ(read.environment.at(name).value, setting.value);
}

INSTANTIATE_TEST_SUITE_P(Dialects, RoundTrip,
                         testing::Values(Dialect::sonic, Dialect::nvue, Dialect::eos, Dialect::nxos, Dialect::junos,
                                         Dialect::mlnx, Dialect::nicctl, Dialect::environment),
                         [](const testing::TestParamInfo<Dialect>& one) { return std::string(name_of(one.param)); });

}  // namespace
}  // namespace railyard

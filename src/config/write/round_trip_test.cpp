// What is written is read back as the same device, in every dialect that has a writer.
#include <gtest/gtest.h>

#include "config/write/round_trip.h"
#include "config/write/testing.h"

namespace railyard {
namespace {

class RoundTrip : public testing::TestWithParam<Dialect> {};

TEST_P(RoundTrip, gives_the_same_device) { EXPECT_EQ(round_trip_difference(sayable_device(GetParam())), ""); }

INSTANTIATE_TEST_SUITE_P(Dialects, RoundTrip,
                         testing::Values(Dialect::sonic, Dialect::nvue, Dialect::eos, Dialect::nxos, Dialect::junos,
                                         Dialect::mlnx, Dialect::nicctl, Dialect::environment),
                         [](const testing::TestParamInfo<Dialect>& one) { return std::string(name_of(one.param)); });

}  // namespace
}  // namespace railyard

#include "tools/headroom/headroom.h"

#include <gtest/gtest.h>

#include "tools/headroom/shipped_profiles.h"

namespace railyard {
namespace {

HeadroomSheet sheet_of(const HeadroomRequest& request) {
  Result<HeadroomSheet> sheet = headroom_sheet(request, builtin_catalog());
  EXPECT_TRUE(sheet) << (sheet ? "" : to_text(sheet.error().front()));
  return std::move(*sheet);
}

TEST(Headroom, the_usual_formula_by_hand) {
  const HeadroomSheet sheet = sheet_of({.speed = "400G", .cable = "100m", .mtu = "9216"});
  // 2 × 505 ns × 50 B/ns, 905 quanta of 64 B, two frames, the pause frame.
  EXPECT_NEAR(static_cast<double>(sheet.formula.count()), 50'505 + 57'920 + 18'432 + 84, 10);
  double sum = 0;
  for (const HeadroomTerm& term : sheet.terms) sum += term.bytes;
  EXPECT_NEAR(sum, static_cast<double>(sheet.formula.count()), 3);
  EXPECT_GE(sheet.used, sheet.formula);
  EXPECT_GE(sheet.used, sheet.needed);
}

TEST(Headroom, terms_of_spectrum_sum_to_whole_kibibytes) {
  const HeadroomSheet sheet = sheet_of({.speed = "400G", .cable = "100m", .mtu = "9100", .chip = "Spectrum-4"});
  double sum = 0;
  for (const HeadroomTerm& term : sheet.terms) sum += term.bytes;
  EXPECT_EQ(sheet.formula.count() % 1024, 0);
  EXPECT_LE(sum, static_cast<double>(sheet.formula.count()));
  EXPECT_GT(sum, static_cast<double>(sheet.formula.count()) - 1024);
}

TEST(Headroom, finds_the_profile_of_the_next_longer_cable) {
  const HeadroomSheet dell = sheet_of({.speed = "400G", .cable = "20 m", .chip = "Tomahawk-4"});
  ASSERT_TRUE(dell.shipped);
  EXPECT_EQ(dell.shipped->cable, 40_m);
  EXPECT_EQ(dell.shipped->xoff, Bytes(424'434));
  EXPECT_EQ(dell.all_shipped.size(), 3U);
  const HeadroomSheet arista = sheet_of({.speed = "400G", .cable = "100m", .chip = "Tomahawk-5"});
  ASSERT_TRUE(arista.shipped && arista.longest);
  EXPECT_EQ(arista.shipped->xoff, Bytes(612'140));
  EXPECT_GT(*arista.longest, 150_m);
  EXPECT_FALSE(sheet_of({.speed = "100G", .chip = "Tomahawk-5"}).shipped);
}

TEST(Headroom, more_priorities_leave_less_to_share) {
  const HeadroomSheet sheet = sheet_of({.speed = "400G", .cable = "100m", .chip = "Tomahawk-5", .priorities = 3});
  EXPECT_EQ(sheet.ports, 128U);
  ASSERT_EQ(sheet.uses.size(), 5U);
  for (std::size_t i = 1; i < sheet.uses.size(); i++) {
    EXPECT_EQ(sheet.uses[i].headroom, sheet.used * (std::int64_t{sheet.uses[i].priorities} * 128));
    EXPECT_LE(sheet.uses[i].shared, sheet.uses[i - 1].shared);
  }
}

TEST(Headroom, a_longer_cable_and_a_faster_port_need_more) {
  for (const char* chip : {"", "Tomahawk-5", "Spectrum-4"}) {
    const Bytes near = sheet_of({.speed = "400G", .cable = "5m", .chip = chip}).used;
    EXPECT_LT(near, sheet_of({.speed = "400G", .cable = "300m", .chip = chip}).used);
    EXPECT_LT(sheet_of({.speed = "100G", .cable = "5m", .chip = chip}).used, near);
  }
}

TEST(Headroom, names_the_flag_that_is_wrong) {
  const Result<HeadroomSheet> wrong =
      headroom_sheet({.speed = "fast", .cable = "0", .mtu = "-1", .chip = "Tomahawk-55"}, builtin_catalog());
  ASSERT_FALSE(wrong);
  ASSERT_EQ(wrong.error().size(), 4U);
  EXPECT_EQ(wrong.error()[0].code, "RY-HDR-001");
  EXPECT_NE(to_text(wrong.error()[3]).find("did you mean 'Tomahawk-5'?"), std::string::npos);
  EXPECT_FALSE(headroom_sheet({.speed = "1600G", .chip = "Tomahawk-5"}, builtin_catalog()));
}

TEST(Headroom, every_shipped_profile_is_of_a_switch_of_the_catalog) {
  for (const ShippedProfile& profile : shipped_profiles())
    EXPECT_NE(builtin_catalog().switches.find(profile.chip), nullptr) << profile.chip;
}

}  // namespace
}  // namespace railyard

#include "tools/calibrate/calibrate.h"

#include <gtest/gtest.h>

#include <cmath>

namespace railyard {
namespace {

std::vector<Calibrated> calibrated(const CalibrateRequest& request) {
  Progress progress;
  Result<std::vector<Calibrated>> rows = calibrate(request, builtin_catalog(), progress);
  if (!rows) throw std::runtime_error(to_text(rows.error().front()));
  return std::move(*rows);
}

/// The entries that are in use without being asked for; the others take longer.
TEST(Calibrate, reproduces_what_the_catalog_has) {
  for (const TransportKind kind : {TransportKind::tcp, TransportKind::uec})
    for (const Calibrated& row : calibrated({.kind = kind})) {
      const auto* entry = builtin_catalog().transports.find(entry_name(row));
      ASSERT_TRUE(entry) << entry_name(row);
      EXPECT_EQ(entry->fact.control, name_of(row.control));
      EXPECT_NEAR(row.efficiency / entry->fact.efficiency, 1, 0.01) << entry_name(row);
      EXPECT_NEAR(row.permutation / entry->fact.permutation, 1, 0.01) << entry_name(row);
      EXPECT_NEAR(row.incast / entry->fact.incast, 1, 0.01) << entry_name(row);
      EXPECT_NEAR(row.ring / entry->fact.ring, 1, 0.01) << entry_name(row);
      EXPECT_NEAR(row.efficiency, std::min(1.0, std::cbrt(row.permutation * row.incast * row.ring)), 1e-9);
    }
}

TEST(Calibrate, does_not_depend_on_threads) {
  const std::vector<Calibrated> one = calibrated({.kind = TransportKind::infiniband, .threads = 1});
  const std::vector<Calibrated> two = calibrated({.kind = TransportKind::infiniband, .threads = 2});
  ASSERT_EQ(one.size(), 1U);
  EXPECT_EQ(one[0].fingerprint, two[0].fingerprint);
  EXPECT_EQ(one[0].efficiency, two[0].efficiency);
}

TEST(Calibrate, writes_what_the_catalog_reads) {
  const Calibrated row{.kind = TransportKind::uec,
                       .policy = RoutingPolicy::spray,
                       .control = CongestionControl::nscc,
                       .permutation = 0.95,
                       .incast = 0.9876,
                       .ring = 1.0012,
                       .efficiency = 0.9788,
                       .differs = "ring: queues alone",
                       .fingerprint = "0123456789abcdef"};
  const std::string text = calibrate_toml({row}, "railyard calibrate uec", "0.1.0");
  const EmbeddedFile file{"catalog/transports.toml", text};
  const Result<Catalog> catalog = load_catalog({&file, 1});
  ASSERT_TRUE(catalog) << to_text(catalog.error().front());
  const auto* entry = catalog->transports.find("uec-spray");
  ASSERT_TRUE(entry);
  EXPECT_EQ(entry->fact.kind, TransportKind::uec);
  EXPECT_EQ(entry->fact.efficiency, 0.979);
  EXPECT_EQ(entry->fact.ring, 1.001);
  EXPECT_EQ(entry->fact.command, "railyard calibrate uec");
  EXPECT_EQ(entry->fact.fingerprint, "0123456789abcdef");
  EXPECT_EQ(entry->origin.status, Status::estimated);
}

TEST(Calibrate, every_transport_has_an_entry_and_says_which_command_made_it) {
  for (const TransportKind kind : {TransportKind::roce, TransportKind::infiniband, TransportKind::tcp, TransportKind::uec}) {
    bool found = false;
    for (const auto& entry : builtin_catalog().transports.entries()) {
      found |= entry.fact.kind == kind;
      EXPECT_EQ(entry.fact.command, "railyard calibrate") << entry.name;
      EXPECT_EQ(entry.fact.fingerprint.size(), 16U) << entry.name;
    }
    EXPECT_TRUE(found) << name_of(kind);
  }
}

}  // namespace
}  // namespace railyard

// For tests: reads a text by all readers that know it, and cuts a text wherever it can be cut.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "measured/read.h"

namespace railyard {

inline Measurements measured_in(const std::string& text, const std::string& file = "node01/out.txt",
                                const std::string& device = "node01") {
  Measurements all;
  EXPECT_TRUE(read_measured({file, device, text}, all)) << text.substr(0, 200);
  return all;
}

inline std::size_t values_in(const Measurements& all) {
  std::size_t values = all.counters.size();
  for (const CollectiveTest& test : all.tests) values += test.rows.size();
  for (const LibraryLog& log : all.logs)
    values += log.connections.size() + log.hcas.size() + log.settings.size() + log.warnings.size() + log.choices.size();
  for (const PerftestRun& run : all.perftests) values += run.rows.size();
  for (const TrainingLog& log : all.trainings) values += log.steps.size();
  for (const RankTrace& trace : all.traces) values += trace.collectives.size();
  return values;
}

/// Every beginning of a text is read, and has no more values than one that goes on.
inline void expect_prefixes_hold(const std::string& text, const std::string& file = "node01/out.txt") {
  Measurements whole;
  (void)read_measured({file, "node01", text}, whole);
  for (std::size_t length = 0; length < text.size(); length++) {
    Measurements part;
    (void)read_measured({file, "node01", text.substr(0, length)}, part);
    ASSERT_LE(values_in(part), values_in(whole)) << "of the first " << length << " bytes";
  }
}

}  // namespace railyard

#include "measured/read.h"

#include <gtest/gtest.h>

#include "base/temporary_folder.h"

namespace railyard {
namespace {

constexpr const char* kTable = "  1048576  262144  float  sum  -1  80.00  13.11  19.66  0  82.00  12.79  19.18  0\n";

TEST(ReadMeasurements, folders_by_name_and_files_that_nobody_knows) {
  const TemporaryFolder folder;
  folder.write("b/notes.txt", "nothing measured here\n");
  folder.write("b/all_reduce.log", kTable);
  folder.write("a.log", kTable);
  folder.write(".hidden", kTable);
  const auto all = read_measurements({folder.path()});
  ASSERT_TRUE(all.has_value());
  ASSERT_EQ(all->tests.size(), 2U);
  EXPECT_EQ(all->tests[0].where.file, (folder.path() / "a.log").string());
  ASSERT_EQ(all->unknown_files.size(), 1U);
  EXPECT_EQ(all->unknown_files[0], (folder.path() / "b/notes.txt").string());
  EXPECT_FALSE(all->empty());
}

TEST(ReadMeasurements, compressed_files_are_said) {
  const TemporaryFolder folder;
  folder.write("rank0.json.gz", "\x1f\x8b\x08\x01");
  const auto all = read_measurements({folder.path()});
  ASSERT_TRUE(all.has_value());
  ASSERT_EQ(all->skipped.size(), 1U);
  EXPECT_NE(all->skipped.front().what.find("gunzip"), std::string::npos);
  EXPECT_TRUE(all->unknown_files.empty());
}

TEST(ReadMeasurements, what_is_not_there_is_an_error) {
  const TemporaryFolder folder;
  const auto all = read_measurements({folder.path() / "none.log"});
  ASSERT_FALSE(all.has_value());
  ASSERT_EQ(all.error().size(), 1U);
  EXPECT_EQ(all.error()[0].code, "RY-MSR-001");
  EXPECT_NE(all.error()[0].message.find("no file or folder"), std::string::npos);
}

}  // namespace
}  // namespace railyard

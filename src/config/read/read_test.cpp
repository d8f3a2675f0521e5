#include "config/read/read.h"

#include <gtest/gtest.h>

#include "base/temporary_folder.h"

namespace railyard {
namespace {

TEST(ReadConfigs, what_is_not_there_is_an_error_with_its_name) {
  Diagnostics notes;
  const Result<Estate> estate = read_configs({"/nowhere/leaf01.json"}, notes);
  ASSERT_FALSE(estate);
  EXPECT_EQ(estate.error().front().code, "RY-CFG-002");
  EXPECT_EQ(estate.error().front().message, "there is no file or folder of this name");
  EXPECT_EQ(estate.error().front().where.file, "/nowhere/leaf01.json");
}

TEST(ReadConfigs, files_below_a_folder_are_read_and_others_are_told_of) {
  const TemporaryFolder folder;
  folder.write("gpu01/job.env", "NCCL_IB_TC=106\n");
  folder.write("poem.txt", "Roses are red\n");
  Diagnostics notes;
  const Result<Estate> estate = read_configs({folder.path()}, notes);
  ASSERT_TRUE(estate);
  ASSERT_EQ(estate->devices.size(), 1U);
  EXPECT_EQ(estate->devices.front().environment.at("NCCL_IB_TC").value, "106");
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_EQ(notes.front().code, "RY-CFG-001");
}

}  // namespace
}  // namespace railyard

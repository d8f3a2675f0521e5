#include "base/program.h"

#include <gtest/gtest.h>

#include <regex>

namespace railyard {
namespace {

TEST(Program, is_named_by_version_and_build) {
  const std::string name = program_name();
  EXPECT_TRUE(std::regex_match(name, std::regex(R"(\d+\.\d+\.\d+ [0-9a-f]{12})"))) << name << ": linkers write a build id";
  EXPECT_EQ(program_name(), name);
}

}  // namespace
}  // namespace railyard

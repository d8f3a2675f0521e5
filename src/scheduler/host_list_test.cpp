#include "scheduler/host_list.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace railyard {
namespace {

using Names = std::vector<std::string>;

Names expanded(std::string_view text) {
  Names names;
  const auto wrong = expand_hosts(text, names);
  EXPECT_FALSE(wrong) << *wrong;
  return names;
}

std::string mistake_of_list(std::string_view text) {
  Names names;
  return expand_hosts(text, names).value_or("none");
}

TEST(HostList, plain_names_are_themselves) { EXPECT_EQ(expanded("gpu7,login-1.site"), (Names{"gpu7", "login-1.site"})); }

TEST(HostList, ranges_keep_their_zeros) {
  EXPECT_EQ(expanded("gpu[008-010,130]"), (Names{"gpu008", "gpu009", "gpu010", "gpu130"}));
  EXPECT_EQ(expanded("n[9-11]x"), (Names{"n9x", "n10x", "n11x"}));
}

TEST(HostList, brackets_multiply_and_the_last_counts_fastest) {
  EXPECT_EQ(expanded("r[1-2]n[0,5]"), (Names{"r1n0", "r1n5", "r2n0", "r2n5"}));
}

TEST(HostList, mistakes_are_named) {
  EXPECT_EQ(mistake_of_list("gpu[1-4"), "\"gpu[1-4\" has a bracket that is not closed");
  EXPECT_EQ(mistake_of_list("gpu[4-1]"), "\"4-1\" counts backwards");
  EXPECT_EQ(mistake_of_list("gpu[a]"), "\"a\" is no range of numbers");
  EXPECT_EQ(mistake_of_list("a,,b"), "a name between two commas is missing");
  EXPECT_EQ(mistake_of_list("gpu 1"), "\"gpu 1\" is no name of a host");
  EXPECT_EQ(mistake_of_list("g[0-99999][0-99999]"), "it stands for more than 1048576 hosts");
}

TEST(HostList, numbers_in_names_count_as_numbers) {
  Names names = {"gpu10", "gpu2", "b1", "gpu002", "gpu1a", "gpu"};
  std::sort(names.begin(), names.end(), is_before);
  EXPECT_EQ(names, (Names{"b1", "gpu", "gpu1a", "gpu002", "gpu2", "gpu10"}));
}

}  // namespace
}  // namespace railyard

#include "base/read_text.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <thread>

#include "base/temporary_folder.h"

namespace railyard {
namespace {

class ReadText : public testing::Test {
 protected:
  [[nodiscard]] std::filesystem::path file(const std::string& text) const { return temporary_.write("file", text); }

  const TemporaryFolder temporary_;
  const std::filesystem::path& folder_ = temporary_.path();
};

TEST_F(ReadText, a_file_comes_whole_up_to_the_largest) {
  EXPECT_EQ(read_text(file(""), 10).value(), "");
  EXPECT_EQ(read_text(file("0123456789"), 10).value(), "0123456789");
  EXPECT_EQ(read_text(file("0123456789a"), 10).error(), ReadProblem::too_large);
  const std::string large(300'000, 'x');
  EXPECT_EQ(read_text(file(large), 1 << 20).value(), large);
}

TEST_F(ReadText, what_is_no_file_says_so) {
  EXPECT_EQ(read_text(folder_ / "none", 10).error(), ReadProblem::unreadable);
  EXPECT_EQ(read_text(folder_, 10).error(), ReadProblem::folder);
}

TEST_F(ReadText, what_never_ends_is_too_large) { EXPECT_EQ(read_text("/dev/zero", 1 << 20).error(), ReadProblem::too_large); }

TEST_F(ReadText, a_pipe_is_read_to_its_end) {
  const std::filesystem::path pipe = folder_ / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const std::string text(200'000, 'y');
  std::thread writer([&] { std::ofstream(pipe, std::ios::binary) << text; });
  const auto read = read_text(pipe, 1 << 20);
  writer.join();
  EXPECT_EQ(read.value(), text);
}

}  // namespace
}  // namespace railyard

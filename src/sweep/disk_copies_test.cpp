// Traces and folders reach processes without files: whole, in parts, under the names that readers look for.
#include "sweep/disk_copies.h"

#include <gtest/gtest.h>

#include "base/read_text.h"
#include "base/temporary_folder.h"

namespace railyard {
namespace {

constexpr std::size_t kEnough = std::size_t{1} << 30;

/// Three traces and a folder, as a scenario names them.
struct Named {
  TemporaryFolder folder;
  FileBundle bundle;
  std::string trace, prefix, whole, configs;

  Named() {
    trace = folder.write("a/one.csv", "rank,op\n").string();
    prefix = (folder.path() / "b/step").string();
    whole = (folder.path() / "b").string();
    configs = (folder.path() / "c").string();
    folder.write("b/step.0.et", std::string(3'000'000, 'x'));
    folder.write("b/step.1.et", "");
    folder.write("b/notes.txt", "none of the trace");
    folder.write("c/leaf/leaf01.json", "{}");
    const FindOnDisk find = bundle.finder();
    for (const std::string& one : {trace, prefix, whole}) EXPECT_EQ(find(one, OnDisk::trace), one);
    EXPECT_EQ(find(configs, OnDisk::folder), configs);
  }
};

std::string as_named(const std::string& named) { return named; }

/// Fills copies as a process does, and says how often it asked.
int fetch(const CopyList& from, DiskCopies& copies) {
  int asked = 0;
  for (std::string next = copies.next(); !next.empty(); next = copies.next(), asked++) copies.take(part_of(from, next));
  return asked;
}

TEST(DiskCopies, arrive_whole_under_the_names_that_readers_look_for) {
  const Named named;
  const CopyList list = list_copies(named.bundle);
  const std::optional<CopyList> sent = unpacked_copies(packed(list));
  ASSERT_TRUE(sent);
  for (const CopiedFile& file : sent->files) EXPECT_TRUE(file.from.empty()) << "others learn nothing of the first one's disk";
  std::filesystem::path copied;
  {
    DiskCopies copies(*sent);
    EXPECT_EQ(fetch(list, copies), 8) << "two of 3 MB in parts of 1 MiB, and two small ones";
    ASSERT_EQ(copies.wrong(), "");
    const FileBundle other;
    copies.lend(other);
    const FindOnDisk find = other.finder();
    copied = find(named.trace, OnDisk::trace);
    EXPECT_EQ(*read_text(copied, kEnough), "rank,op\n");
    EXPECT_EQ(read_text(find(named.prefix, OnDisk::trace).string() + ".0.et", kEnough)->size(), 3'000'000U);
    EXPECT_TRUE(std::filesystem::exists(find(named.whole, OnDisk::trace) / "step.1.et"));
    EXPECT_FALSE(std::filesystem::exists(find(named.whole, OnDisk::trace) / "notes.txt"));
    EXPECT_EQ(*read_text(find(named.configs, OnDisk::folder) / "leaf/leaf01.json", kEnough), "{}");
    EXPECT_EQ(fingerprint_of(list_copies(other), as_named), fingerprint_of(list, as_named));
  }
  EXPECT_FALSE(std::filesystem::exists(copied)) << "copies go with whoever fetched them";
}

TEST(DiskCopies, have_other_fingerprints_when_a_byte_changes) {
  const Named named;
  const std::string before = fingerprint_of(list_copies(named.bundle), as_named);
  named.folder.write("b/step.0.et", std::string(2'999'999, 'x') + "y");
  EXPECT_NE(fingerprint_of(list_copies(named.bundle), as_named), before);
}

TEST(DiskCopies, of_files_that_change_are_refused) {
  const Named named;
  const CopyList list = list_copies(named.bundle);
  DiskCopies copies(*unpacked_copies(packed(list)));
  named.folder.write("b/step.0.et", "short");
  fetch(list, copies);
  EXPECT_NE(copies.wrong().find("step.0.et"), std::string::npos) << copies.wrong();
}

TEST(DiskCopies, parts_are_of_listed_files_alone) {
  const Named named;
  const CopyList list = list_copies(named.bundle);
  for (const char* const asked : {"", "0", "99 0", "-1 0", "0 x", "../../etc/passwd 0"})
    EXPECT_EQ(part_of(list, asked), "") << asked;
  for (const char* const wrong : {"", "1 x", "1 11 a", "1 05 a"}) EXPECT_FALSE(unpacked_copies(wrong)) << wrong;
}

}  // namespace
}  // namespace railyard

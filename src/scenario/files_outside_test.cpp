#include "scenario/files_outside.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/temporary_folder.h"
#include "scenario/presets.h"
#include "scenario/read/keys.h"

namespace railyard {
namespace {

class FilesOutside : public ::testing::Test {
 protected:
  FilesOutside() {
    folder_.write("files/flows.csv", "");
    folder_.write("secret.txt", "");
    std::filesystem::create_symlink(folder_.path() / "secret.txt", folder_.path() / "files/link");
    std::filesystem::create_directory(folder_.path() / "run");
    std::filesystem::create_symlink(folder_.path() / "files", folder_.path() / "run/files");
  }

  Diagnostics of(const std::string& toml) const {
    return files_outside(folder_.write("run/scenario.toml", toml), folder_.path() / "files");
  }
  bool is_refused(const std::string& toml) const {
    const Diagnostics found = of(toml);
    return !found.empty() && found.front().code == "RY-WEB-040";
  }

  TemporaryFolder folder_;
};

TEST_F(FilesOutside, lets_a_scenario_name_what_is_in_the_folder) {
  EXPECT_FALSE(is_refused("[traffic]\nfile = \"files/flows.csv\"\n"));
  EXPECT_FALSE(is_refused("[traffic]\nfile = \"files/none.csv\"\n"));
  EXPECT_FALSE(is_refused("name = \"nothing\"\n"));
}

TEST_F(FilesOutside, refuses_every_way_out_of_it) {
  for (const char* way : {"/etc/passwd", "../secret.txt", "files/../../secret.txt", "files/link", "secret.txt", "scenario.toml",
                          "/dev/zero", "files/../scenario.toml", "./files/./../../files/../secret.txt", ".", ".."})
    EXPECT_TRUE(is_refused(std::string("[traffic]\nfile = \"") + way + "\"\n")) << way;
}

TEST_F(FilesOutside, refuses_under_every_key_that_names_a_file) {
  for (const std::string_view key : keys_that_name_files()) {
    EXPECT_TRUE(is_refused(std::string(key) + " = \"/etc/passwd\"\n")) << key;
    EXPECT_TRUE(is_refused("[[job]]\n" + std::string(key) + " = \"/etc/passwd\"\n")) << key;
  }
  EXPECT_TRUE(is_refused("extends = \"/etc/passwd\"\n"));
}

/// A key that is added later and says that it is a file is missed here.
TEST_F(FilesOutside, knows_every_key_that_says_it_names_a_file) {
  const auto known = keys_that_name_files();
  for (const Section& section : scenario_sections())
    for (const ScenarioKey& key : section.keys) {
      const std::string path = section.path + "." + key.name;
      const bool says_so =
          key.type == "text" && (key.name == "file" || key.help.starts_with("file ") ||
                                 key.help.find(" file,") != std::string::npos || key.help.find("a file") != std::string::npos);
      EXPECT_TRUE(!says_so || std::find(known.begin(), known.end(), path) != known.end()) << path << ": " << key.help;
    }
}

TEST_F(FilesOutside, lets_a_scenario_extend_a_preset_unless_a_file_has_its_name) {
  EXPECT_FALSE(is_refused("extends = \"llama3\"\n"));
  EXPECT_FALSE(is_refused("extends = \"llama3.toml\"\n"));
  EXPECT_TRUE(is_refused("extends = \"llama4\"\n"));
  folder_.write("run/llama3", "");
  EXPECT_TRUE(is_refused("extends = \"llama3\"\n"));
}

TEST_F(FilesOutside, says_where) {
  const Diagnostics found = of("name = \"x\"\n[trace]\nfile = \"/etc/passwd\"\n");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found.front().where.line, 3U);
  EXPECT_NE(found.front().message.find("trace.file"), std::string::npos);
}

TEST_F(FilesOutside, a_file_on_disk_extends_a_preset_by_its_name) {
  const std::string file = folder_.write("run/own.toml", "extends = \"llama3\"\nname = \"own\"\n").string();
  const Result<Scenario> scenario = load_named_scenario(file, builtin_catalog());
  ASSERT_TRUE(scenario) << to_text(scenario.error().front());
  EXPECT_EQ(scenario->name, "own");
  EXPECT_EQ(scenario->workload.gpus, 16384U);
  const std::string none = folder_.write("run/none.toml", "extends = \"../llama3\"\n").string();
  EXPECT_FALSE(load_named_scenario(none, builtin_catalog()));
}

}  // namespace
}  // namespace railyard

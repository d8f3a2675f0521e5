#include "cli/outputs.h"

#include <algorithm>
#include <iostream>

#include "base/check.h"
#include "base/diagnostic.h"

namespace railyard {

namespace {

void say(const std::string& sentence) { std::cerr << "railyard: " << sentence << '\n'; }

}  // namespace

bool Outputs::prepare() {
  for (OutputFile& file : files_)
    if (const auto wrong = file.prepare()) {
      say(*wrong);
      return false;
    }
  for (const OutputFile& one : files_)
    for (const OutputFile& other : files_)
      if (&one < &other && one.is_same_place(other)) {
        say(one.option() + " and " + other.option() + " would write to the same file; name another one");
        return false;
      }
  return true;
}

bool Outputs::has_taken(std::string_view option, const std::filesystem::path& file) const {
  std::error_code problem;
  const auto place = [&](const std::filesystem::path& path) {
    return std::filesystem::weakly_canonical(std::filesystem::absolute(path, problem), problem);
  };
  for (const OutputFile& one : files_)
    if (!one.is_standard_output() && place(one.name()) == place(file)) {
      say(one.option() + " and " + std::string(option) + " would write to the same file; name another one");
      return true;
    }
  return false;
}

bool Outputs::goes_to_standard_output(std::string_view option) const {
  return std::any_of(files_.begin(), files_.end(),
                     [&](const OutputFile& file) { return file.option() == option && file.is_standard_output(); });
}

void Outputs::keep(const std::vector<std::filesystem::path>& paths) {
  const std::lock_guard lock(mutex_);
  for (const std::filesystem::path& path : paths)
    if (const auto identity = identity_of(path == "-" ? std::filesystem::path("/dev/stdin") : path)) kept_.push_back(*identity);
}

bool Outputs::overwrites_input(const OutputFile& file) const {
  const std::lock_guard lock(mutex_);
  if (std::none_of(kept_.begin(), kept_.end(), [&](const FileIdentity& input) { return file.is(input); })) return false;
  say(file.option() + " " + printable(file.name()) + " would overwrite what is read; name another file");
  return true;
}

bool Outputs::overwrite_inputs() const {
  return std::any_of(files_.begin(), files_.end(), [&](const OutputFile& file) { return overwrites_input(file); });
}

OutputFile& Outputs::file(std::string_view option) {
  const auto found =
      std::find_if(files_.begin(), files_.end(), [&](const OutputFile& file) { return file.option() == option; });
  RY_CHECK(found != files_.end(), "an output is written that was asked for");
  return *found;
}

bool Outputs::write(std::string_view option, std::string_view text) {
  if (overwrites_input(file(option))) return false;
  file(option).write(text);
  return finish(option);
}

bool Outputs::write_to_folder(const std::string& option, const std::filesystem::path& folder, const std::string& name,
                              std::string_view text) const {
  OutputFile one(option, (folder / name).string());
  std::optional<std::string> wrong = one.prepare();
  if (!wrong && overwrites_input(one)) return false;
  if (!wrong) {
    one.write(text);
    wrong = one.finish();
  }
  if (wrong) say(*wrong);
  return !wrong;
}

void Outputs::remove_from_folder(const std::filesystem::path& folder, const std::string& name) const {
  const auto identity = identity_of(folder / name);
  const std::lock_guard lock(mutex_);
  if (!identity || std::find(kept_.begin(), kept_.end(), *identity) != kept_.end()) return;
  std::error_code problem;
  std::filesystem::remove(folder / name, problem);
}

bool Outputs::finish(std::string_view option) {
  if (overwrites_input(file(option))) return false;
  const auto wrong = file(option).finish();
  if (wrong) say(*wrong);
  return !wrong;
}

}  // namespace railyard

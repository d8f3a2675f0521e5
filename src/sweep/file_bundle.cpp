#include "sweep/file_bundle.h"

#include <charconv>

#include "base/check.h"

namespace railyard {

void pack_text(std::string_view text, std::string& out) {
  out += std::to_string(text.size());
  out += ' ';
  out += text;
}

std::optional<std::string> unpack_text(std::string_view& packed) {
  std::size_t size = 0;
  const auto [end, problem] = std::from_chars(packed.data(), packed.data() + packed.size(), size);
  const auto head = static_cast<std::size_t>(end - packed.data()) + 1;
  if (problem != std::errc() || head > packed.size() || size > packed.size() - head) return std::nullopt;
  std::string text(packed.substr(head, size));
  packed.remove_prefix(head + size);
  return text;
}

ReadFile FileBundle::reader(ReadFile read) const {
  return
      [files = files_, read = std::move(read)](const std::filesystem::path& path, std::size_t largest) -> Result<std::string> {
        {
          const std::lock_guard lock(files->mutex);
          if (const auto found = files->texts.find(path.generic_string()); found != files->texts.end()) return found->second;
        }
        Result<std::string> text = read(path, largest);
        if (!text) return text;
        const std::lock_guard lock(files->mutex);
        files->texts.emplace(path.generic_string(), *text);
        return text;
      };
}

std::string FileBundle::packed() const {
  const std::lock_guard lock(files_->mutex);
  std::string out;
  for (const auto& [name, text] : files_->texts) {
    pack_text(name, out);
    pack_text(text, out);
  }
  return out;
}

FileBundle FileBundle::unpacked(std::string_view text) {
  FileBundle bundle;
  while (!text.empty()) {
    std::optional<std::string> name = unpack_text(text), content = unpack_text(text);
    RY_CHECK(name && content, "a bundle of files is whole");
    bundle.files_->texts.emplace(std::move(*name), std::move(*content));
  }
  return bundle;
}

FindOnDisk FileBundle::finder() const {
  return [files = files_](const std::filesystem::path& named, OnDisk what) {
    const std::lock_guard lock(files->mutex);
    files->named.emplace(named.generic_string(), what);
    const auto copy = files->copies.find(named.generic_string());
    return copy == files->copies.end() ? named : copy->second;
  };
}

std::vector<FileBundle::Place> FileBundle::places() const {
  const std::lock_guard lock(files_->mutex);
  std::vector<Place> out;
  for (const auto& [named, what] : files_->named) {
    const auto copy = files_->copies.find(named);
    out.push_back({named, what, copy == files_->copies.end() ? std::filesystem::path(named) : copy->second});
  }
  return out;
}

void FileBundle::add_copy(const std::string& named, std::filesystem::path at) const {
  const std::lock_guard lock(files_->mutex);
  files_->copies[named] = std::move(at);
}

std::map<std::string, std::string> FileBundle::texts() const {
  const std::lock_guard lock(files_->mutex);
  return files_->texts;
}

std::vector<std::filesystem::path> FileBundle::paths() const {
  const std::lock_guard lock(files_->mutex);
  std::vector<std::filesystem::path> out;
  for (const auto& [name, text] : files_->texts) out.emplace_back(name);
  return out;
}

}  // namespace railyard

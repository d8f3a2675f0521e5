#include "sweep/disk_copies.h"

#include <fmt/format.h>
#include <stdlib.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <fstream>
#include <map>

#include "base/check.h"
#include "base/fingerprint.h"
#include "trace/read.h"

namespace railyard {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kPart = std::size_t{1} << 20;

/// All files below a folder, by name.
std::vector<fs::path> files_below(const fs::path& folder) {
  std::error_code problem;
  std::vector<fs::path> files;
  for (fs::recursive_directory_iterator at(folder, problem), end; !problem && at != end; at.increment(problem))
    if (std::error_code ignored; at->is_regular_file(ignored)) files.push_back(at->path());
  std::sort(files.begin(), files.end());
  return files;
}

/// Of what cannot be read there is nothing to copy: whoever plays it says so.
std::vector<fs::path> files_of(const fs::path& place, OnDisk what) {
  if (what == OnDisk::folder) return files_below(place);
  Result<std::vector<fs::path>> files = files_of_trace(place);
  return files ? std::move(*files) : std::vector<fs::path>{};
}

void add_text(std::string_view text, Fingerprint& fingerprint) {
  fingerprint.add(text.size());
  for (std::size_t at = 0; at < text.size(); at += sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data() + at, std::min(sizeof(word), text.size() - at));
    fingerprint.add(word);
  }
}

std::string text_at(const std::string& path, std::uint64_t offset) {
  std::ifstream in(path, std::ios::binary);
  in.seekg(static_cast<std::streamoff>(offset));
  std::string part(kPart, '\0');
  in.read(part.data(), static_cast<std::streamsize>(part.size()));
  part.resize(static_cast<std::size_t>(std::max<std::streamsize>(in.gcount(), 0)));
  return part;
}

std::optional<std::uint64_t> whole_number(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  return problem == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

void add_content(const CopiedFile& file, Fingerprint& fingerprint) {
  for (std::uint64_t at = 0; at < file.size;) {
    const std::string part = text_at(file.from, at);
    if (part.empty()) break;
    add_text(part, fingerprint);
    at += part.size();
  }
}

/// "3/leaf/leaf01.json" belongs to the fourth place.
std::size_t number_of_place(const CopiedFile& file) {
  const std::optional<std::uint64_t> number = whole_number(std::string_view(file.to).substr(0, file.to.find('/')));
  RY_CHECK(number, "copies lie below the number of their place");
  return *number;
}

}  // namespace

CopyList list_copies(const FileBundle& bundle) {
  CopyList list;
  for (const FileBundle::Place& place : bundle.places()) {
    std::error_code ignored;
    const fs::path top = std::to_string(list.places.size());
    const bool is_folder = place.what == OnDisk::folder || fs::is_directory(place.at, ignored);
    list.places.push_back({place.named, (is_folder ? top : top / fs::path(place.named).filename()).generic_string()});
    for (const fs::path& file : files_of(place.at, place.what)) {
      const fs::path name = is_folder ? file.lexically_relative(place.at) : file.filename();
      const std::uintmax_t size = fs::file_size(file, ignored);
      list.files.push_back({file.string(), (top / name).generic_string(), ignored ? 0 : size});
    }
  }
  return list;
}

std::string fingerprint_of(const CopyList& list, const std::function<std::string(const std::string& named)>& name_of) {
  std::multimap<std::string, std::size_t> places;  // their numbers depend on how they were named
  for (std::size_t p = 0; p < list.places.size(); p++) places.emplace(name_of(list.places[p].named), p);
  std::vector<std::vector<const CopiedFile*>> files(list.places.size());
  for (const CopiedFile& file : list.files) files[number_of_place(file)].push_back(&file);
  Fingerprint all;
  for (const auto& [name, place] : places) {
    add_text(name, all);
    for (const CopiedFile* const file : files[place]) {
      add_text(std::string_view(file->to).substr(file->to.find('/')), all);
      add_content(*file, all);
    }
  }
  return all.text();
}

std::string packed(const CopyList& list) {
  std::string out;
  pack_text(std::to_string(list.places.size()), out);
  for (const CopiedPlace& place : list.places)
    for (const std::string& text : {place.named, place.copy}) pack_text(text, out);
  for (const CopiedFile& file : list.files)
    for (const std::string& text : {file.to, std::to_string(file.size)}) pack_text(text, out);
  return out;
}

std::optional<CopyList> unpacked_copies(std::string_view text) {
  CopyList list;
  const std::optional<std::string> count = unpack_text(text);
  const std::optional<std::uint64_t> places = count ? whole_number(*count) : std::nullopt;
  if (!places) return std::nullopt;
  for (std::uint64_t i = 0; i < *places; i++) {
    std::optional<std::string> named = unpack_text(text), copy = unpack_text(text);
    if (!named || !copy) return std::nullopt;
    list.places.push_back({std::move(*named), std::move(*copy)});
  }
  while (!text.empty()) {
    std::optional<std::string> to = unpack_text(text), size = unpack_text(text);
    const std::optional<std::uint64_t> bytes = size ? whole_number(*size) : std::nullopt;
    if (!to || !bytes) return std::nullopt;
    list.files.push_back({{}, std::move(*to), *bytes});
  }
  return list;
}

std::string part_of(const CopyList& list, std::string_view asked) {
  const std::size_t blank = asked.find(' ');
  if (blank == std::string_view::npos) return {};
  const std::optional<std::uint64_t> file = whole_number(asked.substr(0, blank)),
                                     offset = whole_number(asked.substr(blank + 1));
  if (!file || !offset || *file >= list.files.size()) return {};
  return text_at(list.files[*file].from, *offset);
}

DiskCopies::DiskCopies(CopyList list) : list_(std::move(list)) {
  if (list_.files.empty()) return;
  std::error_code ignored;
  std::string name = (fs::temp_directory_path(ignored) / "railyard_XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr)
    wrong_ = "no folder can be made in " + fs::temp_directory_path(ignored).string();
  else
    folder_ = name, begin_file();
}

DiskCopies::~DiskCopies() {
  std::error_code ignored;
  if (!folder_.empty()) fs::remove_all(folder_, ignored);
}

/// Makes this file, and those after it while they are empty.
void DiskCopies::begin_file() {
  for (; file_ < list_.files.size(); file_++) {
    const fs::path place = place_of(list_.files[file_]);
    std::error_code ignored;
    fs::create_directories(place.parent_path(), ignored);
    if (!std::ofstream(place, std::ios::binary)) wrong_ = place.string() + " cannot be written";
    if (list_.files[file_].size > 0) break;
  }
  taken_ = 0;
}

std::string DiskCopies::next() {
  if (!wrong_.empty() || file_ >= list_.files.size()) return {};
  return fmt::format("{} {}", file_, taken_);
}

void DiskCopies::take(std::string_view part) {
  RY_CHECK(file_ < list_.files.size(), "a part belongs to a file");
  const CopiedFile& file = list_.files[file_];
  std::ofstream out(place_of(file), std::ios::binary | std::ios::app);
  out.write(part.data(), static_cast<std::streamsize>(part.size()));
  out.close();
  taken_ += part.size();
  if (!out)
    wrong_ = place_of(file).string() + " cannot be written to its end";
  else if (part.empty() || taken_ > file.size)
    wrong_ = "a file changed while it was sent: " + fs::path(file.to).filename().string();
  else if (taken_ == file.size)
    file_++, begin_file();
}

void DiskCopies::lend(const FileBundle& bundle) const {
  for (const CopiedPlace& place : list_.places) bundle.add_copy(place.named, folder_ / place.copy);
}

}  // namespace railyard

#include "cli/output.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string_view>

#include "base/json.h"
#include "report/results_report.h"

namespace railyard {

namespace {

constexpr std::size_t kWithoutTerminal = 100, kNarrowest = 60, kWidest = 200;

bool write_file(const std::filesystem::path& path, const std::string& text) {
  std::ofstream out(path, std::ios::binary);
  out << text;
  out.close();
  return static_cast<bool>(out);
}

/// Under another name first, so that the file appears whole or not at all.
bool write_whole(const std::filesystem::path& target, const std::string& text) {
  const std::filesystem::path partial = target.string() + ".partial-" + std::to_string(getpid());
  std::error_code failure;
  const bool written = write_file(partial, text);
  if (written) std::filesystem::rename(partial, target, failure);
  if (written && !failure) return true;
  std::filesystem::remove(partial, failure);
  return false;
}

}  // namespace

std::size_t terminal_width() {
  std::size_t width = kWithoutTerminal;
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) width = size.ws_col;
  if (const char* columns = std::getenv("COLUMNS")) {
    const std::string_view text(columns);
    std::from_chars(text.data(), text.data() + text.size(), width);
  }
  return std::clamp(width, kNarrowest, kWidest);
}

Document findings_document(const Diagnostics& diagnostics) {
  Document out = Document::object();
  out.set("schema", Document(std::string("railyard-findings/1")));
  out.set("diagnostics", diagnostics_document(diagnostics));
  return out;
}

bool write_json_output(const Document& document, const Options& options) {
  return options.json.empty() || write_output(write_json(document), options.json);
}

bool write_output(const std::string& text, const std::string& file) {
  if (file.empty()) return true;
  if (file == "-") return static_cast<bool>(std::cout << text << std::flush);
  std::error_code ignored;
  std::filesystem::path target(file);
  if (std::filesystem::is_symlink(target, ignored)) target = std::filesystem::weakly_canonical(target, ignored);
  const bool special = std::filesystem::exists(target, ignored) && !std::filesystem::is_regular_file(target, ignored);
  if (special ? write_file(target, text) : write_whole(target, text)) return true;
  std::cerr << "railyard: cannot write " << file << "; check that its folder exists, is writable and has room\n";
  return false;
}

bool overwrites_input(const Options& options) {
  std::error_code ignored;
  const std::pair<const char*, const std::string&> outputs[] = {{"--json", options.json},
                                                                {"--svg", options.svg},
                                                                {"--dot", options.dot},
                                                                {"--flows", options.flows},
                                                                {"-o", options.page}};
  for (const auto& [option, output] : outputs)
    for (const std::string& file : options.files) {
      if (output.empty() || !std::filesystem::equivalent(output, file, ignored)) continue;
      std::cerr << "railyard: " << option << ' ' << output << " would overwrite what is read; name another file\n";
      return true;
    }
  return false;
}

bool outputs_collide(const Options& options) {
  if (options.page.empty() || (options.page != options.json && options.page != options.flows)) return false;
  std::cerr << "railyard: -o and " << (options.page == options.json ? "--json" : "--flows")
            << " would write to the same file; name another one\n";
  return true;
}

bool cannot_write(const Options& options) {
  std::error_code ignored;
  for (const std::string& file : {options.json, options.page}) {
    if (file.empty() || file == "-") continue;
    const std::filesystem::path folder = std::filesystem::path(file).parent_path();
    const bool is_folder = std::filesystem::is_directory(file, ignored);
    if (!is_folder && access(folder.empty() ? "." : folder.c_str(), W_OK) == 0) continue;
    if (!is_folder && std::filesystem::exists(file, ignored) && access(file.c_str(), W_OK) == 0) continue;  // a device
    std::cerr << "railyard: cannot write " << file
              << (is_folder ? "; it is a folder: name a file in it\n" : "; check that its folder exists and is writable\n");
    return true;
  }
  return false;
}

std::vector<std::string> overrides_of(const Options& options) {
  std::vector<std::string> all = options.overrides;
  if (options.seed) all.push_back("engine.seed=" + std::to_string(*options.seed));
  return all;
}

int complain(const Diagnostics& errors, const Options& options) {
  for (const Diagnostic& error : errors) std::cerr << to_text(error) << '\n';
  if (errors.size() > 1) std::cerr << errors.size() << " findings; docs/diagnostics.md explains each code\n";
  write_json_output(findings_document(errors), options);
  return kBadInput;
}

}  // namespace railyard

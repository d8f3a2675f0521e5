// Kubernetes manifests: variables in env lists and ConfigMaps, and in the shell text of commands and arguments.
#include <algorithm>

#include "base/yaml.h"
#include "config/read/job_text.h"

namespace railyard::host_text {

namespace {

constexpr std::string_view kOpen = "\xC2\xAB", kClose = "\xC2\xBB";  // stand for {{ and }}, which YAML takes for tables

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

/// Helm's templates made to pass for YAML: values in braces are plain text, lines of nothing else are comments.
std::string without_templates(std::string_view text) {
  std::string out;
  for (const std::string_view raw : lines_of(text)) {
    std::string line(raw);
    const std::string_view content = trimmed(raw);
    if (content.starts_with("{{") && content.ends_with("}}")) line.insert(0, "#");
    replace_all(line, "{{", kOpen);
    replace_all(line, "}}", kClose);
    out += line + "\n";
  }
  return out;
}

std::string scalar(const Document& value) {
  std::string text;
  if (value.text() != nullptr) text = *value.text();
  if (value.integer() != nullptr) text = std::to_string(*value.integer());
  if (value.boolean() != nullptr) text = *value.boolean() ? "true" : "false";
  double storage = 0;
  if (value.real() != nullptr) text = std::to_string(*value.number(storage));
  replace_all(text, kOpen, "{{");
  replace_all(text, kClose, "}}");
  return text;
}

/// Walks one manifest.
class ManifestReader {
 public:
  ManifestReader(Device& job, const std::string& file, const std::vector<std::string_view>& lines)
      : job_(job), lines_(lines), shell_(job, file, lines) {}

  void read(const Document& node) {
    if (node.items() != nullptr)
      for (const Document& item : *node.items()) read(item);
    if (node.members() == nullptr) return;
    for (const auto& member : *node.members()) {
      const bool is_list = member.value.items() != nullptr;
      if (member.key == "env" && is_list)
        variables(*member.value.items());
      else if ((member.key == "args" || member.key == "command") && is_list)
        arguments(*member.value.items());
      else if (member.key == "data" && member.value.members() != nullptr)
        config_map(*member.value.members());
      else if (member.key == "nodeName" || member.key == "kubernetes.io/hostname")
        job_.nodes.push_back(scalar(member.value));
      else
        read(member.value);
    }
  }

 private:
  static constexpr std::uint32_t kLookAhead = 256;  // lines that a text may stretch over

  void variables(const Document::Array& list) {
    for (const Document& item : list) {
      const Document *name = item.find("name"), *value = item.find("value");
      if (name == nullptr || value == nullptr) continue;
      const std::uint32_t line = value->where().line;
      shell_.set(scalar(*name), scalar(*value), line, line);
    }
  }

  /// Where a text begins: below the bar of a block.
  [[nodiscard]] std::uint32_t first_line(const Document& text) const {
    const std::uint32_t line = text.where().line;
    if (line == 0 || line > lines_.size()) return line;
    const std::string_view begin = trimmed(lines_[line - 1]);
    return begin.ends_with('|') || begin.ends_with("|-") || begin.ends_with('>') || begin.ends_with(">-") ? line + 1 : line;
  }

  /// Single words are one command together; text with blanks is shell.
  void arguments(const Document::Array& list) {
    std::vector<std::string> words;
    for (const Document& item : list) {
      std::string text = scalar(item);
      if (text.find_first_of(" \n") == std::string::npos)
        words.push_back(std::move(text));
      else
        shell_.read_script(text, first_line(item));
    }
    const std::uint32_t first = list.empty() ? 0 : list.front().where().line;
    shell_.read_words(words, first, first + kLookAhead);
  }

  void config_map(const Document::Object& data) {
    for (const auto& member : data) {
      const std::string text = scalar(member.value);
      if (is_library_variable(member.key))
        shell_.set(member.key, text, member.where.line, member.where.line);
      else if (contains(text, "CCL_"))
        shell_.read_script(text, first_line(member.value));
    }
  }

  Device& job_;
  const std::vector<std::string_view>& lines_;
  JobShell shell_;
};

/// The job's name; with the file's where another file has a job of that name.
std::string job_name(const ConfigText& text, const Document& root, const Estate& estate) {
  const Document* named = root.at_path("metadata.name");
  const std::string name = named == nullptr ? text.device : scalar(*named);
  for (const Device& device : estate.devices)
    if (device.name == name && device.kind == DeviceKind::job && !device.files.empty() &&
        device.files.front().file != text.file)
      return name + " of " + text.device;
  return name;
}

bool has_containers(const Document& node) {
  if (node.items() != nullptr) return std::any_of(node.items()->begin(), node.items()->end(), has_containers);
  if (node.members() == nullptr) return false;
  return std::any_of(node.members()->begin(), node.members()->end(),
                     [](const auto& member) { return member.key == "containers" || has_containers(member.value); });
}

}  // namespace

bool is_kubernetes_job(const ConfigText& text) {
  const bool is_manifest = contains(text.text, "apiVersion:") && contains(text.text, "kind:");
  return is_manifest && !contains(text.text, "kind: NicConfigurationTemplate") &&
         (contains(text.text, "containers:") || contains(text.text, "NCCL_") || contains(text.text, "RCCL_"));
}

Diagnostics read_kubernetes_job(const ConfigText& text, Estate& estate) {
  const bool has_templates = contains(text.text, "{{");
  const auto documents = parse_yaml(has_templates ? without_templates(text.text) : text.text, text.file, "RY-CFG-003");
  if (!documents) return documents.error();
  const auto lines = lines_of(text.text);
  for (const Document& root : *documents) {
    Device found;
    ManifestReader(found, text.file, lines).read(root);
    if (found.environment.empty() && !has_containers(root)) continue;
    Device& job = device_of(estate, job_name(text, root, estate), DeviceKind::job, Dialect::environment);
    job.files.push_back({text.file, root.where().line, 0});
    for (auto& [name, setting] : found.environment) job.environment[name] = std::move(setting);
    job.nodes.insert(job.nodes.end(), found.nodes.begin(), found.nodes.end());
    for (const Device::Unread& one : found.unread) add_unread(job, one.statement, one.where);
  }
  return {};
}

}  // namespace railyard::host_text

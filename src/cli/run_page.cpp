#include "cli/run_page.h"

#include <filesystem>

#include "answer/verdict.h"
#include "base/version.h"
#include "cli/output.h"
#include "report/command_text.h"
#include "report/page.h"

namespace railyard {

namespace {

Document text(const std::string& value) { return Document(value); }

std::string name_of(const Document& results, const std::string& file) {
  const Document* name = results.find("name");
  return name && name->text() && !name->text()->empty() ? *name->text() : file;
}

}  // namespace

Document run_entry(const std::string& id, const std::string& label, const std::string& file, const std::string& scenario,
                   const std::string& command, Document results) {
  Document out = Document::object();
  out.set("id", text(id));
  out.set("label", text(label));
  out.set("file", text(file));
  out.set("scenario", text(scenario));
  out.set("command", text(command));
  out.set("results", std::move(results));
  return out;
}

std::string id_of_run(const std::string& file) { return file == "-" ? "run" : std::filesystem::path(file).stem().string(); }

bool write_run_page(const Document& results, const std::vector<Advice>& advice, const std::string& scenario,
                    const Options& options) {
  if (options.page.empty()) return true;
  const std::string& file = options.files.front();
  const std::string command = run_command_text(file, overrides_of(options));
  const std::string label = name_of(results, file);
  Document data = Document::object();
  data.set("railyard", text(kVersion));
  data.set("kind", text("run"));
  data.set("title", text(label));
  data.set("command", text(command));
  Document& runs = data.set("runs", Document::array());
  runs.push(run_entry(id_of_run(file), label, file, scenario, command, results));
  if (!advice.empty()) {
    Document& list = data.set("advice", Document::array());
    for (std::size_t i = 0; i < advice.size(); i++) {
      Document& one = list.push(advice_document(advice[i]));
      one.set("rank", Document(static_cast<std::int64_t>(i + 1)));
    }
  }
  return write_output(page(data), "-o", options);
}

}  // namespace railyard

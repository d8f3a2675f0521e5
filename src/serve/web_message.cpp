#include "serve/web_message.h"

#include "base/json.h"
#include "serve/run_record.h"

namespace railyard {

namespace {

std::string value_of(const std::map<std::string, std::string>& map, const std::string& name) {
  const auto found = map.find(name);
  return found == map.end() ? std::string() : found->second;
}

}  // namespace

std::string WebRequest::header(const std::string& name) const { return value_of(headers, name); }
std::string WebRequest::asked(const std::string& name) const { return value_of(query, name); }

std::string findings_json(const Diagnostics& findings) {
  Document out = Document::object();
  out.set("schema", Document(std::string("railyard-findings/1")));
  out.set("diagnostics", problems_document(findings));
  return write_json(out);
}

WebAnswer refusal(int status, std::string_view code, std::string message, std::string hint) {
  return {.status = status,
          .body = findings_json({{Severity::error, std::string(code), std::move(message), std::move(hint), {}}})};
}

}  // namespace railyard

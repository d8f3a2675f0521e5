// A request and its answer as values: what the library of HTTP hands over, and what it is to send.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/diagnostic.h"

namespace railyard {

struct WebRequest {
  std::string method, path;  // decoded, without what follows a "?"
  std::map<std::string, std::string> query;
  std::map<std::string, std::string> headers;  // names in small letters; of several with one name the first
  std::string body;

  /// Empty where there is none.
  [[nodiscard]] std::string header(const std::string& name) const;
  [[nodiscard]] std::string asked(const std::string& name) const;
};

struct WebAnswer {
  int status = 200;
  std::string type = "application/json";
  std::string body = {};
  std::filesystem::path file = {};  // what it holds instead of `body`
  std::string events_of = {};       // instead: states of this run, as they come
  std::vector<std::pair<std::string, std::string>> headers = {};
};

/// Findings as `railyard check --json` writes them, for whoever asked what cannot be answered.
WebAnswer refusal(int status, std::string_view code, std::string message, std::string hint);
std::string findings_json(const Diagnostics& findings);

}  // namespace railyard

#include "tools/compare/command_line.h"

#include <fmt/format.h>

namespace railyard {

std::string command_line(const std::string& name, const std::vector<std::string>& overrides) {
  std::string text = "railyard run " + name;
  for (const std::string& one : overrides) {
    const bool quoted = one.find_first_of(" []{}\"*") != std::string::npos;
    text += quoted ? fmt::format(" --set '{}'", one) : " --set " + one;
  }
  return text;
}

std::vector<std::string> joined(std::vector<std::string> a, const std::vector<std::string>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

}  // namespace railyard

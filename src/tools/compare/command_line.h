// Commands that repeat what a comparison did.
#pragma once

#include <string>
#include <vector>

namespace railyard {

/// "railyard run llama3 --set routing.policy=adaptive", quoted where a shell needs it.
std::string command_line(const std::string& name, const std::vector<std::string>& overrides);

std::vector<std::string> joined(std::vector<std::string> a, const std::vector<std::string>& b);

}  // namespace railyard

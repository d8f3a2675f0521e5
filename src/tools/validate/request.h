// What `railyard validate` is asked.
#pragma once

#include <string>
#include <vector>

namespace railyard {

struct ValidateRequest {
  std::string action;    // "plan" or "judge"
  std::string scenario;  // a preset or a file
  std::vector<std::string> logs, phases;
  std::string output, junit;  // a folder of a plan or a page of a judgement; a file
};

}  // namespace railyard

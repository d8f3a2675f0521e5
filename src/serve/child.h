// The program, started by the server for one run, check or comparison.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace railyard {

struct ChildRequest {
  std::vector<std::string> arguments;  // without the program
  std::filesystem::path folder;        // where it works; log.txt there has what it prints
  std::uint64_t memory = 0;            // bytes it may take
  std::chrono::seconds longest{60};
};

/// How it ended.
struct ChildEnd {
  bool started = true;
  int code = 0;  // of exit, or
  int signal = 0;
  bool was_stopped = false, took_too_long = false;
};

/// Starts it and waits until it ends. `on_line` gets each line that it writes to descriptor 3. Once `stop` is true it is ended:
/// politely, and after a second for good. It dies with the thread that waits for it. May be called by many threads.
ChildEnd run_child(const ChildRequest& request, const std::function<void(std::string_view)>& on_line,
                   const std::atomic<bool>& stop);

/// run_child, or what stands for it in tests.
using RunChild =
    std::function<ChildEnd(const ChildRequest&, const std::function<void(std::string_view)>&, const std::atomic<bool>&)>;

}  // namespace railyard

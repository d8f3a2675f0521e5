// Reads counters of /sys/class/infiniband and /sys/class/net as `grep .` prints them: path:value.
#include "measured/counter_names.h"
#include "measured/host_counters.h"
#include "measured/terminal.h"
#include "measured/text.h"

namespace railyard::host_counters {

namespace {

using namespace measured_text;

struct CounterPath {
  std::string port;  // "mlx5_0", and "mlx5_0/2" of its second port
  std::string_view name;
};

/// ".../infiniband/mlx5_0/ports/1/hw_counters/np_cnp_sent", ".../net/eth0/statistics/rx_bytes".
std::optional<CounterPath> counter_path(std::string_view path) {
  const std::string_view name = last_part(path);
  for (const std::string_view root : {"class/infiniband/", "class/net/"})
    if (const auto rest = behind(path, root))
      if (contains(*rest, "counters/") || contains(*rest, "statistics/")) {
        CounterPath out{short_text(rest->substr(0, rest->find('/'))), name};
        const auto number = leading_number(behind(*rest, "/ports/").value_or(""));
        if (number.value_or(1) > 1) out.port += "/" + std::to_string(*number);
        return out;
      }
  return std::nullopt;
}

}  // namespace

bool is_sysfs(const MeasuredText& text) {
  return (contains(text.text, "class/infiniband/") && contains(text.text, "counters/")) ||
         (contains(text.text, "class/net/") && contains(text.text, "/statistics/"));
}

void read_sysfs(const MeasuredText& text, Measurements& all) {
  std::string device = text.device;
  for (const NumberedLine& line : printed::numbered_lines(text.text)) {
    if (const PromptLine prompt = prompt_line(line.text); !prompt.command.empty()) {
      if (!prompt.host.empty()) device = prompt.host;
      continue;
    }
    const std::size_t colon = line.text.rfind(':');
    if (colon == std::string_view::npos) continue;
    const auto path = counter_path(without_blanks(line.text.substr(0, colon)));
    if (!path || path->name.empty()) continue;
    if (const auto value = decimal(without_blanks(line.text.substr(colon + 1))))
      add_counter(all, device, path->port, path->name, *value, {text.file, line.number, 0});
    else
      add_skipped(all, "a counter of sysfs without a value", {text.file, line.number, 0});
  }
}

}  // namespace railyard::host_counters

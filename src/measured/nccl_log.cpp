// Reads debug logs of NCCL and RCCL, all ranks of one file together, and reports of their RAS. Made for logs of hundreds of
// megabytes: a line is looked at by its first words.
#include <algorithm>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "measured/nccl_log_lines.h"
#include "measured/nccl_ras.h"
#include "measured/readers.h"
#include "measured/text.h"

namespace railyard::nccl_log {

namespace {

using namespace measured_text;

constexpr std::size_t kMostWarnings = 1000;

/// What INFO lines complain of.
constexpr std::array<std::string_view, 8> kComplaints = {
    "Got completion from peer", "Call to ibv_",         "NET/IB : No device found",       "Failed to open libibverbs",
    "P2P is disabled",          "Could not enable P2P", "NET/IB : Unable to open device", "GPU Direct RDMA Disabled for GPU"};

class Log {
 public:
  Log(const MeasuredText& text, Measurements& all) : text_(text), all_(all) { log_.where = {text.file, 0, 0}; }

  void read_line(const NumberedLine& line) {
    const auto parts = log_line(line.text);
    if (!parts) return read_plain(line);
    if (log_.where.line == 0) log_.where.line = line.number;
    if (parts->warns)
      add_warning(parts->host, parts->message, line.number);
    else
      read_message(*parts, line.number);
  }

  void finish() {
    index_devices();
    all_.logs.push_back(std::move(log_));
  }

  LibraryLog& log() { return log_; }

 private:
  [[nodiscard]] bool once(char kind, std::string_view host, std::string_view what) {
    std::string key(1, kind);
    key.append(host).append(1, '\n').append(what);
    return seen_.insert(std::move(key)).second;
  }

  /// Lines of the library without a host, and complaints in lines of whoever copied them.
  void read_plain(const NumberedLine& line) {
    read_version(line.text);
    for (const std::string_view complaint :
         {std::string_view("Got completion from peer"), std::string_view("Watchdog caught collective")})
      if (const std::size_t at = line.text.find(complaint); at != std::string_view::npos)
        add_warning({}, line.text.substr(at), line.number);
  }

  void read_version(std::string_view line) {
    if (!log_.version.empty() && log_.rccl) return;
    std::string version = library_version(line);
    if (version.empty()) return;
    if (log_.version.empty()) log_.version = std::move(version);
    log_.rccl = log_.rccl || contains(line, "RCCL version");
  }

  void read_message(const LogLine& line, std::uint32_t number) {
    const std::string_view message = line.message;
    if (message.starts_with("Channel ")) return read_channel(line, number);
    if (message.starts_with("NET/")) return read_net(line, number);
    if (message.starts_with("NCCL_") || message.starts_with("RCCL_")) return read_setting(line, number);
    if (message.starts_with("Using network ")) {
      if (log_.network.empty()) log_.network = short_text(without_blanks(message.substr(14)));
    } else if (message.starts_with("comm ") || message.starts_with("ncclCommInit")) {
      read_communicator(message);
    } else if (message.starts_with("Bootstrap")) {
      const std::string_view interface = word_behind(message, "Using ");
      if (log_.bootstrap.empty()) log_.bootstrap = short_text(interface.substr(0, interface.find(':')));
    } else if (message.starts_with("Setting affinity for GPU ")) {
      read_affinity(line);
    } else if (message.starts_with("Connected all rings")) {
      if (const auto pxn = small_number(word_behind(message, "PXN "))) log_.ring_pxn = *pxn != 0;
      if (const auto gdr = small_number(word_behind(message, "GDR "))) log_.ring_gpu_direct = *gdr != 0;
    } else if (message.starts_with("=== System : maxBw")) {
      if (const auto bandwidth = decimal(word_behind(message, "maxBw")); bandwidth && *bandwidth >= 0)
        log_.system_bandwidth = std::min(log_.system_bandwidth.value_or(*bandwidth * 1e9), *bandwidth * 1e9);
    } else {
      read_rarer(line, number);
    }
  }

  void read_rarer(const LogLine& line, std::uint32_t number) {
    read_version(line.message);
    if (const auto counts = channel_counts(line.message)) return read_counts(*counts);
    if (contains(line.message, " Bytes -> Algo ")) {
      if (auto choice = choice_line(line.message))
        log_.choices.push_back(std::move(*choice));
      else
        add_skipped(all_, "a line of NCCL's tuning", {text_.file, number, 0});
      return;
    }
    complain(line, number);
  }

  void complain(const LogLine& line, std::uint32_t number) {
    for (const std::string_view complaint : kComplaints)
      if (contains(line.message, complaint)) return add_warning(line.host, line.message, number);
  }

  void read_channel(const LogLine& line, std::uint32_t number) {
    if (!contains(line.message, " -> ")) return;  // the order of a ring
    auto parts = channel_line(line.message);
    if (!parts) return add_skipped(all_, "a line of NCCL's channels that is cut off", {text_.file, number, 0});
    parts->connection.host = short_text(line.host);
    if (parts->from_bus || parts->to_bus) {
      buses_.push_back({log_.connections.size(), parts->from_bus.value_or(0), parts->to_bus.value_or(0)});
    }
    log_.connections.push_back(std::move(parts->connection));
  }

  void read_net(const LogLine& line, std::uint32_t number) {
    if (auto found = using_line(line.message)) {
      log_.relaxed_ordering = log_.relaxed_ordering.value_or(false) || found->relaxed_ordering;
      if (log_.bootstrap.empty()) log_.bootstrap = short_text(found->bootstrap);
      for (LoggedHca& hca : found->hcas) {
        if (!once('h', line.host, std::to_string(hca.index) + hca.device)) continue;
        hca.host = short_text(line.host);
        log_.hcas.push_back(std::move(hca));
      }
    } else if (contains(line.message, "GPU Direct RDMA Disabled for HCA ")) {
      const std::string_view name = behind(line.message, "'").value_or("");
      const std::string_view device = name.substr(0, name.find('\''));
      if (!device.empty() && once('g', line.host, device))
        log_.gpu_direct_off.emplace_back(short_text(line.host), short_text(device));
    } else if (line.message.starts_with("NET/Socket : Using")) {
      if (log_.network.empty()) log_.network = "Socket";
    } else {
      complain(line, number);
    }
  }

  void read_setting(const LogLine& line, std::uint32_t number) {
    const auto setting = setting_line(line.message);
    if (!setting || !once('s', line.host, setting->name)) return;
    log_.settings.push_back(
        {short_text(line.host), short_text(setting->name), short_text(setting->value), {text_.file, number, 0}});
  }

  /// The largest communicator counts.
  void read_communicator(std::string_view message) {
    auto ranks = small_number(word_behind(message, " nRanks "));
    if (!ranks) ranks = small_number(word_behind(message, " nranks "));
    if (!ranks || *ranks < log_.ranks.value_or(0)) return;
    const auto nodes = small_number(word_behind(message, " nNodes ")),
               local = small_number(word_behind(message, " localRanks "));
    if (*ranks > log_.ranks.value_or(0)) log_.nodes = log_.local_ranks = std::nullopt;
    log_.ranks = ranks;
    if (nodes) log_.nodes = nodes;
    if (local) log_.local_ranks = std::max(local, log_.local_ranks);
  }

  void read_affinity(const LogLine& line) {
    const auto gpu = small_number(word_behind(line.message, "for GPU "));
    const std::string_view mask = word_behind(line.message, " to ");
    if (gpu && !mask.empty() && once('a', line.host, std::to_string(*gpu)))
      log_.affinities.push_back({short_text(line.host), *gpu, short_text(mask)});
  }

  void read_counts(const ChannelCounts& counts) {
    const auto keep_larger = [](std::optional<std::uint32_t>& kept, const std::optional<std::uint32_t>& said) {
      if (said) kept = std::max(kept.value_or(0), *said);
    };
    keep_larger(log_.channels, counts.coll);
    keep_larger(log_.collnet_channels, counts.collnet);
    keep_larger(log_.nvls_channels, counts.nvls);
    keep_larger(log_.p2p_channels, counts.p2p);
  }

  void add_warning(std::string_view host, std::string_view text, std::uint32_t number) {
    std::string key(host);
    key.append(1, '\n').append(text.substr(0, 300));
    const auto [found, is_new] = warnings_.try_emplace(std::move(key), log_.warnings.size());
    if (!is_new) {
      log_.warnings[found->second].times++;
      return;
    }
    if (log_.warnings.size() < kMostWarnings) {
      log_.warnings.push_back({short_text(host), short_text(text), 1, {text_.file, number, 0}});
      return;
    }
    warnings_.erase(found);
    add_skipped(all_, "a warning of NCCL after a thousand others", {text_.file, number, 0});
  }

  /// Bus addresses become indices in their order: nodes of a cluster have the same ones.
  void index_devices() {
    std::set<std::uint64_t> addresses;
    for (const Bus& bus : buses_) addresses.insert({bus.from, bus.to});
    const std::vector<std::uint64_t> order(addresses.begin(), addresses.end());
    const auto index = [&](std::uint64_t address) {
      return static_cast<std::uint32_t>(std::lower_bound(order.begin(), order.end(), address) - order.begin());
    };
    for (const Bus& bus : buses_) {
      log_.connections[bus.connection].from_device = index(bus.from);
      log_.connections[bus.connection].to_device = index(bus.to);
    }
  }

  struct Bus {
    std::size_t connection = 0;
    std::uint64_t from = 0, to = 0;
  };

  const MeasuredText& text_;
  Measurements& all_;
  LibraryLog log_;
  std::unordered_set<std::string> seen_;
  std::unordered_map<std::string, std::size_t> warnings_;
  std::vector<Bus> buses_;
};

bool is_log(const MeasuredText& text) {
  return contains(text.text, "NCCL INFO ") || contains(text.text, "NCCL WARN ") ||
         contains(text.text, "Got completion from peer") || is_ras_report(text.text);
}

void read_log(const MeasuredText& text, Measurements& all) {
  Log log(text, all);
  const std::vector<NumberedLine> lines = printed::numbered_lines(text.text);
  for (const NumberedLine& line : lines) log.read_line(line);
  if (is_ras_report(text.text)) read_ras_report(lines, text.file, log.log());
  log.finish();
}

}  // namespace

}  // namespace railyard::nccl_log

namespace railyard {

std::vector<MeasuredReader> nccl_log_readers() { return {{"NCCL's debug log", nccl_log::is_log, nccl_log::read_log}}; }

}  // namespace railyard

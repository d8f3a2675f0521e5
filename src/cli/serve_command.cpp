#include "cli/serve_command.h"

#include <fmt/format.h>
#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <csignal>
#include <iostream>
#include <thread>

#include "base/printable.h"
#include "base/quantity_text.h"
#include "base/read_text.h"
#include "cli/output.h"
#include "cli/serve_texts.h"
#include "serve/http_server.h"

namespace railyard {

namespace {

struct ListenAt {
  std::string address;
  int port = 0;
};

/// "127.0.0.1:8421" or "[::1]:8421".
Result<ListenAt> read_listen(const std::string& text) {
  const std::size_t colon = text.find_last_of(':');
  ListenAt out;
  const char* const end = text.data() + text.size();
  const bool is_number = colon != std::string::npos && colon + 1 < text.size() &&
                         std::from_chars(text.data() + colon + 1, end, out.port).ptr == end && out.port >= 0 &&
                         out.port < 65536;
  out.address = text.substr(0, is_number ? colon : 0);
  if (out.address.size() > 2 && out.address.front() == '[' && out.address.back() == ']')
    out.address = out.address.substr(1, out.address.size() - 2);
  if (!out.address.empty()) return out;
  return Diagnostic{Severity::error,
                    "RY-WEB-031",
                    fmt::format("--listen {} is no address and port", printable(text)),
                    "write for instance 127.0.0.1:8421",
                    {}};
}

Result<std::uint64_t> read_memory(const ServeRequest& asked) {
  if (asked.memory.empty()) {
    const auto pages = static_cast<std::uint64_t>(std::max(sysconf(_SC_PHYS_PAGES), 1L)),
               size = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    return pages * size / 4 * 3 / asked.parallel;
  }
  const auto read = parse_quantity<Bytes>(asked.memory);
  if (read && read->count() >= (std::int64_t{64} << 20)) return static_cast<std::uint64_t>(read->count());
  return Diagnostic{Severity::error,
                    "RY-WEB-033",
                    fmt::format("--memory {} is no size that a run could do with", printable(asked.memory)),
                    "write at least 64 MiB: --memory '4 GiB'",
                    {}};
}

Diagnostic bad_token(const std::string& file, std::string why) {
  return {Severity::error,
          "RY-WEB-032",
          std::move(why),
          "write 16 letters and digits or more into a file that is yours alone",
          {file, 0, 0}};
}

Result<std::string> read_token(const std::string& file) {
  constexpr std::size_t kLargest = 4096, kShortest = 16;
  const auto text = read_text(file, kLargest);
  if (!text) return bad_token(file, "the token cannot be read");
  const std::string token = text->substr(0, text->find_last_not_of(" \r\n\t") + 1);
  const bool is_plain =
      std::all_of(token.begin(), token.end(), [](char c) { return c > ' ' && c < 127 && c != ';' && c != ',' && c != '"'; });
  if (token.size() < kShortest || !is_plain) return bad_token(file, "this is no token");
  return token;
}

/// The token that must be sent; empty where nobody else can ask anyway.
Result<std::string> token_for(const ServeRequest& asked, const ListenAt& where, const DataFolder& data, std::string& file) {
  file = asked.token_file;
  if (!file.empty()) return read_token(file);
  if (is_loopback(where.address)) return std::string();
  file = (data.root() / "token").string();
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored) && !write_whole(file, new_run_id() + "\n", 0600))
    return bad_token(file, "the token cannot be written");
  return read_token(file);
}

ServeLimits limits_of(const ServeRequest& asked, std::uint64_t memory) {
  ServeLimits out{.parallel = asked.parallel, .queue = asked.queue, .keep = asked.keep, .memory = memory};
  out.threads = std::max(1U, std::thread::hardware_concurrency() / asked.parallel);
  out.checks = std::max<std::size_t>(2, std::thread::hardware_concurrency());
  out.longest = std::chrono::seconds(asked.time_limit_s);
  return out;
}

/// SIGINT and SIGTERM, for as long as this lives, end the server instead of the program.
class EndSignals {
 public:
  EndSignals() {
    sigemptyset(&set_);
    sigaddset(&set_, SIGINT);
    sigaddset(&set_, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &set_, nullptr);
    std::signal(SIGPIPE, SIG_IGN);
  }
  void wait() const {
    int got = 0;
    sigwait(&set_, &got);
  }

 private:
  sigset_t set_;
};

void tell(const ListenAt& where, int port, const DataFolder& data, const std::string& token_file, bool quiet) {
  if (quiet) return;
  const bool is_ipv6 = where.address.find(':') != std::string::npos;
  std::cout << fmt::format("railyard serves http://{}:{}/ from {}\n", is_ipv6 ? "[" + where.address + "]" : where.address, port,
                           printable(data.root().string()));
  if (!token_file.empty()) std::cout << fmt::format("token: {}\n", printable(token_file));
  std::cout << "Ctrl-C ends it.\n" << std::flush;
}

}  // namespace

int serve_command(const Options& options) {
  const ServeRequest& asked = options.serve;
  const Result<ListenAt> where = read_listen(asked.listen);
  if (!where) return complain(where.error(), options);
  const Result<std::uint64_t> memory = read_memory(asked);
  if (!memory) return complain(memory.error(), options);
  const Result<DataFolder> data = DataFolder::open(asked.data);
  if (!data) return complain(data.error(), options);
  std::string token_file;
  const Result<std::string> token = token_for(asked, *where, *data, token_file);
  if (!token) return complain(token.error(), options);

  const EndSignals signals;  // before there are other threads
  const ServeLimits limits = limits_of(asked, *memory);
  RunQueue runs(*data, limits, run_child);
  Service service(*data, runs, served_texts(), {.token = *token, .names = asked.names}, limits, run_child);
  HttpServer server(service, runs, limits);
  const Result<int> port = server.bind(where->address, where->port);
  if (!port) return complain(port.error(), options);
  tell(*where, *port, *data, token_file, options.quiet);
  std::thread listening([&] { server.listen(); });
  signals.wait();
  runs.close();
  server.stop();
  listening.join();
  return kFine;
}

}  // namespace railyard

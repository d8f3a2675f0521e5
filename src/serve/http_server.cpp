#include "serve/http_server.h"

#include <fcntl.h>
#include <httplib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cctype>
#include <chrono>
#include <thread>

#include "base/json.h"

namespace railyard {

namespace {

constexpr std::size_t kThreads = 224;  // beside those of streams: a client that keeps its connection holds one
constexpr std::size_t kLongestPath = 512;
constexpr time_t kPatience = 10;  // seconds
constexpr auto kBetweenSigns = std::chrono::milliseconds(5000);

WebRequest request_from(const httplib::Request& from) {
  WebRequest out{.method = from.method, .path = from.path, .query = {}, .headers = {}, .body = from.body};
  for (const auto& [name, value] : from.params) out.query.emplace(name, value);
  for (const auto& [name, value] : from.headers) {
    std::string small = name;
    std::transform(small.begin(), small.end(), small.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    out.headers.emplace(std::move(small), value);
  }
  return out;
}

/// An open file, and how long it was then.
class OpenFile {
 public:
  explicit OpenFile(const std::filesystem::path& path) : descriptor_(open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC)) {
    struct stat found = {};
    if (descriptor_ >= 0 && fstat(descriptor_, &found) == 0 && S_ISREG(found.st_mode))
      size_ = static_cast<std::size_t>(found.st_size);
  }
  ~OpenFile() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  [[nodiscard]] bool is_open() const { return descriptor_ >= 0; }
  [[nodiscard]] std::size_t size() const { return size_; }

  bool send(std::size_t offset, std::size_t length, httplib::DataSink& sink) const {
    std::array<char, 65536> buffer;
    const ssize_t got = pread(descriptor_, buffer.data(), std::min(length, buffer.size()), static_cast<off_t>(offset));
    return got > 0 && sink.write(buffer.data(), static_cast<std::size_t>(got));
  }

 private:
  int descriptor_;
  std::size_t size_ = 0;
};

void send_file(const WebAnswer& answer, httplib::Response& to) {
  auto file = std::make_shared<OpenFile>(answer.file);
  if (!file->is_open()) {
    const WebAnswer gone = refusal(404, "RY-WEB-011", "there is no such run", "GET /api/v1/runs lists them");
    to.status = gone.status;
    return to.set_content(gone.body, gone.type);
  }
  if (file->size() == 0) return to.set_content("", answer.type);
  to.set_content_provider(file->size(), answer.type, [file](std::size_t offset, std::size_t length, httplib::DataSink& sink) {
    return file->send(offset, length, sink);
  });
}

/// The next event of a run. False where the reader is gone.
bool send_event(const RunQueue& runs, const std::string& id, std::optional<std::uint64_t>& version, httplib::DataSink& sink) {
  const std::optional<RunRecord> run = version ? runs.wait_for_change(id, *version, kBetweenSigns) : runs.find(id);
  if (!run) {
    sink.done();
    return true;
  }
  const bool is_new = version != run->version;
  const std::string text =
      is_new ? "event: state\ndata: " + write_compact_json(run_document(*run)) + "\n\n" : ": still there\n\n";
  version = run->version;
  if (!sink.write(text.data(), text.size())) return false;
  if (has_ended(run->state)) sink.done();
  return true;
}

void add_safe_headers(httplib::Response& to) {
  to.set_header("X-Content-Type-Options", "nosniff");
  to.set_header("Referrer-Policy", "no-referrer");
  to.set_header("Cross-Origin-Resource-Policy", "same-origin");
  to.set_header("Cache-Control", "no-store");
}

/// A port that another server has is refused; one whose connections are closing is not. The library would share it.
void take_port_alone(socket_t socket) {
  const int yes = 1;
  setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
}

/// A connection that is a text.
class TextStream : public httplib::Stream {
 public:
  explicit TextStream(std::string_view in) : in_(in) {}
  [[nodiscard]] bool is_readable() const override { return true; }
  [[nodiscard]] bool is_writable() const override { return true; }
  ssize_t read(char* to, std::size_t size) override {
    const std::size_t got = std::min(size, in_.size());
    std::copy_n(in_.data(), got, to);
    in_.remove_prefix(got);
    return static_cast<ssize_t>(got);
  }
  ssize_t write(const char* from, std::size_t size) override {
    out_.append(from, size);
    return static_cast<ssize_t>(size);
  }
  void get_remote_ip_and_port(std::string& ip, int& port) const override {
    ip = "127.0.0.1";
    port = 1;
  }
  void get_local_ip_and_port(std::string& ip, int& port) const override { get_remote_ip_and_port(ip, port); }
  [[nodiscard]] socket_t socket() const override { return INVALID_SOCKET; }
  [[nodiscard]] const std::string& written() const { return out_; }

 private:
  std::string_view in_;
  std::string out_;
};

}  // namespace

class HttpServer::Library : public httplib::Server {
 public:
  Library(Service& service, RunQueue& runs, const ServeLimits& limits) : service_(service), runs_(runs), limits_(limits) {
    new_task_queue = [streams = limits.streams] { return new httplib::ThreadPool(kThreads + streams); };
    set_payload_max_length(limits.largest_body);
    set_keep_alive_max_count(1000);
    set_keep_alive_timeout(kPatience / 2);
    set_read_timeout(kPatience);
    set_write_timeout(kPatience);
    set_socket_options(&take_port_alone);
    const auto handler = [this](const httplib::Request& from, httplib::Response& to) { handle(from, to); };
    for (const char* const any : {"/", "/.*"})
      Get(any, handler).Post(any, handler).Delete(any, handler).Put(any, handler).Patch(any, handler).Options(any, handler);
    set_pre_routing_handler([this](const httplib::Request& from, httplib::Response& to) { return look_at_head(from, to); });
    set_error_handler([](const httplib::Request&, httplib::Response& to) { explain(to); });
    set_exception_handler([](const httplib::Request&, httplib::Response& to, std::exception_ptr) { to.status = 500; });
  }

  /// After bind: the library lets five connections wait, and a burst of clients is more. Linux takes the last word.
  void let_many_wait() const { ::listen(svr_sock_, SOMAXCONN); }

  /// Whoever watches a run hears of the end first, so that what was sent is whole.
  void stop_after_streams() {
    constexpr std::chrono::milliseconds kLongest(2000), kStep(5);
    for (std::chrono::milliseconds waited(0); streams_ > 0 && waited < kLongest; waited += kStep)
      std::this_thread::sleep_for(kStep);
    stop();
  }

  std::string exchange(std::string_view bytes) {
    TextStream stream(bytes);
    bool is_closed = false;
    process_request(stream, true, is_closed, nullptr);
    return stream.written();
  }

 private:
  /// One of the streams that may be open at a time.
  class StreamSeat {
   public:
    StreamSeat(std::atomic<std::size_t>& taken, std::size_t most) : taken_(taken), is_free_(taken.fetch_add(1) < most) {}
    ~StreamSeat() { taken_.fetch_sub(1); }
    StreamSeat(const StreamSeat&) = delete;
    StreamSeat& operator=(const StreamSeat&) = delete;
    [[nodiscard]] bool is_free() const { return is_free_; }

   private:
    std::atomic<std::size_t>& taken_;
    bool is_free_;
  };

  /// Before a body is read: what the library would take without a bound is refused, and so is whoever may not ask.
  HandlerResponse look_at_head(const httplib::Request& from, httplib::Response& to) {
    std::optional<WebAnswer> refused;
    if (from.path.size() > kLongestPath)
      refused = refusal(414, "RY-WEB-006", "the request is too large", "send a smaller one");
    else if (from.has_header("Transfer-Encoding") || from.has_header("Content-Encoding") || from.has_header("Range") ||
             from.get_header_value("Content-Type").starts_with("multipart/"))
      refused = refusal(400, "RY-WEB-009", "this is no request that can be read",
                        "send a plain body with its Content-Length, and ask for whole answers");
    else
      refused = service_.turn_away(request_from(from));
    if (refused)
      send(*refused, to);
    else if (has_no_body(from))
      handle(from, to);
    else
      return HandlerResponse::Unhandled;
    return HandlerResponse::Handled;
  }

  /// Without a length there is no body (RFC 9112, 6.3); the library would read one until the client gives up.
  static bool has_no_body(const httplib::Request& from) {
    const bool may_have_one = from.method == "POST" || from.method == "PUT" || from.method == "PATCH";
    return may_have_one && !from.has_header("Content-Length");
  }

  void handle(const httplib::Request& from, httplib::Response& to) { send(service_.answer(request_from(from)), to); }

  void send(const WebAnswer& answer, httplib::Response& to) {
    add_safe_headers(to);
    to.status = answer.status;
    for (const auto& [name, value] : answer.headers) to.set_header(name.c_str(), value);
    if (!answer.events_of.empty())
      send_events(answer, to);
    else if (!answer.file.empty())
      send_file(answer, to);
    else if (!answer.body.empty())
      to.set_content(answer.body, answer.type);
  }

  void send_events(const WebAnswer& answer, httplib::Response& to) {
    auto seat = std::make_shared<StreamSeat>(streams_, limits_.streams);
    if (!seat->is_free()) {
      const WebAnswer full = refusal(429, "RY-WEB-013", "too many watch at a time", "ask for the state of the run instead");
      to.status = full.status;
      return to.set_content(full.body, full.type);
    }
    auto version = std::make_shared<std::optional<std::uint64_t>>();
    to.set_chunked_content_provider(answer.type,
                                    [this, id = answer.events_of, version, seat](std::size_t, httplib::DataSink& sink) {
                                      return send_event(runs_, id, *version, sink);
                                    });
  }

  /// What the library refuses by itself: what is not HTTP, or too long.
  static void explain(httplib::Response& to) {
    if (!to.body.empty() || to.status < 400) return;
    const bool is_large = to.status == 413 || to.status == 414;
    const WebAnswer told =
        is_large ? refusal(to.status, "RY-WEB-006", "the request is too large", "send a smaller one")
                 : refusal(to.status, "RY-WEB-009", "this is no request that can be read", "send one as HTTP/1.1 has it");
    to.set_content(told.body, told.type);
  }

  Service& service_;
  RunQueue& runs_;
  const ServeLimits limits_;
  std::atomic<std::size_t> streams_ = 0;
};

HttpServer::HttpServer(Service& service, RunQueue& runs, const ServeLimits& limits)
    : library_(std::make_unique<Library>(service, runs, limits)) {}
HttpServer::~HttpServer() = default;

Result<int> HttpServer::bind(const std::string& address, int port) {
  const int got = port == 0 ? library_->bind_to_any_port(address) : library_->bind_to_port(address, port) ? port : -1;
  if (got > 0) {
    library_->let_many_wait();
    return got;
  }
  return Diagnostic{Severity::error,
                    "RY-WEB-031",
                    "the server cannot listen on " + address + ":" + std::to_string(port),
                    "use another address or port: --listen 127.0.0.1:0 takes any that is free",
                    {}};
}

void HttpServer::listen() { library_->listen_after_bind(); }
void HttpServer::stop() { library_->stop_after_streams(); }
std::string HttpServer::exchange(std::string_view bytes) { return library_->exchange(bytes); }

}  // namespace railyard

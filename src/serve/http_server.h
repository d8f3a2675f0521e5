// The service on a socket. The only place that sees the library of HTTP.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "serve/service.h"

namespace railyard {

/// A server that answers from several threads.
class HttpServer {
 public:
  HttpServer(Service& service, RunQueue& runs, const ServeLimits& limits);
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  /// The port that it listens on; 0 asks for any that is free. RY-WEB-031 if it cannot.
  Result<int> bind(const std::string& address, int port);
  /// Until stop(). REQUIRES: bind() gave a port.
  void listen();
  /// May be called by any thread. Streams that are at their end, as all are once the queue of runs is closed, are let end.
  void stop();

  /// Bytes as they might come over a socket, to what would go back: for tests and the fuzzer.
  std::string exchange(std::string_view bytes);

 private:
  class Library;
  std::unique_ptr<Library> library_;
};

}  // namespace railyard

// Text as a gzip stream, bit by bit.
#pragma once

#include <memory>
#include <string_view>

#include "export/trace_events.h"

namespace railyard {

/// The same text makes the same bytes: no time and no name is in them.
class GzipStream {
 public:
  explicit GzipStream(TextSink sink);
  ~GzipStream();

  void write(std::string_view text);
  void finish();

 private:
  struct State;
  void deflate_waiting(bool last);

  TextSink sink_;
  std::unique_ptr<State> state_;
};

}  // namespace railyard

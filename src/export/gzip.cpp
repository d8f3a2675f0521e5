#include "export/gzip.h"

#include <zlib.h>

#include <array>
#include <string>

#include "base/check.h"

namespace railyard {

namespace {

constexpr std::size_t kBlock = std::size_t{1} << 16;

}  // namespace

struct GzipStream::State {
  z_stream stream = {};
  std::string waiting;
};

GzipStream::GzipStream(TextSink sink) : sink_(std::move(sink)), state_(std::make_unique<State>()) {
  constexpr int kGzip = 16 + MAX_WBITS, kMemory = 8;  // zlib's words for "with a gzip header" and its default
  constexpr int kLevel = 2;                           // a third of the time that 6 takes, for a fifth more bytes
  const int status = deflateInit2(&state_->stream, kLevel, Z_DEFLATED, kGzip, kMemory, Z_DEFAULT_STRATEGY);
  RY_CHECK(status == Z_OK, "zlib has memory for its window");
}

GzipStream::~GzipStream() { deflateEnd(&state_->stream); }

void GzipStream::write(std::string_view text) {
  state_->waiting += text;
  if (state_->waiting.size() >= kBlock) deflate_waiting(false);
}

void GzipStream::finish() { deflate_waiting(true); }

void GzipStream::deflate_waiting(bool last) {
  z_stream& stream = state_->stream;
  stream.next_in = reinterpret_cast<Bytef*>(state_->waiting.data());
  stream.avail_in = static_cast<uInt>(state_->waiting.size());
  std::array<char, kBlock> out;
  do {
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    const int status = deflate(&stream, last ? Z_FINISH : Z_NO_FLUSH);
    RY_CHECK(status != Z_STREAM_ERROR, "a stream is in order");
    sink_(std::string_view(out.data(), out.size() - stream.avail_out));
  } while (stream.avail_out == 0);
  state_->waiting.clear();
}

}  // namespace railyard

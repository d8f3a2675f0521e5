// Chakra's traces as protobuf: a length and a message, again and again. The only place that sees the library.
#include <chakra.pb.h>
#include <fmt/format.h>

#include <string>

#include "trace/chakra.h"

namespace railyard::chakra_trace {

namespace {

namespace proto = railyard::chakra;

constexpr std::uint64_t kLargestMessage = std::uint64_t{64} << 20;
constexpr std::size_t kLongestLength = 5;  // bytes

enum class Next : std::uint8_t { message, end, broken };

/// The next message, which stays in `bytes` until the next call; `size` is how long it is.
Next next_message(BufferedBytes& bytes, std::string_view& message) {
  const std::string_view head = bytes.peek(kLongestLength);
  if (head.empty()) return bytes.is_broken() ? Next::broken : Next::end;
  std::uint64_t length = 0;
  std::size_t used = 0;
  do {
    if (used == head.size()) return Next::broken;
    length |= static_cast<std::uint64_t>(static_cast<unsigned char>(head[used]) & 0x7fU) << (7 * used);
  } while ((static_cast<unsigned char>(head[used++]) & 0x80U) != 0);
  if (length > kLargestMessage) return Next::broken;
  bytes.skip(used);
  message = bytes.peek(length);
  return message.size() == length ? Next::message : Next::broken;
}

/// A number, whichever type it was written in.
std::optional<std::int64_t> number_in_value(const proto::Value& value) {
  switch (value.is_case()) {
    case proto::Value::kAsDouble:
      return value.as_double() >= 0 && value.as_double() < 1e18 ? std::optional(static_cast<std::int64_t>(value.as_double()))
                                                                : std::nullopt;
    case proto::Value::kAsFloat:
      return value.as_float() >= 0 && value.as_float() < 1e18F ? std::optional(static_cast<std::int64_t>(value.as_float()))
                                                               : std::nullopt;
    case proto::Value::kAsInt32:
      return value.as_int32();
    case proto::Value::kAsInt64:
      return value.as_int64();
    case proto::Value::kAsUint32:
      return value.as_uint32();
    case proto::Value::kAsUint64:
      return static_cast<std::int64_t>(value.as_uint64());
    case proto::Value::kAsSint32:
      return value.as_sint32();
    case proto::Value::kAsSint64:
      return value.as_sint64();
    case proto::Value::kAsFixed32:
      return value.as_fixed32();
    case proto::Value::kAsFixed64:
      return static_cast<std::int64_t>(value.as_fixed64());
    case proto::Value::kAsSfixed32:
      return value.as_sfixed32();
    case proto::Value::kAsSfixed64:
      return value.as_sfixed64();
    case proto::Value::kAsBool:
      return value.as_bool() ? 1 : 0;
    default:
      return std::nullopt;
  }
}

void take_value(const proto::Value& value, Item& item) {
  const std::string& name = value.name();
  if (name == "is_cpu_op") item.is_cpu_op = number_in_value(value).value_or(0) != 0;
  if (name == "comm_type") item.comm_type = number_in_value(value);
  if (name == "comm_size") item.comm_size = number_in_value(value);
  if (name == "comm_src") item.comm_src = number_in_value(value);
  if (name == "comm_dst") item.comm_dst = number_in_value(value);
  if (name == "comm_tag") item.comm_tag = number_in_value(value);
  if (name == "pg_name" && value.is_case() == proto::Value::kAsText) item.group = value.as_text();
}

Item item_of(const proto::Item& message) {
  Item item{.id = message.id(), .type = message.type(), .duration_us = message.duration_us()};
  item.before.assign(message.ctrl_deps().begin(), message.ctrl_deps().end());
  item.before.insert(item.before.end(), message.data_deps().begin(), message.data_deps().end());
  for (const proto::Value& value : message.attr()) take_value(value, item);
  if (item.type == kMetadata) item.inputs = message.inputs().values();
  return item;
}

}  // namespace

void read_messages(BufferedBytes& bytes, Builder& out) {
  proto::Item message;
  std::string_view text;
  std::uint64_t number = 0;
  for (Next next = next_message(bytes, text); next != Next::end; next = next_message(bytes, text), number++) {
    if (next == Next::broken)
      return out.mistake("RY-TRC-002", fmt::format("the file breaks off in or after message {}", number),
                         "check that it is whole, and a Chakra trace");
    const bool is_head = number == 0;
    proto::Head head;
    const bool fits = is_head ? head.ParseFromArray(text.data(), static_cast<int>(text.size()))
                              : message.ParseFromArray(text.data(), static_cast<int>(text.size()));
    if (!fits)
      return out.mistake("RY-TRC-002", fmt::format("message {} is no part of a Chakra trace", number), "check the file");
    bytes.skip(text.size());
    if (!is_head) out.add(item_of(message));
    if (out.is_hopeless()) return;
  }
  if (number == 0) out.mistake("RY-TRC-002", "this trace is empty", "check the file");
}

}  // namespace railyard::chakra_trace

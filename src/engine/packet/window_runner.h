// Who plays the windows of a LookaheadScheduler: threads of the processor, or a GPU.
#pragma once

#include <cstdint>

#include "engine/packet/packet.h"

namespace railyard::packet {

class LookaheadScheduler;

/// The one thing that LookaheadScheduler leaves open. What each call means is said there.
class WindowRunner {
 public:
  WindowRunner() = default;
  virtual ~WindowRunner() = default;
  WindowRunner(const WindowRunner&) = delete;
  WindowRunner& operator=(const WindowRunner&) = delete;

  virtual void offer(std::uint32_t flow) = 0;
  virtual void run(Time until, bool stop_at_delivery, Time change) = 0;
  virtual void move(std::uint32_t flow, std::uint32_t port, Time now) = 0;
  virtual void pause(std::uint32_t port, std::uint8_t name, bool xoff, Time at) = 0;
  virtual void change_host(std::uint32_t node, std::int64_t rate, bool stuck, Time now) = 0;
  virtual void lose_frames(std::uint32_t port) = 0;
  /// The rows of the network are as they are at the edge. Somebody will look at them.
  virtual void bring_rows() = 0;
  [[nodiscard]] virtual Time edge() = 0;
  [[nodiscard]] virtual Time next() = 0;
  [[nodiscard]] virtual bool is_livelocked() const = 0;
};

}  // namespace railyard::packet

// Rows of which a process may need some alone: memory of the others is never touched, so that the system does not give it.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <type_traits>

#include "base/large_array.h"

namespace railyard::packet {

/// Room for rows. Whoever wants a row begins it; what was not begun is not looked at.
template<class Row>
class RowStore {
  static_assert(std::is_trivially_copyable_v<Row> && std::is_trivially_destructible_v<Row>);

 public:
  /// Room for so many rows. Those that were begun are forgotten where there is another number of them.
  void make_room(std::size_t rows) {
    if (rows == size_) return;
    size_ = 0;
    rows_.reset();
    rows_ = Memory(static_cast<Row*>(allocate_large(rows * sizeof(Row))), Release{rows * sizeof(Row)});
    size_ = rows;
  }
  void begin(std::size_t index, const Row& row) { new (rows_.get() + index) Row(row); }
  void begin_all(const Row& row) {
    for (std::size_t index = 0; index < size_; index++) begin(index, row);
  }

  [[nodiscard]] Row& operator[](std::size_t index) { return rows_.get()[index]; }
  [[nodiscard]] const Row& operator[](std::size_t index) const { return rows_.get()[index]; }
  [[nodiscard]] Row* data() { return rows_.get(); }
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  struct Release {
    std::size_t bytes = 0;
    void operator()(Row* rows) const { free_large(rows, bytes); }
  };
  using Memory = std::unique_ptr<Row, Release>;

  Memory rows_;
  std::size_t size_ = 0;
};

}  // namespace railyard::packet

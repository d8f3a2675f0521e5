// Handles and the tables they index: how modules refer to each other's rows without pointers.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/large_array.h"

namespace railyard {

/// A 32-bit handle into a Table. The tag stops a PortId from indexing a table of nodes.
template<class Tag>
class Id {
 public:
  constexpr Id() = default;
  constexpr explicit Id(std::uint32_t index) : index_(index) {}

  [[nodiscard]] constexpr std::uint32_t index() const { return index_; }
  [[nodiscard]] constexpr bool valid() const { return index_ != kNone; }

  friend constexpr auto operator<=>(Id, Id) = default;

 private:
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
  std::uint32_t index_ = kNone;
};

using NodeId = Id<struct NodeTag>;            // host or switch
using PortId = Id<struct PortTag>;            // one direction of one link: the egress queue and its wire
using TrunkId = Id<struct TrunkTag>;          // ports that share the same traffic (fabric/fabric.h)
using BlockId = Id<struct BlockTag>;          // switches that serve the same hosts (fabric/fabric.h)
using InterfaceId = Id<struct InterfaceTag>;  // the NIC ports that one or several endpoints speak through
using EndpointId = Id<struct EndpointTag>;    // a GPU, or a host without one: what sources and sinks traffic
using RankId = Id<struct RankTag>;
using QpId = Id<struct QpTag>;  // an open queue pair inside one engine
using MessageId = Id<struct MessageTag>;
using TransferId = Id<struct TransferTag>;  // one line of a collective's schedule
using PositionId = Id<struct PositionTag>;  // a rank's place in its group, 0 … n-1

/// A column: a vector that only its own id type may index. Access is checked in every build.
template<class IdType, class T>
class Table {
 public:
  Table() = default;
  explicit Table(std::size_t size, T value = T{}) : rows_(size, value) {}

  IdType push(T value) {
    RY_CHECK(rows_.size() < std::numeric_limits<std::uint32_t>::max(), "a table holds fewer than 2^32 - 1 rows");
    rows_.push_back(std::move(value));
    return IdType(static_cast<std::uint32_t>(rows_.size() - 1));
  }
  void reserve(std::size_t rows) { rows_.reserve(rows); }

  [[nodiscard]] T& operator[](IdType id) {
    RY_CHECK(id.index() < rows_.size(), "an id indexes a row of its own table");
    return rows_[id.index()];
  }
  [[nodiscard]] const T& operator[](IdType id) const {
    RY_CHECK(id.index() < rows_.size(), "an id indexes a row of its own table");
    return rows_[id.index()];
  }
  [[nodiscard]] std::size_t size() const { return rows_.size(); }
  [[nodiscard]] bool empty() const { return rows_.empty(); }

  auto begin() { return rows_.begin(); }
  auto end() { return rows_.end(); }
  auto begin() const { return rows_.begin(); }
  auto end() const { return rows_.end(); }

 private:
  LargeArray<T> rows_;
};

/// The ids first, first+1, … of a run of neighbouring rows.
template<class IdType>
class IdRange {
 public:
  class Iterator {
   public:
    constexpr explicit Iterator(std::uint32_t index) : index_(index) {}
    constexpr IdType operator*() const { return IdType(index_); }
    constexpr Iterator& operator++() { return index_++, *this; }
    friend constexpr bool operator==(Iterator, Iterator) = default;

   private:
    std::uint32_t index_;
  };

  constexpr IdRange() = default;
  constexpr IdRange(IdType first, std::uint32_t size) : first_(first.index()), size_(size) {}

  [[nodiscard]] constexpr std::uint32_t size() const { return size_; }
  [[nodiscard]] constexpr bool empty() const { return size_ == 0; }
  [[nodiscard]] constexpr IdType front() const { return (*this)[0]; }
  [[nodiscard]] constexpr IdType operator[](std::uint32_t i) const {
    RY_CHECK(i < size_, "an index lies inside its range");
    return IdType(first_ + i);
  }
  [[nodiscard]] constexpr Iterator begin() const { return Iterator(first_); }
  [[nodiscard]] constexpr Iterator end() const { return Iterator(first_ + size_); }

 private:
  std::uint32_t first_ = 0;
  std::uint32_t size_ = 0;
};

/// Every id of a table, in order.
template<class IdType, class T>
IdRange<IdType> ids(const Table<IdType, T>& table) {
  return IdRange<IdType>(IdType(0), static_cast<std::uint32_t>(table.size()));
}

}  // namespace railyard

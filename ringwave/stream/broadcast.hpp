// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include "ringwave/stream/packet.hpp"

namespace ringwave::stream {

/// The last seconds of a station in one format, or of what is to be known about it. Threads publish;
/// listeners read, each at a place of its own, and none of them can hold up another or a publisher.
class Broadcast {
 public:
  /// Keeps so many packets. Throws InvalidArgument for none. [setup]
  explicit Broadcast(std::size_t history);
  Broadcast(const Broadcast&) = delete;  // many threads hold it by reference
  Broadcast& operator=(const Broadcast&) = delete;

  /// The next packet; gives it its sequence, and returns that. [server]
  std::uint64_t publish(Packet packet);
  /// What was before is not to be heard any more: the station stopped. [server]
  void forget();

  /// The sequence that the next packet will have. [any]
  [[nodiscard]] std::uint64_t end() const noexcept { return end_.load(std::memory_order_acquire); }
  /// Of the oldest that is kept; end() where there is none. [server]
  [[nodiscard]] std::uint64_t begin() const;

  /// Where a reader goes on whose next packet is gone.
  enum class Gap : unsigned char { to_oldest, to_newest };
  /// Packets that were read: so many, the first of them with this sequence. Who reads goes on behind the
  /// last.
  struct Reading {
    std::uint64_t first = 0;
    std::size_t count = 0;

    [[nodiscard]] std::uint64_t end() const noexcept { return first + count; }
  };
  /// Reads from a sequence on, as many packets as there are and fit. Where that one is not kept any more it
  /// begins with another, or at end() where none is kept: nobody waits for a packet that will not come.
  /// [server]
  Reading read(std::uint64_t from, std::span<PacketPtr> packets, Gap gap) const;
  /// True where read() would give something. Never waits. [any]
  [[nodiscard]] bool has(std::uint64_t from) const noexcept;

 private:
  [[nodiscard]] std::uint64_t oldest() const noexcept;

  mutable std::mutex mutex_;
  std::vector<PacketPtr> ring_;
  std::atomic<std::uint64_t> end_{0};
  std::atomic<std::uint64_t> forgotten_{0};  // packets before this one are not given any more
};

}  // namespace ringwave::stream

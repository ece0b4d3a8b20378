// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "ringwave/stream/broadcast.hpp"
#include "ringwave/stream/packet.hpp"

namespace ringwave::stream {

/// One who hears a station: a place in its broadcast, and nothing else. It takes packets when it can; where
/// it falls so far behind that the next one is gone, it is moved to the newest, or to the end where the
/// station has stopped, and the gap is counted. It belongs to one thread at a time; destroying it leaves the
/// station.
class Listener {
 public:
  struct Spec {
    std::shared_ptr<const Broadcast> sound;
    std::shared_ptr<const Broadcast> news;
    std::vector<std::byte> header{};               ///< of the format
    std::size_t packets_behind = 0;                ///< where it begins, as far as they are kept
    std::uint64_t first_news = 0;                  ///< sequence
    std::function<void(const Listener&)> leave{};  ///< called at the end
  };

  /// Made by Studio::listen(). [server]
  explicit Listener(Spec spec);
  ~Listener();
  Listener(const Listener&) = delete;  // one place, one listener
  Listener& operator=(const Listener&) = delete;

  /// What comes before the first packet: the header of the format. [any]
  [[nodiscard]] std::span<const std::byte> header() const noexcept { return spec_.header; }

  /// True where take() would give something. Never waits. [any]
  [[nodiscard]] bool has_packets() const noexcept { return spec_.sound->has(next_); }
  /// The next packets in order, up to packets.size(); their number. [server]
  std::size_t take(std::span<PacketPtr> packets);

  /// The same for text messages about the station: `phrase` and `settings`, as packets of UTF-8. [server]
  [[nodiscard]] bool has_news() const noexcept { return spec_.news->has(next_news_); }
  std::size_t take_news(std::span<PacketPtr> news);

  /// Packets that were never taken because it was too slow. [any]
  [[nodiscard]] std::uint64_t skipped() const noexcept { return skipped_; }
  [[nodiscard]] std::uint64_t taken() const noexcept { return taken_; }

 private:
  Spec spec_;
  std::uint64_t next_;
  std::uint64_t next_news_;
  std::uint64_t skipped_ = 0;
  std::uint64_t taken_ = 0;
};

}  // namespace ringwave::stream

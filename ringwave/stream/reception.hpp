// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "ringwave/stream/delay_histogram.hpp"

namespace ringwave::stream {

/// What one listener saw of a stream: what was lost or came again, and how late.
///
/// With  d = t - s / 48000  for a frame of sample time s that arrives at time t, a frame is late by
///
///   d - B,  where B is the smallest d of the first 2 s after the first frame, and never below 0.
///
/// So neither the offset between the two clocks nor the way that every frame has to go counts; what counts is
/// by how much a frame came later than the best of those two seconds. The clocks' drift does count: over a
/// network it is some milliseconds in an hour. A listener who joins gets the past at once: the frames of the
/// first half second that are more than 20 ms above B, up to the first that is not, are this burst, and are
/// not rated. Jitter is RFC 3550's, of the frames that are rated:  J += (|d - d'| - J) / 16.
class Reception {
 public:
  using Time = std::chrono::steady_clock::time_point;

  /// One frame, page or message.
  struct Arrival {
    std::uint32_t sequence = 0;
    std::uint64_t sample_time = 0;
    std::uint32_t frames = 960;  ///< that it is long
    std::size_t bytes = 0;
    bool is_discontinuous = false;  ///< the stream had stopped before it
    Time at{};
  };

  enum class Verdict : unsigned char {
    taken,
    after_gap,  ///< taken, and something before it is missing
    repeated,   ///< was there before, or is out of order: not to be played
  };

  /// `lateness` may be that of many listeners of one thread, and outlives them. [any]
  explicit Reception(DelayHistogram& lateness) noexcept : lateness_(&lateness) {}

  /// A connection is asked for. The one before, if there was one, is over: sequences begin anew, and what is
  /// missing in between, or comes again, is told by the sample times. [any]
  void connect(Time now) noexcept;
  /// Cheap, and without any allocation. [any]
  Verdict receive(const Arrival& arrival) noexcept;
  /// Rates what was not rated yet, because B was not known. [any]
  void finish() noexcept;

  [[nodiscard]] std::uint64_t frames() const noexcept { return frames_; }
  /// Gaps in sequence, in frames; and those in time where the stream had stopped. [any]
  [[nodiscard]] std::uint64_t lost() const noexcept { return lost_; }
  /// Again or out of order; what a new connection brings again is none of these. [any]
  [[nodiscard]] std::uint64_t repeated() const noexcept { return repeated_; }
  [[nodiscard]] std::uint64_t bytes() const noexcept { return bytes_; }
  [[nodiscard]] std::uint64_t connections() const noexcept { return connections_; }
  [[nodiscard]] double jitter_seconds() const noexcept { return jitter_seconds_; }
  /// Of the last frame that was rated. [any]
  [[nodiscard]] DelayHistogram::Delay last_lateness() const noexcept { return last_lateness_; }
  /// From the first connect() to the first frame. [any]
  [[nodiscard]] std::optional<DelayHistogram::Delay> first_frame_delay() const noexcept {
    return first_frame_delay_;
  }
  /// What a player that began with this connection's first frame would have in hand. [any]
  [[nodiscard]] double depth_seconds(Time now) const noexcept;

 private:
  using Delay = DelayHistogram::Delay;
  static constexpr Delay kWindow = std::chrono::seconds(2);
  static constexpr Delay kBurst = std::chrono::milliseconds(500);
  static constexpr Delay kBurstAbove = std::chrono::milliseconds(20);
  static constexpr std::size_t kKept =
      128;  // two seconds of frames of 20 ms; what is before them is the burst

  [[nodiscard]] Verdict join(const Arrival& arrival) noexcept;
  [[nodiscard]] Verdict follow(const Arrival& arrival) noexcept;
  [[nodiscard]] Verdict take(const Arrival& arrival, bool has_gap) noexcept;
  void time(const Arrival& arrival) noexcept;
  void begin_window(const Arrival& arrival) noexcept;
  void settle() noexcept;
  void rate(Delay difference) noexcept;

  DelayHistogram* lateness_;
  std::uint64_t frames_ = 0;
  std::uint64_t lost_ = 0;
  std::uint64_t repeated_ = 0;
  std::uint64_t bytes_ = 0;
  std::uint64_t connections_ = 0;
  std::optional<Time> asked_at_;
  std::optional<Delay> first_frame_delay_;

  bool joined_ = false;       // this connection has brought a frame
  bool catching_up_ = false;  // it begins with what the one before has brought
  std::uint32_t next_sequence_ = 0;
  std::optional<std::uint64_t> next_time_;  // sample time that should come
  std::uint64_t join_time_ = 0;             // sample time of this connection's first frame
  Time join_at_{};

  std::array<Delay, kKept> window_{};
  std::size_t window_frames_ = 0;
  std::size_t burst_frames_ = 0;  // that came within kBurst
  bool settled_ = false;
  std::uint64_t origin_time_ = 0;  // both of the window's first frame
  Time origin_at_{};
  Delay base_{0};
  std::optional<Delay> last_difference_;
  Delay last_lateness_{0};
  double jitter_seconds_ = 0;
};

}  // namespace ringwave::stream

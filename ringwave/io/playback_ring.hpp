// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <span>

#include "ringwave/core/block_view.hpp"
#include "ringwave/core/realtime.hpp"
#include "ringwave/core/spsc_ring.hpp"

namespace ringwave::io {

/// Finished stereo frames on their way from the thread that makes them, ahead of time, to the one that must
/// have them now. What is not there in time becomes silence and is counted; frames are late then, not lost.
class PlaybackRing {
 public:
  static constexpr int kLargestBlock = 8192;  ///< that a player takes at once: JACK's limit

  /// The writer may be so many frames ahead, or two blocks of the player where these are more. Throws
  /// InvalidArgument for fewer than one. [setup]
  explicit PlaybackRing(int lead_frames);

  /// Appends left and right as far as there is room, and returns how many frames. Writer only. [any]
  int write(BlockView<const float> stereo) noexcept;
  /// Nothing follows. Writer only. [any]
  void finish() noexcept;
  /// There is no room, or nothing follows. [any]
  [[nodiscard]] bool is_filled() const noexcept;

  /// From here on play() takes frames; before, it gives silence. [any]
  void begin() noexcept;
  /// The next frames, and silence for what is not there. Player only. [audio]
  RW_REALTIME void play(std::span<float> left, std::span<float> right) noexcept;
  /// All has been played, and after it at least one block of silence, so that a player that is switched off
  /// now cuts nothing. [any]
  [[nodiscard]] bool is_over() const noexcept { return over_.load(std::memory_order_acquire); }

  /// Frames that were there. [any]
  [[nodiscard]] std::int64_t played_frames() const noexcept {
    return played_.load(std::memory_order_relaxed);
  }
  /// Blocks that lacked frames, but for the last one. [any]
  [[nodiscard]] std::int64_t underruns() const noexcept { return underruns_.load(std::memory_order_relaxed); }

 private:
  [[nodiscard]] std::size_t lead() const noexcept;

  std::size_t lead_frames_;
  // The right channel is the last to be written and the last to be read, so its size holds for both.
  SpscRing<float> left_;
  SpscRing<float> right_;
  std::atomic<std::size_t> block_frames_{0};  // of the player's last block; PipeWire changes it as it likes
  std::atomic<bool> begun_{false};
  std::atomic<bool> finished_{false};
  std::atomic<bool> over_{false};
  std::atomic<std::int64_t> played_{0};
  std::atomic<std::int64_t> underruns_{0};
};

}  // namespace ringwave::io

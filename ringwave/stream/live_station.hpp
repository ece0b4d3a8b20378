// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "ringwave/core/realtime.hpp"
#include "ringwave/core/spsc_ring.hpp"
#include "ringwave/synth/performer.hpp"
#include "ringwave/synth/renderer.hpp"
#include "ringwave/synth/station_effects.hpp"

namespace ringwave::stream {

/// A station while it plays, between the thread that composes and encodes, its owner, and the one that
/// renders. Neither waits for the other. Its clock begins at 0 with its first block.
class LiveStation {
 public:
  static constexpr int kVoices = 16;
  static constexpr int kSpares = 4;

  struct Phrase {
    std::int64_t begin_frame = 0;
    std::vector<synth::Performer::Note> notes;
    synth::StationEffects effects{};  ///< from begin_frame on
  };

  /// In a slot of a renderer. Room for `ring_blocks` blocks that were not read. [setup]
  LiveStation(int slot, const synth::Renderer::Spec& renderer, int ring_blocks, Phrase first);
  ~LiveStation();
  LiveStation(const LiveStation&) = delete;  // two threads hold it by reference
  LiveStation& operator=(const LiveStation&) = delete;

  // The owner's.

  /// What is played next; false where it has not yet taken those before. [server]
  [[nodiscard]] bool offer(std::unique_ptr<Phrase> phrase);
  /// A block of samples, left and right in turn, and the frame where it begins, which is later than the end
  /// of the one before where there was no room: from then on blocks are left out until half of the room is
  /// free, so that there is one gap and not many. Nothing where it is not there yet. [server]
  [[nodiscard]] std::optional<std::int64_t> read(std::span<std::int16_t> block) noexcept;
  /// Frames that were submitted to be rendered. [any]
  [[nodiscard]] std::int64_t clock() const noexcept { return clock_.load(std::memory_order_acquire); }
  /// Blocks for which there was no room. [any]
  [[nodiscard]] std::uint64_t dropped() const noexcept { return dropped_.load(std::memory_order_relaxed); }
  /// The renderer is done with it, and it may be destroyed. [any]
  [[nodiscard]] bool has_ended() const noexcept { return ended_.load(std::memory_order_acquire); }

  // The renderer's.

  /// [audio]
  RW_REALTIME [[nodiscard]] Status start(synth::Renderer& renderer) noexcept;
  /// Appends what happens in the next block; gives the renderer new effects where they are due. [audio]
  void perform(synth::Renderer& renderer, int frames, std::vector<synth::VoiceEvent>& events) noexcept;
  /// A block that begins at a frame of the renderer's clock; nothing where that is before its start. [audio]
  RW_REALTIME void hear(const synth::Renderer& renderer, std::int64_t block_begin) noexcept;
  RW_REALTIME void end() noexcept { ended_.store(true, std::memory_order_release); }
  [[nodiscard]] int slot() const noexcept { return slot_; }

 private:
  int slot_;
  synth::Performer performer_;
  synth::StationEffects effects_;
  std::unique_ptr<Phrase> next_;  // taken, and not yet begun
  SpscRing<Phrase*> phrases_;
  SpscRing<Phrase*> used_;
  SpscRing<std::int16_t> samples_;
  SpscRing<std::int64_t> begins_;  // of each block of samples_
  bool is_leaving_out_ = false;
  std::int64_t heard_ = 0;        // frames
  std::int64_t start_frame_ = 0;  // of the renderer's clock
  std::atomic<std::int64_t> clock_{0};
  std::atomic<std::uint64_t> dropped_{0};
  std::atomic<bool> ended_{false};
};

}  // namespace ringwave::stream

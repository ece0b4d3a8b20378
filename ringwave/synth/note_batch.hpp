// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "ringwave/backend/workload.hpp"
#include "ringwave/core/buffer.hpp"
#include "ringwave/core/device.hpp"
#include "ringwave/core/queue.hpp"
#include "ringwave/synth/patch.hpp"

namespace ringwave::synth {

class NoteBatchTwin;
struct NoteBatchRequest;

/// Plays notes from their beginning on, many at once and each by its own patch, for who needs sounds and not
/// music: a sampler's library, a network's training.
///
///   NoteBatch batch(Device::automatic(), {.notes = 512, .frames = 4 * 48000});
///   Queue queue(batch.device());
///   Buffer<float> samples(batch.device(), batch.floats());
///   batch.render(queue, patches, notes, samples);  // one note after the other, each left, right, left, …
///   samples.host(queue);                           // or samples.device(queue), where they are
///
/// It is what a voice of a Renderer plays, without a station's effects.
class NoteBatch {
 public:
  static constexpr std::string_view kName = "note_batch";

  struct Spec {
    int notes = 128;             ///< at most, 1 to 65536
    int frames = 192000;         ///< of each, 1 to 2^24
    int sample_rate_hz = 48000;  ///< 8000 to 192000
  };

  struct Note {
    int patch = 0;            ///< of those that come with it
    float key = 60;           ///< semitones, 0 to 127
    float velocity = 1;       ///< 0 to 1
    float pan = 0;            ///< -1 to 1
    std::uint32_t seed = 1;   ///< of its noise and of where its waves begin
    int held_frames = 48000;  ///< until it is let go, 0 and more
  };
  using Request = NoteBatchRequest;
  using Twin = NoteBatchTwin;

  /// Throws InvalidArgument for a number out of range, DeviceUnavailable, OutOfMemory. [setup]
  NoteBatch(Device device, const Spec& spec);
  ~NoteBatch();
  NoteBatch(NoteBatch&&) noexcept;
  NoteBatch& operator=(NoteBatch&&) noexcept;

  /// Plays `notes` into the beginning of `samples`, on this op's device, after what `queue` has to do, and
  /// waits for it. Throws InvalidArgument for more notes than there is room for, a note out of range, a patch
  /// that is not there or whose slow oscillators move each other in a circle, and a buffer that is too small
  /// or of another device; DeviceLost. [setup]
  void render(Queue& queue, std::span<const Patch> patches, std::span<const Note> notes,
              Buffer<float>& samples);

  /// Of the largest batch. [any]
  [[nodiscard]] std::size_t floats() const noexcept { return floats_of(spec_.notes); }
  [[nodiscard]] const Spec& spec() const noexcept { return spec_; }
  /// Where it runs; never `auto`. [any]
  [[nodiscard]] Device device() const noexcept { return device_; }

  /// What the tuner and the tests know of it. [setup]
  [[nodiscard]] static backend::OpInfo info();

 private:
  [[nodiscard]] std::size_t floats_of(int notes) const noexcept {
    return static_cast<std::size_t>(notes) * static_cast<std::size_t>(spec_.frames) * 2;
  }

  Spec spec_;
  Device device_;
  std::unique_ptr<NoteBatchTwin> twin_;
};

}  // namespace ringwave::synth

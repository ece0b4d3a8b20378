// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>

#include "ringwave/core/device.hpp"
#include "ringwave/core/queue.hpp"
#include "ringwave/synth/note_batch.hpp"
#include "ringwave/synth/voice_math.hpp"

namespace ringwave::synth {

struct NoteBatchRequest {
  int notes = 1;
  int frames = 1;
};

/// What the twins of a batch of notes implement. The public class has checked all that comes in.
class NoteBatchTwin {
 public:
  virtual ~NoteBatchTwin() = default;

  /// Plays note n into samples[n][frame][side], in the device's memory, in `queue`'s order, and waits.
  /// [setup]
  virtual void render(Queue& queue, std::span<const VoiceRule::Constants> patches,
                      std::span<const NoteBatch::Note> notes, float* samples) = 0;
};

[[nodiscard]] std::unique_ptr<NoteBatchTwin> make_note_batch_cpu(Device device,
                                                                 const NoteBatchRequest& request);
[[nodiscard]] std::unique_ptr<NoteBatchTwin> make_note_batch_cuda(Device device,
                                                                  const NoteBatchRequest& request);

}  // namespace ringwave::synth

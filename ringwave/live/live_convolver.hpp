// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "ringwave/backend/workload.hpp"
#include "ringwave/core/block_view.hpp"
#include "ringwave/dsp/convolver.hpp"
#include "ringwave/live/live_processor.hpp"
#include "ringwave/live/op_port.hpp"

namespace ringwave::live {

/// Convolution with a response for each channel, for live audio: dsp::Convolver, block by block before a
/// deadline and without latency. A ring kernel takes every tap for every sample; the other ways are those of
/// dsp::Convolver, which suit long responses.
class LiveConvolver final : public LiveProcessor {
 public:
  static constexpr std::string_view kName = "live_convolver";

  struct Room {
    int max_taps = 0;        ///< for later responses; 0: as many as the first have
    int fade_frames = 1024;  ///< from one response to the next; 0: at once
  };

  /// Allocates, makes the kernel resident and sends it the responses, one a channel. Throws InvalidArgument
  /// for a spec out of range (at most 16 channels, 8192 samples a block, 16384 taps of all channels) and for
  /// taps that are not finite, DeviceUnavailable, OutOfMemory. [setup]
  LiveConvolver(const LiveSpec& spec, BlockView<const float> responses, Room room);
  LiveConvolver(const LiveSpec& spec, BlockView<const float> responses)
      : LiveConvolver(spec, responses, Room{}) {}

  /// Other responses, of up to max_taps taps: process() goes over to them without a click. Another call
  /// before that is done replaces what has not begun. One thread at a time, beside the one that calls
  /// process(). Throws InvalidArgument as the constructor does, TimedOut and InvalidState where the kernel
  /// does not answer. [setup]
  void set_responses(BlockView<const float> responses);

  void recover() override;

  /// Frames by which the output lags the input: always 0. [any]
  [[nodiscard]] static constexpr int latency_frames() noexcept { return 0; }

  /// What the tuner and the tests know of one of its ways: 2048 taps. [setup]
  [[nodiscard]] static backend::OpInfo info(Way way);

 private:
  void require_responses(BlockView<const float> responses) const;
  void keep(BlockView<const float> responses);
  void make_ring();
  void make_op();
  void send_responses(int fade_frames);
  [[nodiscard]] std::vector<dsp::Convolver::Path> paths() const;

  Room room_;
  std::vector<float> taps_;                       // [channel][max_taps]
  DirectPort<dsp::Convolver>* direct_ = nullptr;  // the port, by its kind
  QueuedPort<dsp::Convolver>* queued_ = nullptr;
};

}  // namespace ringwave::live

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "ringwave/backend/workload.hpp"
#include "ringwave/core/block_view.hpp"
#include "ringwave/core/device.hpp"
#include "ringwave/core/queue.hpp"
#include "ringwave/core/realtime.hpp"
#include "ringwave/core/status.hpp"

namespace ringwave::dsp {

class ConvolverTwin;

/// Convolution with impulse responses of any length, without latency:
///
///   y_o[n] = sum over the paths from i to o, and over k, of  h[k] x_i[n - k]
///
/// One path is a mono reverb, two are stereo, four true stereo, and N x M a matrix; a thousand tracks with a
/// response each are a thousand paths. A NaN or infinite sample counts as silence and is counted. The result
/// does not depend on how the signal is cut into blocks.
class Convolver {
 public:
  static constexpr std::string_view kName = "convolver";

  enum class Mode : unsigned char {
    automatic,    ///< the fastest of the others, measured when it is made
    direct,       ///< every tap for every sample
    fft,          ///< one transform as long as the response and the block together
    partitioned,  ///< many short transforms, on the CPU ones that grow with the delay; every block costs the
                  ///< same
  };

  /// From which input to which output a response leads.
  struct Route {
    int input = 0;
    int output = 0;
  };

  /// A route and its response, h.
  struct Path {
    Route route;
    std::span<const float> taps;
  };

  struct Spec {
    int inputs = 1;
    int outputs = 1;
    int max_block_frames = 128;  ///< of one process(); the work is spread best when every block has them
    Mode mode = Mode::automatic;
    int max_taps = 0;        ///< room for later responses; 0: as many as the longest of the first
    int fade_frames = 1024;  ///< from one response to the next
  };

  struct Request {
    Spec spec;
    std::vector<Path> paths;
  };
  using Twin = ConvolverTwin;

  static constexpr int kMostTaps = 1 << 26;  ///< 23 minutes at 48 kHz

  /// Plans, transforms the responses and warms up. Throws InvalidArgument for a shape out of range, a route
  /// that leads nowhere or a tap that is not finite, DeviceUnavailable, OutOfMemory. [setup]
  Convolver(Device device, const Spec& spec, std::span<const Path> paths);
  /// One response for every channel. [setup]
  Convolver(Device device, int channels, int max_block_frames, std::span<const float> taps);
  ~Convolver();
  Convolver(Convolver&&) noexcept;
  Convolver& operator=(Convolver&&) noexcept;

  /// Convolves `in`, with a channel for every input, into `out`, in host memory; they may be the same. On
  /// anything but `ok` the output is silence. [audio]
  RW_REALTIME Status process(BlockView<const float> in, BlockView<float> out) noexcept;

  /// The same in the order of `queue`, which is on this op's device, between blocks in that device's memory
  /// or in pinned host memory. Do not mix with process() without waiting for the queue. [audio]
  RW_REALTIME Status enqueue(Queue& queue, BlockView<const float> in, BlockView<float> out) noexcept;

  /// Other responses on the same routes, in the same order. process() goes over to them without a click: the
  /// first taps at the next block, late ones when those of the old response have rung out. Another call
  /// before that is done replaces what has not begun. One thread at a time, beside the one that calls
  /// process(). Throws InvalidArgument for other routes or more than max_taps taps, OutOfMemory. [setup]
  void set_responses(std::span<const Path> paths);

  /// True while a change of responses is under way. [any]
  [[nodiscard]] bool changing() const noexcept;

  /// Forgets the past, and ends a change at once. [audio]
  RW_REALTIME void reset() noexcept;

  /// The same in the order of `queue`. [audio]
  RW_REALTIME Status enqueue_reset(Queue& queue) noexcept;

  /// NaN and infinite samples that came in so far. [any]
  [[nodiscard]] std::uint64_t nonfinite_samples() const;

  /// How it works; never `automatic`. [any]
  [[nodiscard]] Mode mode() const noexcept { return spec_.mode; }

  /// Where it runs; never `auto`. [any]
  [[nodiscard]] Device device() const noexcept { return device_; }

  /// Frames by which the output lags the input: always 0. [any]
  [[nodiscard]] static constexpr int latency_frames() noexcept { return 0; }

  /// What the tuner and the tests know of it. [setup]
  [[nodiscard]] static backend::OpInfo info();

 private:
  [[nodiscard]] Status check(BlockView<const float> in, BlockView<float> out) const noexcept;

  Spec spec_;
  std::vector<Route> routes_;
  Device device_;
  std::unique_ptr<ConvolverTwin> twin_;
};

/// The mode as a word, and back. Throws InvalidArgument for another word. [any]
[[nodiscard]] std::string_view to_string(Convolver::Mode mode) noexcept;
[[nodiscard]] Convolver::Mode convolver_mode(std::string_view word);

}  // namespace ringwave::dsp

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

#include "ringwave/backend/workload.hpp"
#include "ringwave/core/device.hpp"
#include "ringwave/core/queue.hpp"
#include "ringwave/core/realtime.hpp"
#include "ringwave/core/status.hpp"
#include "ringwave/dsp/fft.hpp"
#include "ringwave/dsp/window.hpp"

namespace ringwave::dsp {

class TransformTwin;

/// The short-time Fourier transform of whole signals, and its inverse:
///
///   X[f][k] = s sum over n of w[n] x[f hop - pad + n] e^(-2 pi i k n / N)
///
///                 sum over f of w[n - f hop + pad] x_f[n - f hop + pad]
///   x[n]    =    ------------------------------------------------------- ,  x_f the inverse transform of
///   X[f] / s
///                     sum over f of w[n - f hop + pad]^2
///
/// so that there and back is the signal wherever the windows weigh anything, whatever the window and the hop:
/// where the sum of the squares is at most 1e-10 the sample is lost and comes back as 0. See Overlap for
/// which hops are good. Samples lie channel after channel, bins channel after channel, frame after frame.
///
/// The calling thread's floating-point mode is left alone, as Fft leaves it.
class Stft {
 public:
  static constexpr std::string_view kName = "stft";

  /// What lies before the first sample and after the last. With `reflect` and `zero`, frame f is centred at
  /// sample f * hop: pad = N/2, and there are 1 + (samples + 2 (N/2) - N) / hop frames. With `none`, frame f
  /// begins at sample f * hop, and what is left at the end has no frame.
  enum class Padding : unsigned char { reflect, zero, none };

  /// The factor s.
  enum class Scaling : unsigned char {
    none,       ///< 1
    unitary,    ///< 1/sqrt(N)
    amplitude,  ///< 1/sum of the window: a sine of amplitude 1 shows as a half
  };

  struct Spec {
    int size = 2048;  ///< N, in points
    int hop = 512;
    Window window{};
    Padding padding = Padding::reflect;
    Scaling scaling = Scaling::none;
    int channels = 1;
    int samples = 48000;  ///< of each channel; `reflect` wants more than N/2, `none` at least N
  };
  using Request = Spec;
  using Twin = TransformTwin;

  /// Plans, allocates and warms up. On a GPU with room for one whole signal and its bins. Throws
  /// InvalidArgument for a shape out of range, DeviceUnavailable, OutOfMemory. [setup]
  Stft(Device device, const Spec& spec);
  ~Stft();
  Stft(Stft&&) noexcept;
  Stft& operator=(Stft&&) noexcept;

  /// Host memory to host memory. `wrong_shape`, and nothing done, where a span is shorter than
  /// sample_count() or total_bins(). [audio]
  RW_REALTIME Status forward(std::span<const float> samples, std::span<Complex> bins) noexcept;
  /// Its inverse; `bins` is left in no particular state. [audio]
  RW_REALTIME Status inverse(std::span<Complex> bins, std::span<float> samples) noexcept;

  /// The same in `queue`'s order, on this op's device, between that device's memory or pinned host memory.
  /// One at a time, with the forms above too: frames lie in memory of the op's own on their way. [audio]
  RW_REALTIME Status enqueue_forward(Queue& queue, const float* samples, Complex* bins) noexcept;
  RW_REALTIME Status enqueue_inverse(Queue& queue, Complex* bins, float* samples) noexcept;

  /// Bins of one frame: N/2 + 1. [any]
  [[nodiscard]] int bin_count() const noexcept { return spec_.size / 2 + 1; }
  /// Frames of one channel. [any]
  [[nodiscard]] int frame_count() const noexcept { return frame_count_; }
  /// Samples of all channels. [any]
  [[nodiscard]] std::size_t sample_count() const noexcept;
  /// Bins of all frames of all channels. [any]
  [[nodiscard]] std::size_t total_bins() const noexcept;
  /// What it was made with. [any]
  [[nodiscard]] const Spec& spec() const noexcept { return spec_; }
  /// Where it runs; never `auto`. [any]
  [[nodiscard]] Device device() const noexcept { return device_; }

  /// What the tuner and the tests know of it: frames of one size, a quarter of it apart. [setup]
  [[nodiscard]] static backend::OpInfo info();

 private:
  Spec spec_;
  int frame_count_;
  Device device_;
  std::unique_ptr<TransformTwin> twin_;
};

}  // namespace ringwave::dsp

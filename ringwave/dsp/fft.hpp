// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <complex>
#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

#include "ringwave/backend/workload.hpp"
#include "ringwave/core/device.hpp"
#include "ringwave/core/queue.hpp"
#include "ringwave/core/realtime.hpp"
#include "ringwave/core/status.hpp"

namespace ringwave::dsp {

class TransformTwin;
using Complex = std::complex<float>;

/// The discrete Fourier transform of N points, many at once:
///
///   forward  X[k] = s sum x[n] e^(-2 pi i k n / N)        inverse  x[n] = t sum X[k] e^(2 pi i k n / N)
///
/// A real transform has only the bins 0 to N/2. Any N works; products of 2, 3, 5 and 7 are fast. The calling
/// thread's floating-point mode is left alone: who transforms what rings out into silence lives under
/// FlushSubnormals.
class Fft {
 public:
  static constexpr std::string_view kName = "fft";

  enum class Kind : unsigned char { real, complex };

  /// The factors s and t. There and back gives the signal itself, except with `none`, which gives N times it.
  enum class Scaling : unsigned char {
    none,     ///< s = 1, t = 1
    inverse,  ///< s = 1, t = 1/N
    unitary,  ///< s = t = 1/sqrt(N): energy is kept
  };

  /// Where the elements of a batch lie: element n of transform b at b * distance + n * stride.
  struct Layout {
    std::ptrdiff_t stride = 1;
    std::ptrdiff_t distance = 0;  ///< 0: each transform follows the one before
  };

  struct Spec {
    int size = 1024;  ///< N, in points
    Kind kind = Kind::real;
    int batch = 1;
    Scaling scaling = Scaling::inverse;
    Layout time{};  ///< in samples: floats for a real transform, Complex for a complex one
    Layout bins{};  ///< in Complex
    /// Input and output are the same memory. A real transform's samples then lie in the room of its bins:
    /// each transform has 2 (N/2 + 1) floats.
    bool in_place = false;
  };
  using Request = Spec;
  using Twin = TransformTwin;

  /// Plans, allocates and warms up; planning measures, and what it found is kept in the cache folder. Throws
  /// InvalidArgument for a shape out of range, DeviceUnavailable, OutOfMemory. [setup]
  Fft(Device device, const Spec& spec);
  ~Fft();
  Fft(Fft&&) noexcept;
  Fft& operator=(Fft&&) noexcept;

  /// A real transform, host memory to host memory. `wrong_shape`, and nothing done, where a span is shorter
  /// than samples() or bins(), or the kind is another. [audio]
  RW_REALTIME Status forward(std::span<const float> samples, std::span<Complex> bins) noexcept;
  /// Its inverse; `bins` is left in no particular state. [audio]
  RW_REALTIME Status inverse(std::span<Complex> bins, std::span<float> samples) noexcept;

  /// A complex transform, and its inverse. [audio]
  RW_REALTIME Status forward(std::span<const Complex> samples, std::span<Complex> bins) noexcept;
  RW_REALTIME Status inverse(std::span<const Complex> bins, std::span<Complex> samples) noexcept;

  /// The same in `queue`'s order, on this op's device, between that device's memory or pinned host memory,
  /// for both kinds: of a real transform the samples are floats, else pairs of floats. A GPU wants both
  /// arrays to begin at multiples of 8 bytes: else `wrong_shape`, and nothing done. [audio]
  RW_REALTIME Status enqueue_forward(Queue& queue, const float* samples, Complex* bins) noexcept;
  RW_REALTIME Status enqueue_inverse(Queue& queue, Complex* bins, float* samples) noexcept;

  /// Bins of one transform: N/2 + 1 or N. [any]
  [[nodiscard]] int bin_count() const noexcept;
  /// Elements from the first to the last sample of the batch: floats, or Complex. [any]
  [[nodiscard]] std::size_t sample_extent() const noexcept;
  /// Elements from the first to the last bin of the batch. [any]
  [[nodiscard]] std::size_t bin_extent() const noexcept;
  /// What it was made with, with every distance filled in. [any]
  [[nodiscard]] const Spec& spec() const noexcept { return spec_; }
  /// Where it runs; never `auto`. [any]
  [[nodiscard]] Device device() const noexcept { return device_; }

  /// What the tuner and the tests know of it. [setup]
  [[nodiscard]] static backend::OpInfo info();

 private:
  [[nodiscard]] bool fits(Kind kind, std::size_t samples, std::size_t bins, bool same) const noexcept {
    return kind == spec_.kind && samples >= sample_extent_ && bins >= bin_extent_ && same == spec_.in_place;
  }

  Spec spec_;
  std::size_t sample_extent_ = 0;
  std::size_t bin_extent_ = 0;
  Device device_;
  std::unique_ptr<TransformTwin> twin_;
};

/// The smallest length from `least` on that is a product of 2, 3, 5 and 7. [any]
[[nodiscard]] int fast_fft_size(int least) noexcept;

}  // namespace ringwave::dsp

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

namespace ringwave::dsp {

class BinValuesTwin;

/// One real number for each bin of a spectrum:
///
///   magnitude  |X|        power  |X|^2        phase  atan2(Im X, Re X)        decibels  10 log10 |X|^2
///
/// Decibels end at a floor: what is below it, or 0, or NaN, reads as the floor.
class BinValues {
 public:
  static constexpr std::string_view kName = "bin_values";

  enum class Quantity : unsigned char { magnitude, power, phase, decibels };

  struct Spec {
    Quantity quantity = Quantity::magnitude;
    std::size_t max_bins = 1025;
    float floor_db = -200;  ///< of decibels, -370 to 0
  };
  using Request = Spec;
  using Twin = BinValuesTwin;

  /// Throws InvalidArgument for 0 or more than 2^32 bins or a floor out of range, DeviceUnavailable,
  /// OutOfMemory. [setup]
  BinValues(Device device, const Spec& spec);
  ~BinValues();
  BinValues(BinValues&&) noexcept;
  BinValues& operator=(BinValues&&) noexcept;

  /// Host memory to host memory. `wrong_shape`, and nothing done, where there are more bins than max_bins or
  /// fewer values than bins. [audio]
  RW_REALTIME Status process(std::span<const Complex> bins, std::span<float> values) noexcept;

  /// The same in `queue`'s order, on this op's device, between that device's memory or pinned host memory.
  /// [audio]
  RW_REALTIME Status enqueue(Queue& queue, const Complex* bins, float* values, std::size_t count) noexcept;

  /// What it was made with. [any]
  [[nodiscard]] const Spec& spec() const noexcept { return spec_; }
  /// Where it runs; never `auto`. [any]
  [[nodiscard]] Device device() const noexcept { return device_; }

  /// What the tuner and the tests know of it. [setup]
  [[nodiscard]] static backend::OpInfo info();

 private:
  Spec spec_;
  Device device_;
  std::unique_ptr<BinValuesTwin> twin_;
};

}  // namespace ringwave::dsp

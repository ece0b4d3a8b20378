// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "ringwave/core/realtime.hpp"

namespace ringwave::dsp {

/// A transform as FFTW plans it. Distances and strides are in elements: floats for real samples, pairs of
/// floats for complex ones.
struct FftwProblem {
  int size = 0;
  int batch = 1;
  bool real = true;
  bool forward = true;
  bool in_place = false;
  bool aligned = true;  ///< both arrays begin at a multiple of what FFTW's SIMD wants
  int in_stride = 1;
  int in_distance = 0;
  int out_stride = 1;
  int out_distance = 0;

  // NOLINTNEXTLINE(modernize-use-nullptr): the zero that the default compares with is no pointer
  friend auto operator<=>(const FftwProblem&, const FftwProblem&) = default;
};

/// A plan of FFTW, shared by all that ask for the same problem. The only file that sees FFTW: another
/// provider would take its place here.
///
/// Planning measures, and keeps what it found in the cache folder, so that the next process plans at once.
class FftwPlan {
 public:
  /// Null where FFTW has no plan that runs without allocating: odd real lengths, some layouts in place.
  /// Lengths with factors beyond 7 get one that allocates. Thread-safe. Throws OutOfMemory. [setup]
  [[nodiscard]] static std::shared_ptr<const FftwPlan> of(const FftwProblem& problem);

  ~FftwPlan();
  FftwPlan(const FftwPlan&) = delete;  // shared, never copied
  FftwPlan& operator=(const FftwPlan&) = delete;

  /// Transforms arrays of the problem's layout; any thread, many at once. A real inverse spoils its input.
  /// [audio]
  RW_REALTIME void execute(const float* in, float* out) const noexcept { run_(plan_, in, out); }

  /// True where both are placed as an `aligned` problem wants it. [any]
  [[nodiscard]] bool fits(const float* in, const float* out) const noexcept {
    return ((reinterpret_cast<std::uintptr_t>(in) | reinterpret_cast<std::uintptr_t>(out)) & misalignment_) ==
           0;
  }

 private:
  explicit FftwPlan(const FftwProblem& problem);

  void* plan_ = nullptr;
  void (*run_)(void* plan, const float* in, float* out) = nullptr;  // FFTW's own, for the kind of problem
  std::uintptr_t misalignment_;  // the bits of an address that FFTW wants to be 0
};

}  // namespace ringwave::dsp

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

namespace ringwave::backend {

/// Fills with white noise in [-0.5, 0.5), the same on every machine. [setup]
void fill_with_noise(std::span<float> samples);

/// Samples for a trial, in whole huge pages of their own where the machine has them.
///
/// malloc answers with small fresh pages or with old large ones, by what the process asked of it before. Two
/// processes have measured the same copy seven times apart; the pages are the suspected cause, not a proven
/// one. Here every trial gets the same kind.
class TrialMemory {
 public:
  /// Zeros. Throws OutOfMemory. [setup]
  explicit TrialMemory(std::size_t samples);
  ~TrialMemory();

  TrialMemory(const TrialMemory&) = delete;
  TrialMemory& operator=(const TrialMemory&) = delete;

  /// [any]
  [[nodiscard]] std::span<float> samples() const noexcept { return samples_; }

 private:
  void* mapping_;
  std::size_t mapped_bytes_;
  std::span<float> samples_;
};

}  // namespace ringwave::backend

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

namespace ringwave::backend {

/// Samples for a trial, in whole huge pages of their own where the machine has them.
///
/// malloc answers with small fresh pages or with old large ones, by what the process asked of it before, and
/// a copy through small pages can take seven times as long: two processes would measure two different
/// machines.
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

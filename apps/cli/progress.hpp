// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace ringwave::cli {

/// A line on the terminal that rewrites itself: a bar where the whole is known, else a count. Where standard
/// error is no terminal it says nothing. The line is gone when this is.
class Progress {
 public:
  /// `whole` and what is done are counted in frames at `sample_rate_hz`. [setup]
  Progress(std::string task, std::optional<std::int64_t> whole, int sample_rate_hz);
  ~Progress();
  Progress(const Progress&) = delete;  // one line
  Progress& operator=(const Progress&) = delete;

  /// Shows it, at most ten times a second. [setup]
  void show(std::int64_t done);

 private:
  [[nodiscard]] std::string line(std::int64_t done) const;

  std::string task_;
  std::optional<std::int64_t> whole_;
  int sample_rate_hz_;
  bool on_terminal_;
  bool shown_ = false;
  std::chrono::steady_clock::time_point next_;
};

}  // namespace ringwave::cli

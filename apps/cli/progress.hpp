// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "apps/cli/terminal_line.hpp"

namespace ringwave::cli {

/// How far something is, on a TerminalLine: a bar where the whole is known, else a count.
class Progress {
 public:
  /// `whole` and what is done are counted in frames at `sample_rate_hz`. [setup]
  Progress(std::string task, std::optional<std::int64_t> whole, int sample_rate_hz);

  /// Shows it, as often as the line does. [setup]
  void show(std::int64_t done);

 private:
  [[nodiscard]] std::string text(std::int64_t done) const;

  std::string task_;
  std::optional<std::int64_t> whole_;
  int sample_rate_hz_;
  TerminalLine line_;
};

}  // namespace ringwave::cli

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <iosfwd>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "bench/result.hpp"
#include "bench/results_file.hpp"

namespace ringwave::bench {

/// Earlier results that new ones are compared with.
class Baseline {
 public:
  /// Reads what write_results() wrote. Throws BadFile, with the reason, for a file that is absent, larger
  /// than 16 MiB, torn or not of this kind. Safe for any content. [setup]
  [[nodiscard]] static Baseline load(const std::string& path);

  /// The same from text; `path` is for messages. [setup]
  [[nodiscard]] static Baseline parse(std::string_view text, const std::string& path);

  /// True where the earlier results have that case. [any]
  [[nodiscard]] bool has(const std::string& name) const { return cases_.contains(name); }

  /// True where a case got slower by more than the threshold and the intervals do not touch. [any]
  [[nodiscard]] bool regressed(const Result& result, double threshold_percent) const;

  /// Prints every case that both have and returns how many regressed. [setup]
  [[nodiscard]] int compare(std::span<const Result> results, double threshold_percent,
                            std::ostream& out) const;

 private:
  struct Entry {
    double median = 0;
    double ci_low = 0;
    double ci_high = 0;
  };

  std::string path_;
  MachineName machine_;
  std::map<std::string, Entry> cases_;
};

}  // namespace ringwave::bench

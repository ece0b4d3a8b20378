// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <vector>

#include "ringwave/dsp/section.hpp"

namespace ringwave::cli {

struct FilterDesign;

/// One filter as the command line asks for it.
struct Filter {
  const FilterDesign* design = nullptr;
  double hz = 0;
  std::optional<double> q = {};
  std::optional<double> gain_db = {};
  std::optional<double> to_hz = {};
  std::optional<int> order = {};
};

/// The filters of a command line, in its order; --q and the like belong to the filter before them.
class FilterChain {
 public:
  /// Adds a flag for every design, and --q, --gain-db, --order and --to. Parsing them throws InvalidArgument
  /// for one of the last four where it does not belong. [setup]
  void add_to(CLI::App& command);

  /// All filters at that rate. Throws InvalidArgument where there is none, and as the design functions.
  /// [setup]
  [[nodiscard]] std::vector<dsp::Section> sections(double sample_rate_hz) const;

 private:
  std::vector<Filter> filters_;
};

}  // namespace ringwave::cli

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <iosfwd>
#include <span>

#include "bench/case.hpp"
#include "bench/result.hpp"

namespace ringwave::bench {

/// Results as a table for people, a case at a time, so that it can be read while the rest is measured.
class Report {
 public:
  /// A table wide enough for the names of `cases`, on `out`, which must outlive it. [setup]
  Report(std::ostream& out, std::span<const Case> cases);

  /// Who measures, and the head of the columns. [setup]
  void print_head();

  /// A line for the case and one below it for each peer, note and goal. [setup]
  void print(const Result& result);

  /// How many cases there were, wrong outputs and goals that were missed. [setup]
  void print_foot(std::span<const Result> results);

 private:
  std::ostream& out_;
  int name_width_;
};

/// The names and what each case measures. [setup]
void print_list(std::ostream& out, std::span<const Case> cases);

}  // namespace ringwave::bench

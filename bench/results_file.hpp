// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "bench/result.hpp"

namespace ringwave::bench {

/// The machine that measures, in the words by which two results files are told apart: processor and GPU.
/// [setup]
struct MachineName {
  std::string cpu;
  std::string gpu;  ///< of the first GPU; empty where there is none

  [[nodiscard]] static MachineName of_this_machine();
};

/// Writes the results, with all that one needs to judge them later, as JSON into a file that appears only
/// when it is whole. Cases that were skipped or failed are left out. Throws BadFile. [setup]
void write_results(const std::string& path, std::span<const Result> results);

/// Throws BadFile where write_results() could not write there. [setup]
void require_writable(const std::string& path);

}  // namespace ringwave::bench

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ringwave/ring/board_reader.hpp"

namespace ringwave::cli {

/// `ringwave ring list`: the ring kernels of the user's running processes, as a table or as JSON. [setup]
void list_kernels(bool json);

/// For where there is nothing to show. [any]
inline constexpr const char* kNoKernels =
    "no running process shows a ring kernel; a program of yours does with RINGWAVE_RING_BOARD=1 in its "
    "environment";

/// A sentence for each process whose kernels are not all shown, or that does not write any more. [setup]
[[nodiscard]] std::vector<std::string> remarks_on(const ring::Boards& boards);

/// Says which files were passed over. [setup]
void report_faults(const ring::Boards& boards);

/// "1234 program". [setup]
[[nodiscard]] std::string process_text(const ring::BoardPage& page);

/// Messages that wait, in all bands; and the most that did, in the sum of all. [any]
[[nodiscard]] std::uint64_t inbox_of(const ring::Telemetry& kernel) noexcept;
[[nodiscard]] std::uint64_t peak_of(const ring::Telemetry& kernel) noexcept;
/// Messages that were not handled, for whatever reason. [any]
[[nodiscard]] std::uint64_t drops_of(const ring::Telemetry& kernel) noexcept;

}  // namespace ringwave::cli

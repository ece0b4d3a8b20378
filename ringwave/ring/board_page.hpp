// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ringwave/ring/telemetry.hpp"

namespace ringwave::ring {

/// What a process tells others of its ring kernels, at one moment.
struct BoardPage {
  std::int64_t process = 0;     ///< its id
  std::uint64_t started = 0;    ///< when it was, as process_start() says: ids are used again
  std::int64_t written_ns = 0;  ///< by the steady clock, which all processes of a machine share
  std::string program{};
  std::vector<Telemetry> kernels{};
  std::uint32_t left_out = 0;  ///< kernels beyond kMostKernels

  static constexpr std::size_t kMostKernels = 1024;
  static constexpr std::size_t kMostBytes = std::size_t{1} << 20;  ///< no page is longer
};

/// A head and a record of fixed size for each kernel; texts that are too long for it are cut. [setup]
[[nodiscard]] std::string write_board_page(const BoardPage& page);

/// The page of these bytes, which anybody may have written. Throws BadFile, which says what is wrong with
/// them. [setup]
[[nodiscard]] BoardPage read_board_page(std::string_view bytes);

}  // namespace ringwave::ring

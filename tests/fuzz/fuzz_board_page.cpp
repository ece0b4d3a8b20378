// SPDX-License-Identifier: Apache-2.0
// Any bytes are a page of a board or BadFile; a page comes back from its own bytes.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>

#include "ringwave/core/error.hpp"
#include "ringwave/ring/board_page.hpp"

namespace {

using ringwave::ring::BoardPage;
using ringwave::ring::read_board_page;
using ringwave::ring::write_board_page;

void require(bool holds) {
  if (!holds) std::abort();
}

/// Random bytes seldom begin as a page does: these do, and have as many kernels as there are bytes for.
std::string as_page(std::string bytes) {
  static const std::string head = write_board_page({.process = 1});
  static const std::size_t record_bytes =
      write_board_page({.process = 1, .kernels = {{}}}).size() - head.size();
  bytes.resize(std::max(bytes.size(), head.size()));
  const auto kernels = static_cast<std::uint32_t>((bytes.size() - head.size()) / record_bytes);
  bytes.resize(head.size() + kernels * record_bytes);
  constexpr std::size_t kMarkBytes = 12;  // the magic and the format
  bytes.replace(0, kMarkBytes, head, 0, kMarkBytes);
  std::memcpy(bytes.data() + kMarkBytes, &kernels, sizeof kernels);
  return bytes;
}

void look_at(const std::string& bytes) {
  try {
    const BoardPage page = read_board_page(bytes);
    require(page.process > 0 && page.kernels.size() <= BoardPage::kMostKernels);
    for (const auto& kernel : page.kernels)
      require(std::isfinite(kernel.uptime_s) && std::isfinite(kernel.busy_ratio) &&
              !to_string(kernel.state).empty());
    const std::string again = write_board_page(page);
    require(again.size() == bytes.size());
    require(write_board_page(read_board_page(again)).size() == again.size());
  } catch (const ringwave::BadFile&) {
    return;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  look_at(bytes);
  look_at(as_page(bytes));
  return 0;
}

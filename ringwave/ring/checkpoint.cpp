// SPDX-License-Identifier: Apache-2.0
#include "ringwave/ring/checkpoint.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>

#include "ringwave/core/error.hpp"

namespace ringwave::ring {
namespace {

struct Head {
  char magic[8] = {'R', 'W', 'R', 'I', 'N', 'G', '0', '1'};
  std::uint64_t state_bytes = 0;
  std::uint64_t handler = 0;
  std::uint64_t sum = 0;
};

/// FNV-1a: finds what a torn or foreign file does, not what an enemy would.
std::uint64_t sum_of(std::span<const std::byte> bytes) {
  std::uint64_t sum = 0xcbf29ce484222325;
  for (const std::byte byte : bytes) sum = (sum ^ static_cast<std::uint64_t>(byte)) * 0x100000001b3;
  return sum;
}

}  // namespace

std::vector<std::byte> write_checkpoint(std::string_view handler, std::span<const std::byte> state) {
  Head head;
  head.state_bytes = state.size();
  head.handler = sum_of(std::as_bytes(std::span(handler)));
  head.sum = sum_of(state);
  std::vector<std::byte> checkpoint(sizeof head + state.size());
  std::memcpy(checkpoint.data(), &head, sizeof head);
  std::ranges::copy(state, checkpoint.begin() + sizeof head);
  return checkpoint;
}

std::vector<std::byte> read_checkpoint(std::span<const std::byte> checkpoint, std::string_view handler,
                                       std::size_t state_bytes) {
  Head head;
  if (checkpoint.size() < sizeof head || std::memcmp(checkpoint.data(), head.magic, sizeof head.magic) != 0)
    throw InvalidArgument("a checkpoint of handler '" + std::string(handler) + "' was expected; these " +
                          std::to_string(checkpoint.size()) + " bytes are none");
  std::memcpy(&head, checkpoint.data(), sizeof head);
  if (head.handler != sum_of(std::as_bytes(std::span(handler))) || head.state_bytes != state_bytes)
    throw InvalidArgument("a checkpoint of handler '" + std::string(handler) + "' with " +
                          std::to_string(state_bytes) +
                          " bytes of state was expected; this one is of another handler, with " +
                          std::to_string(head.state_bytes) + " bytes");
  const auto state = checkpoint.subspan(sizeof head);
  if (state.size() != state_bytes || head.sum != sum_of(state))
    throw InvalidArgument("the checkpoint of handler '" + std::string(handler) +
                          "' is torn; use one that was kept as a whole");
  return {state.begin(), state.end()};
}

}  // namespace ringwave::ring

// SPDX-License-Identifier: Apache-2.0
#include "ringwave/ring/kernel_spec.hpp"

#include <algorithm>
#include <bit>

#include "ringwave/core/error.hpp"
#include "ringwave/ring/message.hpp"

namespace ringwave::ring {
namespace {

void require(bool ok, const KernelSpec& spec, const std::string& asked, const std::string& allowed) {
  if (!ok)
    throw InvalidArgument("kernel '" + spec.name + "' was asked for with " + asked + "; use " + allowed);
}

void require_capacity(const KernelSpec& spec, std::size_t capacity, const std::string& queue) {
  require(std::has_single_bit(capacity) && capacity >= KernelSpec::kLeastCapacity &&
              capacity <= KernelSpec::kMostCapacity,
          spec, "an " + queue + " of " + std::to_string(capacity) + " messages",
          "a power of two from 16 to 1048576");
}

}  // namespace

int most_blocks(Device device) {
  return device.kind() == DeviceKind::cpu ? 1 : std::max(1, device.profile().cores * 3 / 4);
}

void require_valid(const KernelSpec& spec) {
  require_capacity(spec, spec.inbox_capacity, "inbox");
  require_capacity(spec, spec.outbox_capacity, "outbox");
  require(spec.max_payload_bytes <= kMostPayloadBytes, spec,
          "payloads of " + std::to_string(spec.max_payload_bytes) + " bytes",
          "at most 65536, or send a Buffer by reference");
  require(spec.duplicate_window == 0 || (spec.duplicate_window >= 16 && spec.duplicate_window <= 1024), spec,
          "a duplicate window of " + std::to_string(spec.duplicate_window) + " ids",
          "16 to 1024, or 0 for none");
  require(spec.threads >= 32 && spec.threads <= 416 && spec.threads % 32 == 0, spec,
          std::to_string(spec.threads) + " threads", "a multiple of 32 from 32 to 416");
  require(spec.blocks >= 1, spec, std::to_string(spec.blocks) + " blocks", "at least 1");
  require(spec.handler_limit.count() >= 0, spec,
          "a handler limit of " + std::to_string(spec.handler_limit.count()) + " ms", "0 for none, or more");
  require(spec.restart.most_restarts >= 0 && spec.restart.window.count() > 0, spec,
          std::to_string(spec.restart.most_restarts) + " restarts in " +
              std::to_string(spec.restart.window.count()) + " ms",
          "0 or more, in a time above 0");
}

std::string_view to_string(Backpressure policy) noexcept {
  constexpr std::string_view kWords[] = {"block", "reject", "drop_oldest", "drop_newest"};
  return kWords[static_cast<std::size_t>(policy)];
}

std::string_view to_string(Wait wait) noexcept {
  constexpr std::string_view kWords[] = {"spin", "hybrid", "blocking"};
  return kWords[static_cast<std::size_t>(wait)];
}

}  // namespace ringwave::ring

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ringwave/backend/registry.hpp"
#include "ringwave/backend/router.hpp"
#include "ringwave/backend/workload.hpp"
#include "ringwave/core/device.hpp"

namespace ringwave::backend {

/// A twin and where it is.
template <class Op>
struct Prepared {
  Device device;
  std::unique_ptr<typename Op::Twin> twin;
};

/// Makes the twin of an op on `device`. For `auto`, on the device that the router chooses among those that
/// support the request; where that one has no room for it, or has failed, on the CPU. Throws what the twin's
/// construction throws, and DeviceUnavailable where no device supports the request. [setup]
template <class Op>
[[nodiscard]] Prepared<Op> prepare(Device device, const Workload& workload,
                                   const typename Op::Request& request) {
  const Registry& registry = Registry::instance();
  if (!device.is_automatic()) return {device, registry.make<Op>(device, request)};
  std::vector<Device> candidates;
  for (const Device candidate : Device::all())
    if (registry.supports<Op>(candidate, request)) candidates.push_back(candidate);
  if (candidates.empty())
    throw DeviceUnavailable("no device of this machine supports this request for " + std::string(Op::kName));
  const Device chosen = Router::instance().decide(workload, candidates).device;
  const bool has_fallback = chosen != Device::cpu() && registry.supports<Op>(Device::cpu(), request);
  try {
    return {chosen, registry.make<Op>(chosen, request)};
  } catch (const OutOfMemory&) {
    if (!has_fallback) throw;
  } catch (const DeviceLost&) {
    if (!has_fallback) throw;
  }
  return {Device::cpu(), registry.make<Op>(Device::cpu(), request)};
}

}  // namespace ringwave::backend

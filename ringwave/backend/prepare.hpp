// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <utility>
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

/// Makes the twin of an op on `device`; for `auto`, on the device that the router chooses among those that
/// support the request. Throws what the twin's construction throws. [setup]
template <class Op>
[[nodiscard]] Prepared<Op> prepare(Device device, const Workload& workload,
                                   const typename Op::Request& request) {
  const Registry& registry = Registry::instance();
  if (device.is_automatic()) {
    std::vector<Device> candidates;
    for (const Device candidate : Device::all())
      if (registry.supports<Op>(candidate, request)) candidates.push_back(candidate);
    device = Router::instance().decide(workload, candidates).device;
  }
  return {device, registry.make<Op>(device, request)};
}

}  // namespace ringwave::backend

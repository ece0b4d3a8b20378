// SPDX-License-Identifier: Apache-2.0
#include "apps/server/ring_metrics.hpp"

#include "ringwave/ring/board.hpp"
#include "ringwave/ring/telemetry_text.hpp"

namespace ringwave::server {

std::string ring_metrics_text() {
  const auto kernels = ring::Board::instance().telemetry();
  return kernels.empty() ? std::string() : ring::prometheus_text(kernels);
}

}  // namespace ringwave::server

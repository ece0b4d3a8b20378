// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace ringwave::server {

/// What the ring kernels of this process count, in the form that Prometheus reads; empty where there is none.
/// Waits for no kernel. [server]
[[nodiscard]] std::string ring_metrics_text();

}  // namespace ringwave::server

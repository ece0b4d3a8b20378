// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "ringwave/ring/telemetry.hpp"

namespace ringwave::ring {

/// The numbers of kernels in the text form that Prometheus reads: one family for each, a line for each
/// kernel, labelled with kernel, handler, device and, of kernels on the Board, their runtime. [setup]
[[nodiscard]] std::string prometheus_text(std::span<const Telemetry> kernels);

}  // namespace ringwave::ring

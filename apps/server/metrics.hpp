// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "apps/server/services.hpp"

namespace ringwave::server {

/// Everything that is counted, in the form that Prometheus reads. [server]
[[nodiscard]] std::string metrics_text(const Services& services);

}  // namespace ringwave::server

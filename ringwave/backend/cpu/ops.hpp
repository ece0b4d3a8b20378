// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ringwave/backend/registry.hpp"

namespace ringwave::backend::cpu {

/// Describes every op and adds its CPU twin. [setup]
void register_ops(Registry& registry);

}  // namespace ringwave::backend::cpu

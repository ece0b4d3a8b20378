// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ringwave/backend/registry.hpp"

namespace ringwave::backend::cuda {

/// Adds the CUDA twin of every op that has one. [setup]
void register_ops(Registry& registry);

}  // namespace ringwave::backend::cuda

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace ringwave::client {

/// What a Nuisance did, and what became of it.
struct NuisanceCounts {
  std::uint64_t silent = 0;          ///< who were let in
  std::uint64_t silent_dropped = 0;  ///< of these, whom the server has dropped
  std::uint64_t garbage = 0;         ///< connections that sent nonsense
  std::uint64_t reconnects = 0;
  std::uint64_t churned = 0;
  std::uint64_t refused = 0;  ///< of all these, connections that were not let in, or cut before their time
};

}  // namespace ringwave::client

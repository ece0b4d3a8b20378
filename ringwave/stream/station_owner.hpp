// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace ringwave::stream {

/// Whose a station is. What its owner shows is not kept, only a hash that it is known again by.
struct StationOwner {
  std::string secret_hash{};  ///< SHA-256 in hex; empty: it is nobody's, and administrators alone change it
  std::string address{};      ///< that it was made from; empty: not known
  bool is_kept = false;       ///< it stays, however long nobody hears it
};

}  // namespace ringwave::stream

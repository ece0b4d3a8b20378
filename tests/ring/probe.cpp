// SPDX-License-Identifier: Apache-2.0
#include "tests/ring/probe.hpp"

#include "ringwave/ring/handlers.hpp"

namespace ringwave::ring {

void register_probe() {
  static const bool once = [] {
    Handlers::instance().add(handler<Probe>(Probe::kName));
    return true;
  }();
  (void)once;
}

}  // namespace ringwave::ring

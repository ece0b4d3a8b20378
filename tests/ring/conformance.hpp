// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <numeric>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "ringwave/ring/runtime.hpp"
#include "tests/ring/place.hpp"
#include "tests/ring/probe.hpp"
#include "tests/scoped_environment.hpp"

namespace ringwave::ring {

/// Longer than any machine is held up by others.
inline constexpr std::chrono::seconds kLong{20};

/// What every host promises, on every device of this machine: a runtime there, and kernels of Probe.
class Conformance : public testing::TestWithParam<Place> {
 protected:
  Conformance() {
    register_probe();
    if (!GetParam().has_window) environment.set("RINGWAVE_RING_WINDOW", "0");
  }

  [[nodiscard]] static Device device() { return Device::find(GetParam().device); }

  Kernel make(KernelSpec spec = {}) {
    spec.handler = Probe::kName;
    spec.blocks = GetParam().blocks;
    if (spec.threads == KernelSpec{}.threads) spec.threads = GetParam().threads;
    return runtime.create(std::move(spec));
  }
  Kernel active(KernelSpec spec = {}) {
    const Kernel kernel = make(std::move(spec));
    kernel.launch();
    kernel.activate(kLong);
    return kernel;
  }

  static Outgoing message(Probe::Type type, const std::int64_t& value, std::uint8_t priority = kNormal,
                          std::uint32_t argument = 0) {
    Outgoing outgoing = Outgoing::of(type, value, priority);
    outgoing.head.argument = argument;
    return outgoing;
  }
  static Outgoing bare(Probe::Type type, std::uint32_t argument = 0) {
    Outgoing outgoing;
    outgoing.head.type = type;
    outgoing.head.argument = argument;
    return outgoing;
  }

  /// The first `count` values that a kernel emits; fewer where it has been quiet for a while.
  static std::vector<std::int64_t> told(const Kernel& kernel, std::size_t count) {
    std::vector<std::int64_t> values;
    Letter letter;
    while (values.size() < count && kernel.receive(letter, std::chrono::seconds{5}) == Delivery::ok)
      values.push_back(letter.as<std::int64_t>());
    return values;
  }
  static std::vector<std::int64_t> numbers(std::int64_t first, std::int64_t end) {
    std::vector<std::int64_t> all(static_cast<std::size_t>(end - first));
    std::iota(all.begin(), all.end(), first);
    return all;
  }
  template <class Condition>
  static bool soon(const Condition& condition) {
    for (int i = 0; i < 5000; ++i) {
      if (condition()) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds{1});
    }
    return false;
  }

  ScopedEnvironment environment;
  Runtime runtime{{.device = Device::find(GetParam().device), .sends_by_host = GetParam().by_host}};
};

}  // namespace ringwave::ring

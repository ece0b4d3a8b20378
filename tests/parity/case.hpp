// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "tests/parity/signal.hpp"
#include "tests/parity/subject.hpp"

namespace ringwave::parity {

/// A subject on a device: what every parity test is run for.
struct Case {
  const Subject* subject = nullptr;
  Device device;

  [[nodiscard]] std::unique_ptr<Instance> make(int channels, int max_block_frames) const {
    return subject->make(device, {channels, max_block_frames});
  }
  /// On the CPU the same samples come out to the last bit, however they were cut; a GPU may differ within the
  /// tolerance.
  [[nodiscard]] bool exact() const noexcept { return device.kind() == DeviceKind::cpu; }
};

void PrintTo(const Case& value, std::ostream* out);

/// Every subject on every device of this machine.
[[nodiscard]] std::vector<Case> all_cases();
[[nodiscard]] std::string name_of(const testing::TestParamInfo<Case>& test);

/// `in` through `op`, cut into blocks of the given lengths, again and again until it ends.
[[nodiscard]] Signal run(Instance& op, const Signal& in, std::span<const int> block_frames);
[[nodiscard]] Signal run(Instance& op, const Signal& in, int block_frames);

/// Checks every channel of `out` against the oracle and, where the device is not the CPU, against the CPU
/// twin.
void expect_parity(const Case& subject_on_device, const Signal& in, const Signal& out);

/// Checks that two outputs of one subject are the same: exactly on the CPU, within the tolerance on a GPU.
void expect_same(const Case& subject_on_device, const Signal& out, const Signal& expected);

}  // namespace ringwave::parity

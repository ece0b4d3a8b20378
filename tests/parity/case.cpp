// SPDX-License-Identifier: Apache-2.0
#include "tests/parity/case.hpp"

#include <algorithm>

#include "tests/parity/measure.hpp"
#include "tests/test_label.hpp"

namespace ringwave::parity {

void PrintTo(const Case& value, std::ostream* out) {
  *out << value.subject->name << " on " << value.device.name();
}

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (const Device device : Device::all())
    for (const Subject& subject : subjects()) cases.push_back({&subject, device});
  return cases;
}

std::string name_of(const testing::TestParamInfo<Case>& test) {
  return test_label(test.param.subject->name) + "_on_" + device_label(test.param.device);
}

Signal run(Instance& op, const Signal& in, std::span<const int> block_frames) {
  Signal out(in.channels(), in.frames());
  int done = 0;
  for (std::size_t block = 0; done < in.frames(); ++block) {
    const int frames = std::min(block_frames[block % block_frames.size()], in.frames() - done);
    const Status status = op.process(in.view().slice(done, frames), out.view().slice(done, frames));
    EXPECT_EQ(status, Status::ok) << to_string(status) << " at frame " << done;
    if (status != Status::ok) break;
    done += frames;
  }
  return out;
}

Signal run(Instance& op, const Signal& in, int block_frames) {
  return run(op, in, std::span(&block_frames, 1));
}

void expect_parity(const Case& subject_on_device, const Signal& in, const Signal& out) {
  const std::string who = subject_on_device.device.name();
  for (int i = 0; i < in.channels(); ++i)
    ASSERT_TRUE(agrees(who, out.channel(i), subject_on_device.subject->oracle(in.channel(i))))
        << "channel " << i << " against the oracle";
  if (subject_on_device.exact()) return;
  const auto twin = subject_on_device.subject->make(Device::cpu(), {in.channels(), in.frames()});
  expect_same(subject_on_device, out, run(*twin, in, in.frames()));
}

void expect_same(const Case& subject_on_device, const Signal& out, const Signal& expected) {
  for (int i = 0; i < out.channels(); ++i) {
    if (subject_on_device.exact()) {
      ASSERT_EQ(first_difference(out.channel(i), expected.channel(i)), -1) << "in channel " << i;
      continue;
    }
    const auto samples = expected.channel(i);
    const std::vector<double> reference(samples.begin(), samples.end());
    ASSERT_TRUE(agrees(subject_on_device.device.name(), out.channel(i), reference))
        << "channel " << i << " against the other run";
  }
}

}  // namespace ringwave::parity

// SPDX-License-Identifier: Apache-2.0
#include "ringwave/core/buffer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <numeric>
#include <string>
#include <vector>

#include "ringwave/core/device_list.hpp"

namespace ringwave {
namespace {

using State = BufferState;
using testing::Each;
using testing::HasSubstr;
using testing::ThrowsMessage;

/// The CPU, whose two sides are one memory, and a device of tests/modules, whose sides are two.
Device device_with(bool two_memories) {
  static const DeviceList list(
      (std::filesystem::read_symlink("/proc/self/exe").parent_path() / "../lib/libtest_device_module.so")
          .string());
  if (!two_memories) return Device::cpu();
  if (list.devices().size() < 2) throw DeviceUnavailable(std::string(list.why_no_gpu()));
  return list.devices()[1];
}

class BufferOn : public testing::TestWithParam<bool> {
 protected:
  /// Brings a buffer into a state by the shortest way.
  Buffer<int> in_state(State state) {
    Buffer<int> buffer(device_, 4);
    if (state == State::host_only || state == State::synchronized || state == State::host_dirty)
      buffer.fill(1);
    if (state == State::synchronized || state == State::host_dirty) (void)buffer.device(queue_);
    queue_.synchronize();  // the copy to the device may still be reading the host's side
    if (state == State::host_dirty) buffer.fill(2);
    if (state == State::device_only || state == State::device_dirty) set_device(buffer, 3);
    if (state == State::device_dirty) {
      (void)buffer.host(queue_);
      set_device(buffer, 4);
    }
    EXPECT_EQ(buffer.state(), state) << to_string(state);
    return buffer;
  }

  void set_device(Buffer<int>& buffer, int value) {
    int* data = buffer.overwrite_device().data();
    queue_.submit([data, value](NativeQueue) noexcept { std::fill_n(data, 4, value); });
  }

  Device device_ = device_with(GetParam());
  Queue queue_{device_};
};
INSTANTIATE_TEST_SUITE_P(Devices, BufferOn, testing::Bool(),
                         [](const auto& test) { return test.param ? "TwoMemories" : "OneMemory"; });

constexpr State kWritten[] = {State::host_only, State::device_only, State::synchronized, State::host_dirty,
                              State::device_dirty};

TEST_P(BufferOn, ReadingEitherSideGivesTheFreshValuesWhereverTheyWere) {
  const auto expected = [](State state) {
    return state == State::host_dirty     ? 2
           : state == State::device_only  ? 3
           : state == State::device_dirty ? 4
                                          : 1;
  };
  for (const State state : kWritten) {
    Buffer<int> on_host = in_state(state);
    EXPECT_THAT(on_host.host(queue_), Each(expected(state))) << to_string(state);
    Buffer<int> on_device = in_state(state);
    std::vector<int> seen(4);
    queue_.copy(seen.data(), on_device.device(queue_).data(), 4 * sizeof(int));
    queue_.synchronize();
    EXPECT_THAT(seen, Each(expected(state))) << to_string(state);
  }
}

TEST_P(BufferOn, ReadingMovesTheStateOnlyWhereACopyWasMade) {
  const auto after_host = [&](State state) {
    Buffer<int> buffer = in_state(state);
    (void)buffer.host(queue_);
    queue_.synchronize();  // what was submitted uses the buffer
    return buffer.state();
  };
  EXPECT_EQ(after_host(State::host_only), State::host_only);
  EXPECT_EQ(after_host(State::device_only), State::synchronized);
  EXPECT_EQ(after_host(State::synchronized), State::synchronized);
  EXPECT_EQ(after_host(State::host_dirty), State::host_dirty);
  EXPECT_EQ(after_host(State::device_dirty), State::synchronized);
  const auto after_device = [&](State state) {
    Buffer<int> buffer = in_state(state);
    (void)buffer.device(queue_);
    queue_.synchronize();
    return buffer.state();
  };
  EXPECT_EQ(after_device(State::host_only), State::synchronized);
  EXPECT_EQ(after_device(State::device_only), State::device_only);
  EXPECT_EQ(after_device(State::synchronized), State::synchronized);
  EXPECT_EQ(after_device(State::host_dirty), State::synchronized);
  EXPECT_EQ(after_device(State::device_dirty), State::device_dirty);
}

TEST_P(BufferOn, OverwritingASideMakesItTheFreshOne) {
  for (const State state : {State::uninitialized, State::host_only, State::device_only, State::synchronized,
                            State::host_dirty, State::device_dirty}) {
    Buffer<int> on_host = in_state(state);
    queue_.synchronize();  // on one memory the last device write would race with the next host write
    (void)on_host.overwrite_host();
    const bool host_alone = state == State::uninitialized || state == State::host_only;
    EXPECT_EQ(on_host.state(), host_alone ? State::host_only : State::host_dirty) << to_string(state);
    Buffer<int> on_device = in_state(state);
    queue_.synchronize();
    (void)on_device.overwrite_device();
    const bool device_alone = state == State::uninitialized || state == State::device_only;
    EXPECT_EQ(on_device.state(), device_alone ? State::device_only : State::device_dirty) << to_string(state);
  }
}

TEST_P(BufferOn, MarkingASideIsRefusedWhereTheOtherIsNewer) {
  for (const State state : {State::device_only, State::device_dirty}) {
    Buffer<int> buffer = in_state(state);
    EXPECT_THAT([&] { buffer.mark_host_dirty(); },
                ThrowsMessage<InvalidState>(HasSubstr(std::string(to_string(state)))));
    EXPECT_EQ(buffer.state(), state);
    buffer.mark_device_dirty();
    EXPECT_EQ(buffer.state(), state);
    queue_.synchronize();
  }
  for (const State state : {State::host_only, State::host_dirty}) {
    Buffer<int> buffer = in_state(state);
    EXPECT_THAT([&] { buffer.mark_device_dirty(); },
                ThrowsMessage<InvalidState>(HasSubstr(std::string(to_string(state)))));
    EXPECT_EQ(buffer.state(), state);
    buffer.mark_host_dirty();
    EXPECT_EQ(buffer.state(), state);
  }
  Buffer<int> host_marked = in_state(State::synchronized);
  host_marked.mark_host_dirty();
  EXPECT_EQ(host_marked.state(), State::host_dirty);
  Buffer<int> device_marked = in_state(State::synchronized);
  device_marked.mark_device_dirty();
  EXPECT_EQ(device_marked.state(), State::device_dirty);
  Buffer<int> fresh(device_, 4);
  fresh.mark_device_dirty();
  EXPECT_EQ(fresh.state(), State::device_only);
  queue_.synchronize();
}

TEST_P(BufferOn, ReadingWhatNobodyWroteThrowsAndNamesTheState) {
  Buffer<int> buffer(device_, 4);
  EXPECT_THAT([&] { (void)buffer.host(queue_); }, ThrowsMessage<InvalidState>(HasSubstr("uninitialized")));
  EXPECT_THAT([&] { (void)buffer.device(queue_); }, ThrowsMessage<InvalidState>(HasSubstr("uninitialized")));
  std::vector<int> out(4, 5);
  EXPECT_THROW(buffer.copy_to(queue_, out), InvalidState);
  EXPECT_THAT(out, Each(5));
  EXPECT_EQ(buffer.state(), State::uninitialized);
}

TEST_P(BufferOn, AValueTravelsToTheDeviceAndBack) {
  for (const HostMemory host_memory : {HostMemory::pageable, HostMemory::pinned}) {
    Buffer<int> buffer(device_, 1000, host_memory);
    std::vector<int> values(1000);
    std::iota(values.begin(), values.end(), 0);
    buffer.copy_from(values);
    int* data = const_cast<int*>(buffer.device(queue_).data());
    queue_.submit([data](NativeQueue) noexcept { std::for_each(data, data + 1000, [](int& v) { v *= 2; }); });
    buffer.mark_device_dirty();
    std::vector<int> got(1000);
    buffer.copy_to(queue_, got);
    for (std::size_t i = 0; i < 1000; ++i) ASSERT_EQ(got[i], 2 * values[i]);
  }
}

TEST_P(BufferOn, ACopyOfAnotherSizeIsRefusedAndChangesNothing) {
  Buffer<int> buffer(device_, 4);
  std::vector<int> five(5, 9);
  EXPECT_THAT([&] { buffer.copy_from(five); }, ThrowsMessage<InvalidArgument>(HasSubstr("5 elements")));
  EXPECT_EQ(buffer.state(), State::uninitialized);
  buffer.fill(1);
  EXPECT_THROW(buffer.copy_to(queue_, five), InvalidArgument);
  EXPECT_THAT(five, Each(9));
}

TEST_P(BufferOn, AMoveTakesTheValuesAndLeavesAnEmptyBuffer) {
  Buffer<int> first = in_state(State::device_only);
  Buffer<int> second(std::move(first));
  EXPECT_EQ(second.state(), State::device_only);
  EXPECT_THAT(second.host(queue_), Each(3));
  EXPECT_EQ(first.size(), 0U);  // NOLINT(bugprone-use-after-move): what is left is the point
  EXPECT_TRUE(first.overwrite_host().empty());
  first = std::move(second);
  EXPECT_THAT(first.host(queue_), Each(3));
  EXPECT_EQ(first.size(), 4U);
}

TEST_P(BufferOn, BothSidesAreAlignedAndAnEmptyBufferIsHarmless) {
  Buffer<char> buffer(device_, 3, HostMemory::pinned);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer.overwrite_host().data()) % 64, 0U);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer.overwrite_device().data()) % 256, 0U);
  Buffer<int> empty(device_, 0);
  empty.fill(1);
  EXPECT_TRUE(empty.device(queue_).empty());
  EXPECT_EQ(empty.state(), State::synchronized);
  queue_.synchronize();
}

TEST_P(BufferOn, GpusReadTheHostsCopyWhereItIsPinned) {
  EXPECT_FALSE(Buffer<int>(device_, 4).host_is_mapped());
  EXPECT_EQ(Buffer<int>(device_, 4, HostMemory::pinned).host_is_mapped(), GetParam()) << "two memories";
}

TEST(Buffer, OnOneMemoryBothSidesAreTheSame) {
  Buffer<int> buffer(Device::cpu(), 4);
  EXPECT_EQ(buffer.overwrite_host().data(), buffer.overwrite_device().data());
}

TEST(Buffer, IsRefusedOnAutoAndBeyondWhatCanBeCounted) {
  EXPECT_THROW(Buffer<int>(Device{}, 1), InvalidArgument);
  EXPECT_THROW(Buffer<int>(Device::cpu(), std::size_t{1} << 62), InvalidArgument);
}

TEST(Buffer, IsNotReadThroughTheQueueOfAnotherDevice) {
  Buffer<int> buffer(Device::cpu(), 4);
  buffer.fill(1);
  Queue other(device_with(true));
  EXPECT_THAT([&] { (void)buffer.host(other); }, ThrowsMessage<InvalidArgument>(HasSubstr("cuda:0")));
  EXPECT_THROW((void)buffer.device(other), InvalidArgument);
  EXPECT_EQ(buffer.state(), State::host_only);
}

TEST(Buffer, EveryStateHasItsName) {
  EXPECT_EQ(to_string(State::uninitialized), "uninitialized");
  EXPECT_EQ(to_string(State::host_only), "host_only");
  EXPECT_EQ(to_string(State::device_only), "device_only");
  EXPECT_EQ(to_string(State::synchronized), "synchronized");
  EXPECT_EQ(to_string(State::host_dirty), "host_dirty");
  EXPECT_EQ(to_string(State::device_dirty), "device_dirty");
}

}  // namespace
}  // namespace ringwave

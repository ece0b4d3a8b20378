// SPDX-License-Identifier: Apache-2.0
// The same ops between blocks in device memory: one by one in a queue's order, and captured once and
// replayed.
#include <gtest/gtest.h>

#include <algorithm>

#include "ringwave/core/buffer.hpp"
#include "tests/parity/case.hpp"

namespace ringwave::parity {
namespace {

/// A signal's memory on a device, gaps and all.
class DeviceSignal {
 public:
  DeviceSignal(Queue& queue, const Signal& signal)
      : queue_(&queue), signal_(signal), buffer_(queue.device(), signal.memory().size()) {
    write(signal);
  }

  void write(const Signal& signal) {
    queue_->synchronize();  // on the CPU the host's copy is the device's, and may be in use
    buffer_.copy_from(signal.memory());
    (void)buffer_.device(*queue_);
  }

  [[nodiscard]] BlockView<float> view() {
    const BlockView<float> host = signal_.view();
    float* const data = buffer_.overwrite_device().data() + (host.data() - signal_.memory().data());
    return {data, host.channels(), host.frames(), host.stride()};
  }

  [[nodiscard]] const Signal& read() {
    buffer_.copy_to(*queue_, signal_.memory());
    return signal_;
  }

 private:
  Queue* queue_;
  Signal signal_;
  Buffer<float> buffer_;
};

class DeviceResidentParity : public testing::TestWithParam<Case> {};

TEST_P(DeviceResidentParity, EnqueuedBlocksAreProcessedBlocks) {
  for (const auto& [channels, frames, gap] :
       {std::tuple{1, 5000, 0}, std::tuple{3, 3000, 1}, std::tuple{8, 2048, 0}, std::tuple{17, 999, 5}}) {
    SCOPED_TRACE(std::to_string(channels) + " x " + std::to_string(frames) + ", gap " + std::to_string(gap));
    constexpr int kBlock = 333;
    const Signal in = noise(channels, frames, 67);
    Queue queue(GetParam().device);
    const auto op = GetParam().make(channels, kBlock);
    DeviceSignal from(queue, in.with_gap(gap));
    DeviceSignal to(queue, Signal(channels, frames, gap + 3));
    const auto source = from.view();
    const auto target = to.view();
    for (int done = 0; done < frames; done += kBlock) {
      const int count = std::min(kBlock, frames - done);
      ASSERT_EQ(op->enqueue(queue, source.slice(done, count), target.slice(done, count)), Status::ok);
    }
    const Signal& out = to.read();
    expect_parity(GetParam(), in, out);
    ASSERT_TRUE(out.gaps_untouched()) << "something was written between the planes";
    if (HasFatalFailure()) return;
  }
}

TEST_P(DeviceResidentParity, OneLongBlockInPlace) {
  const Signal in = noise(2, 100'000, 71);
  Queue queue(GetParam().device);
  const auto op = GetParam().make(2, in.frames());
  DeviceSignal signal(queue, in);
  const auto view = signal.view();
  ASSERT_EQ(op->enqueue(queue, view, view), Status::ok);
  expect_parity(GetParam(), in, signal.read());
}

TEST_P(DeviceResidentParity, ACapturedBlockIsReplayed) {
  constexpr int kBlock = 256;
  constexpr int kBlocks = 12;
  const Signal in = noise(3, kBlock * kBlocks, 73);
  Signal out(3, in.frames());
  Queue queue(GetParam().device);
  const auto op = GetParam().make(3, kBlock);
  DeviceSignal from(queue, Signal(3, kBlock));
  DeviceSignal to(queue, Signal(3, kBlock));
  Status captured = Status::busy;
  const Graph graph = queue.capture([&] { captured = op->enqueue(queue, from.view(), to.view()); });
  ASSERT_EQ(captured, Status::ok);
  ASSERT_GE(graph.nodes(), 1U);
  for (int block = 0; block < kBlocks; ++block) {
    Signal part(3, kBlock);
    for (int i = 0; i < 3; ++i)
      std::ranges::copy(in.view().slice(block * kBlock, kBlock).channel(i), part.channel(i).begin());
    from.write(part);
    (void)to.view();  // the launch is going to write it
    ASSERT_EQ(queue.launch(graph), Status::ok);
    const Signal& done = to.read();
    for (int i = 0; i < 3; ++i)
      std::ranges::copy(done.channel(i), out.view().slice(block * kBlock, kBlock).channel(i).begin());
  }
  expect_parity(GetParam(), in, out);
}

TEST_P(DeviceResidentParity, ResetsInTheOrderOfTheQueue) {
  const Signal in = noise(2, 1000, 79);
  Queue queue(GetParam().device);
  const auto op = GetParam().make(2, in.frames());
  DeviceSignal from(queue, in);
  DeviceSignal first(queue, Signal(2, in.frames()));
  DeviceSignal second(queue, Signal(2, in.frames()));
  const auto source = from.view();
  ASSERT_EQ(op->enqueue(queue, source, first.view()), Status::ok);
  ASSERT_EQ(op->enqueue_reset(queue), Status::ok);
  ASSERT_EQ(op->enqueue(queue, source, second.view()), Status::ok);
  expect_parity(GetParam(), in, first.read());
  expect_parity(GetParam(), in, second.read());
}

TEST_P(DeviceResidentParity, AWrongShapeIsNotEnqueued) {
  Queue queue(GetParam().device);
  const auto op = GetParam().make(2, 64);
  DeviceSignal signal(queue, noise(2, 65, 83));
  EXPECT_EQ(op->enqueue(queue, signal.view(), signal.view()), Status::wrong_shape);
  const Signal before = noise(2, 65, 83);
  EXPECT_EQ(first_difference(signal.read().memory(), before.memory()), -1);
}

INSTANTIATE_TEST_SUITE_P(Ops, DeviceResidentParity, testing::ValuesIn(all_cases()), name_of);

}  // namespace
}  // namespace ringwave::parity

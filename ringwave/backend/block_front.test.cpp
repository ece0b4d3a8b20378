// SPDX-License-Identifier: Apache-2.0
#include "ringwave/backend/block_front.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <utility>
#include <vector>

#include "ringwave/core/error.hpp"
#include "ringwave/dsp/fir.hpp"

namespace ringwave::backend {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr int kChannels = 2;
constexpr int kMostFrames = 3;

/// The least op with a memory: y[n] = x[n-1].
class LastFrame : public BlockFront {
 public:
  explicit LastFrame(Device device, int channels = kChannels, int max_block_frames = kMostFrames)
      : BlockFront("last_frame", channels, max_block_frames) {
    prepare<dsp::Fir>(device, {{channels, max_block_frames}, {0.0F, 1.0F}});
  }
};

/// A block that holds its samples, [channel][frame].
struct Block {
  Block(int frames, std::vector<float> values)
      : samples(std::move(values)), view(samples.data(), 2, frames) {}
  std::vector<float> samples;
  BlockView<float> view;
};

TEST(BlockFront, RefusesAShapeOutOfRangeByItsName) {
  EXPECT_THAT([] { LastFrame(Device::cpu(), 0, 64); },
              ThrowsMessage<InvalidArgument>(HasSubstr("last_frame was asked for with 0 channels")));
  EXPECT_THROW(LastFrame(Device::cpu(), 1, 0), InvalidArgument);
}

TEST(BlockFront, IsOnTheDeviceThatWasNamedAndNeverOnAuto) {
  EXPECT_EQ(LastFrame(Device::cpu()).device(), Device::cpu());
  EXPECT_FALSE(LastFrame(Device{}).device().is_automatic());
}

TEST(BlockFront, ABlockOfTheWrongShapeIsAnsweredWithSilenceAndChangesNothing) {
  LastFrame op(Device::cpu());
  Block first(3, {1, 2, 3, 4, 5, 6});
  ASSERT_EQ(op.process(first.view, first.view), Status::ok);
  EXPECT_THAT(first.samples, ElementsAre(0, 1, 2, 0, 4, 5));

  Block longer(4, {kNan, 9, 9, 9, kNan, 9, 9, 9});
  Block out(4, std::vector<float>(8, 7.0F));
  EXPECT_EQ(op.process(longer.view, out.view), Status::wrong_shape);
  EXPECT_THAT(out.samples, testing::Each(0.0F));
  Block shorter(2, {7, 7, 7, 7});
  EXPECT_EQ(op.process(first.view, shorter.view), Status::wrong_shape);
  EXPECT_THAT(shorter.samples, testing::Each(0.0F));
  EXPECT_EQ(op.nonfinite_samples(), 0U);

  Block last(1, {0, 0});
  ASSERT_EQ(op.process(last.view, last.view), Status::ok);
  EXPECT_THAT(last.samples, ElementsAre(3, 6)) << "the frame before the refused ones";
}

TEST(BlockFront, AQueueGetsNothingOfTheWrongShape) {
  LastFrame op(Device::cpu());
  Queue queue(Device::cpu());
  Block first(3, {1, 2, 3, 4, 5, 6});
  Block longer(4, {kNan, 9, 9, 9, kNan, 9, 9, 9});
  Block out(4, std::vector<float>(8, 7.0F));
  Block last(1, {0, 0});
  ASSERT_EQ(op.enqueue(queue, first.view, first.view), Status::ok);
  EXPECT_EQ(op.enqueue(queue, longer.view, out.view), Status::wrong_shape);
  ASSERT_EQ(op.enqueue(queue, last.view, last.view), Status::ok);
  queue.synchronize();
  EXPECT_THAT(first.samples, ElementsAre(0, 1, 2, 0, 4, 5));
  EXPECT_THAT(out.samples, testing::Each(7.0F));
  EXPECT_THAT(last.samples, ElementsAre(3, 6));
  EXPECT_EQ(op.nonfinite_samples(), 0U);
}

TEST(BlockFront, AnEmptyBlockIsFineAndChangesNothing) {
  LastFrame op(Device::cpu());
  Queue queue(Device::cpu());
  Block block(1, {5, 6});
  ASSERT_EQ(op.process(block.view, block.view), Status::ok);
  EXPECT_EQ(op.process(block.view.slice(0, 0), block.view.slice(0, 0)), Status::ok);
  EXPECT_EQ(op.enqueue(queue, block.view.slice(0, 0), block.view.slice(0, 0)), Status::ok);
  queue.synchronize();
  ASSERT_EQ(op.process(block.view, block.view), Status::ok);
  EXPECT_THAT(block.samples, ElementsAre(5, 6));
}

TEST(BlockFront, CountsWhatIsNotFiniteEitherWay) {
  LastFrame op(Device::cpu());
  Queue queue(Device::cpu());
  Block block(2, {kNan, 1, 1, std::numeric_limits<float>::infinity()});
  Block out(2, std::vector<float>(4));
  ASSERT_EQ(op.process(block.view, out.view), Status::ok);
  EXPECT_EQ(op.nonfinite_samples(), 2U);
  ASSERT_EQ(op.enqueue(queue, block.view, out.view), Status::ok);
  queue.synchronize();
  EXPECT_EQ(op.nonfinite_samples(), 4U);
}

TEST(BlockFront, ResetForgetsThePastAndKeepsTheCount) {
  LastFrame op(Device::cpu());
  Block block(2, {kNan, 8, 1, 9});
  ASSERT_EQ(op.process(block.view, block.view), Status::ok);
  op.reset();
  Block silence(1, {0, 0});
  ASSERT_EQ(op.process(silence.view, silence.view), Status::ok);
  EXPECT_THAT(silence.samples, ElementsAre(0, 0));
  EXPECT_EQ(op.nonfinite_samples(), 1U);
}

TEST(BlockFront, AnEnqueuedResetComesInTheQueuesOrder) {
  LastFrame op(Device::cpu());
  Queue queue(Device::cpu());
  Block blocks[] = {{1, {1, 2}}, {1, {3, 4}}, {1, {5, 6}}};
  ASSERT_EQ(op.enqueue(queue, blocks[0].view, blocks[0].view), Status::ok);
  ASSERT_EQ(op.enqueue(queue, blocks[1].view, blocks[1].view), Status::ok);
  ASSERT_EQ(op.enqueue_reset(queue), Status::ok);
  ASSERT_EQ(op.enqueue(queue, blocks[2].view, blocks[2].view), Status::ok);
  queue.synchronize();
  EXPECT_THAT(blocks[1].samples, ElementsAre(1, 2));
  EXPECT_THAT(blocks[2].samples, ElementsAre(0, 0));
}

TEST(BlockFront, AMovedOneGoesOnWhereItWas) {
  LastFrame op(Device::cpu());
  Block block(1, {5, 6});
  ASSERT_EQ(op.process(block.view, block.view), Status::ok);
  LastFrame moved(std::move(op));
  ASSERT_EQ(moved.process(block.view, block.view), Status::ok);
  EXPECT_THAT(block.samples, ElementsAre(5, 6));
}

}  // namespace
}  // namespace ringwave::backend

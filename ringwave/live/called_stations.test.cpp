// SPDX-License-Identifier: Apache-2.0
#include "ringwave/live/called_stations.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "ringwave/synth/renderer.hpp"

namespace ringwave::live {
namespace {

/// How a device answers.
struct Answers {
  Status submit = Status::ok;
  Status fetch = Status::ok;
  int in_flight = 0;
};

class FakeTwin final : public synth::RendererTwin {
 public:
  explicit FakeTwin(Answers& answers) : answers_(answers) {}

  Status submit(const synth::RenderJob& /*job*/) noexcept override {
    answers_.in_flight += answers_.submit == Status::ok ? 1 : 0;
    return answers_.submit;
  }
  Status fetch() noexcept override {
    --answers_.in_flight;
    return answers_.fetch;
  }
  [[nodiscard]] const void* output() const noexcept override { return samples_.data(); }

 private:
  Answers& answers_;
  std::vector<float> samples_ = std::vector<float>(2 * 128, 0.5F);
};

/// A renderer on a device that answers so.
struct Stage {
  Answers answers{};
  CalledStations* port = nullptr;
  synth::Renderer renderer{Device::cpu(), {.max_block_frames = 128}, [this](const synth::RendererRequest&) {
                             auto made =
                                 std::make_unique<CalledStations>(std::make_unique<FakeTwin>(answers));
                             port = made.get();
                             return made;
                           }};
};

TEST(CalledStations, HaveTheBlockWhenItIsSubmitted) {
  Stage stage;
  ASSERT_EQ(stage.renderer.start(0, {}), Status::ok);
  ASSERT_EQ(stage.renderer.submit({}, 128), Status::ok);
  EXPECT_EQ(stage.answers.in_flight, 0);
  ASSERT_EQ(stage.renderer.fetch(), Status::ok);
  ASSERT_EQ(stage.renderer.samples(0).size(), 256U);
  EXPECT_EQ(stage.renderer.samples(0)[7], 0.5F);
  EXPECT_EQ(stage.port->misses(), 0U);
  EXPECT_EQ(stage.port->kernel(), nullptr);
}

TEST(CalledStations, ABlockThatTheDeviceDoesNotTakeIsAMissAndTheClockStays) {
  Stage stage;
  stage.answers.submit = Status::device_lost;
  EXPECT_EQ(stage.renderer.submit({}, 128), Status::device_lost);
  EXPECT_EQ(stage.renderer.clock(), 0);
  EXPECT_EQ(stage.port->misses(), 1U);
  EXPECT_EQ(stage.port->last_miss(), ring::Delivery::failed);
}

TEST(CalledStations, ABlockThatTheDeviceTookAndDidNotRenderIsTheSame) {
  Stage stage;
  ASSERT_EQ(stage.renderer.submit({}, 128), Status::ok);
  stage.answers.fetch = Status::device_lost;
  for (std::uint64_t misses = 1; misses <= 3; ++misses) {
    EXPECT_EQ(stage.renderer.submit({}, 128), Status::device_lost);
    EXPECT_EQ(stage.renderer.clock(), 128);
    EXPECT_EQ(stage.answers.in_flight, 0);
    EXPECT_EQ(stage.port->misses(), misses);
    stage.answers.fetch = Status::ok;  // it is lost all the same
  }
  EXPECT_EQ(stage.port->last_miss(), ring::Delivery::failed);
  EXPECT_EQ(stage.port->recoveries(), 0U);
}

}  // namespace
}  // namespace ringwave::live

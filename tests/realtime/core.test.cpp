// SPDX-License-Identifier: Apache-2.0
// The [audio] functions that are not an op's process(): core types, queues, and what an op takes between two
// blocks.
#include <gtest/gtest.h>

#include <array>
#include <sstream>
#include <thread>
#include <vector>

#include "ringwave/core/queue.hpp"
#include "ringwave/core/realtime_pool.hpp"
#include "ringwave/core/spsc_ring.hpp"
#include "ringwave/core/trace.hpp"
#include "ringwave/core/triple_buffer.hpp"
#include "ringwave/dsp/biquad.hpp"
#include "ringwave/dsp/butterworth.hpp"
#include "ringwave/dsp/clock_bridge.hpp"
#include "ringwave/dsp/drift_resampler.hpp"
#include "ringwave/dsp/gain.hpp"
#include "ringwave/dsp/level_meter.hpp"
#include "ringwave/dsp/resampler.hpp"
#include "ringwave/dsp/spectrum_meter.hpp"
#include "ringwave/io/playback_ring.hpp"
#include "ringwave/synth/voice_allocator.hpp"
#include "tests/realtime/guard.hpp"
#include "tests/test_label.hpp"

namespace ringwave::realtime {
namespace {

void expect_clean(RealtimeGuard& guard) {
  guard.end();
  EXPECT_EQ(guard.violations(), 0U) << guard.report();
}

TEST(RealtimeCore, PoolMakesNoCallInTenMillionLoans) {
  RealtimePool pool({.block_bytes = 4096, .blocks = 64});
  std::size_t loans = 0;
  RealtimeGuard guard;
  for (int i = 0; i < 10'000'000; ++i) {
    const RealtimePool::Handle handle = pool.acquire();
    loans += pool.release(handle) == RealtimePool::Release::ok ? 1U : 0U;
  }
  expect_clean(guard);
  EXPECT_EQ(loans, 10'000'000U);
}

TEST(RealtimeCore, PlaybackRingMakesNoCallFullEmptyOrAtTheEnd) {
  io::PlaybackRing ring(480);
  const std::vector<float> planes(std::size_t{2} * 480, 0.5F);
  std::array<float, 128> left{};
  std::array<float, 128> right{};
  ring.begin();
  RealtimeGuard guard;
  for (int i = 0; i < 1000; ++i) {
    if (i % 8 == 0) ring.write(BlockView<const float>(planes.data(), 2, 480));
    ring.play(left, right);
  }
  ring.finish();
  for (int i = 0; i < 8; ++i) ring.play(left, right);
  expect_clean(guard);
  EXPECT_GT(ring.underruns(), 0);
  EXPECT_TRUE(ring.is_over());
}

TEST(RealtimeCore, PoolMakesNoCallWhenMisused) {
  RealtimePool pool({.block_bytes = 64, .blocks = 3});
  RealtimePool other({.block_bytes = 64, .blocks = 1});
  std::array<RealtimePool::Handle, 4> handles;
  RealtimeGuard guard;
  for (RealtimePool::Handle& handle : handles) handle = pool.acquire();
  (void)pool.release(handles[0]);
  const auto twice = pool.release(handles[0]);
  const auto foreign = other.release(handles[1]);
  const auto empty = pool.release(handles[3]);
  expect_clean(guard);
  EXPECT_EQ(twice, RealtimePool::Release::released_twice);
  EXPECT_EQ(foreign, RealtimePool::Release::foreign_block);
  EXPECT_EQ(empty, RealtimePool::Release::foreign_block);
}

TEST(RealtimeCore, RingMakesNoCallFullOrEmpty) {
  SpscRing<int> ring(64);
  std::array<int, 100> items{};
  int item = 0;
  std::size_t moved = 0;
  RealtimeGuard guard;
  for (int lap = 0; lap < 1000; ++lap) {
    moved += ring.write(items);
    while (ring.try_pop(item)) ++moved;
    while (ring.try_push(item)) ++moved;
    moved += ring.read(items);
  }
  expect_clean(guard);
  EXPECT_EQ(moved, 1000U * 4 * 64);
}

TEST(RealtimeCore, TripleBufferMakesNoCall) {
  TripleBuffer<std::array<float, 512>> buffer;
  float seen = 0;
  RealtimeGuard guard;
  for (int i = 0; i < 1000; ++i) {
    buffer.write_slot().fill(static_cast<float>(i));
    buffer.publish();
    if (buffer.update()) seen = buffer.read_slot()[511];
  }
  expect_clean(guard);
  EXPECT_EQ(seen, 999.0F);
}

TEST(RealtimeCore, SpansMakeNoCallOnOrOff) {
  trace::stop();
  {
    RealtimeGuard guard;
    for (int i = 0; i < 1000; ++i) const trace::Span span("off");
    expect_clean(guard);
  }
  trace::start({.threads = 2, .events_per_thread = 128});
  {
    RealtimeGuard guard;
    for (int i = 0; i < 1000; ++i) const trace::Span span("on");
    expect_clean(guard);
  }
  trace::stop();
}

TEST(RealtimeCore, TheFirstSpanOfAThreadMakesNoCall) {
  trace::start({.threads = 1, .events_per_thread = 16});
  const auto record_from_a_fresh_thread = [] {
    std::thread([] {
      RealtimeGuard guard;
      trace::name_thread("audio");
      { const trace::Span span("first"); }
      expect_clean(guard);
    }).join();
  };
  record_from_a_fresh_thread();
  EXPECT_EQ(trace::dropped_spans(), 0U);
  record_from_a_fresh_thread();  // finds no ring left
  EXPECT_EQ(trace::dropped_spans(), 1U);
  trace::stop();
  std::ostringstream written;
  trace::write(written);
  EXPECT_NE(written.str().find("\"first\""), std::string::npos);
}

TEST(RealtimeCore, QueueTakesWorkWithoutACallUntilItIsFull) {
  Queue queue(Device::cpu(), {.depth = 8});
  std::atomic<bool> go{false};
  std::atomic<int> done{0};
  queue.submit([&go](NativeQueue) noexcept {
    while (!go.load()) std::this_thread::yield();
  });
  int taken = 0;
  RealtimeGuard guard;
  while (queue.try_submit([&done](NativeQueue) noexcept { done.fetch_add(1); }) == Status::ok) ++taken;
  expect_clean(guard);
  go.store(true);
  queue.synchronize();
  EXPECT_EQ(taken, 7);
  EXPECT_EQ(done.load(), taken);
}

TEST(RealtimeCore, QueueReplaysAGraphWithoutACall) {
  Queue queue(Device::cpu());
  std::vector<float> block(256, 1.0F);
  dsp::Biquad filter(Device::cpu(), {.channels = 1, .max_block_frames = 256},
                     dsp::butterworth_lowpass(4, 1000, 48000));
  const BlockView<float> view = std::span(block);
  const Graph graph = queue.capture([&] { (void)filter.enqueue(queue, view, view); });
  std::array<Status, 4> statuses{};
  RealtimeGuard guard;
  for (Status& status : statuses) status = queue.launch(graph);
  const Status reset = filter.enqueue_reset(queue);
  expect_clean(guard);
  queue.synchronize();
  EXPECT_EQ(statuses, (std::array<Status, 4>{}));
  EXPECT_EQ(reset, Status::ok);
}

TEST(RealtimeCore, LevelMeterMakesNoCall) {
  dsp::LevelMeter meter({.channels = 2, .sample_rate_hz = 48000});
  std::vector<float> block(960, 0.5F);
  const BlockView<const float> view(block.data(), 2, 480);
  float seen = 0;
  RealtimeGuard guard;
  for (int i = 0; i < 100; ++i) {
    (void)meter.process(view);
    seen = meter.level(1).peak;
    if (i == 50) meter.reset();
  }
  const Status refused = meter.process({block.data(), 1, 480});
  expect_clean(guard);
  EXPECT_EQ(seen, 0.5F);
  EXPECT_EQ(refused, Status::wrong_shape);
}

TEST(RealtimeCore, DriftResamplerMakesNoCall) {
  dsp::DriftResampler resampler({.channels = 2, .max_block_frames = 256});
  std::vector<float> in(2 * 300, 0.5F);
  std::vector<float> out(2 * 256);
  Status status = Status::ok;
  RealtimeGuard guard;
  for (int i = 0; i < 100 && status == Status::ok; ++i) {
    resampler.set_speed(i % 2 == 0 ? 1.005 : 0.995);
    status = resampler.process({in.data(), 2, resampler.needed(256)}, {out.data(), 2, 256});
    if (i == 50) resampler.reset();
  }
  const Status refused = resampler.process({in.data(), 2, 1}, {out.data(), 2, 256});
  expect_clean(guard);
  EXPECT_EQ(status, Status::ok);
  EXPECT_EQ(refused, Status::wrong_shape);
}

TEST(RealtimeCore, TheFinestResamplerMakesNoCall) {
  dsp::Resampler resampler(Device::cpu(), {.channels = 2, .quality = dsp::Resampler::Quality::finest});
  std::vector<float> in(2 * 4096, 0.5F);
  std::vector<float> out(in.size());
  Status status = Status::ok;
  RealtimeGuard guard;
  for (const int frames : {4096, 1, 160, 4095}) {
    const Status found =
        resampler.process({in.data(), 2, frames}, {out.data(), 2, resampler.output_frames(frames)});
    if (found != Status::ok) status = found;
  }
  const Status refused = resampler.process({in.data(), 2, 1}, {out.data(), 2, 256});
  expect_clean(guard);
  EXPECT_EQ(status, Status::ok);
  EXPECT_EQ(refused, Status::wrong_shape);
}

TEST(RealtimeCore, ClockBridgeMakesNoCallFullOrEmpty) {
  dsp::ClockBridge bridge({.channels = 2, .max_block_frames = 256, .target_frames = 1024});
  std::vector<float> block(2 * 256, 0.5F);
  const BlockView<float> view(block.data(), 2, 256);
  int sounding = 0;
  RealtimeGuard guard;
  for (int i = 0; i < 300; ++i) {
    const std::int64_t now_ns = i * std::int64_t{5'333'333};
    if (i < 200) (void)bridge.write(view, now_ns);
    if (i < 100 || i > 150) sounding += bridge.read(view, now_ns) == Status::ok ? 1 : 0;
  }
  expect_clean(guard);
  EXPECT_GT(sounding, 100);
  EXPECT_GT(bridge.dropped_frames(), 0U);
  EXPECT_EQ(bridge.underruns(), 1U);
}

TEST(RealtimeCore, SpectrumMeterMakesNoCallWhoeverReadsIt) {
  for (const int size : {1024, 1022}) {  // the second has a factor that FFTW alone would allocate for
    dsp::SpectrumMeter meter({.channels = 2, .size = size, .averaging_s = 0.01});
    std::vector<float> block(960, 0.5F);
    const BlockView<const float> view(block.data(), 2, 480);
    float seen = 0;
    RealtimeGuard guard;
    for (int i = 0; i < 100; ++i) {
      (void)meter.process(view);
      if (meter.update()) seen = meter.bin_levels_db(1)[0] + 0 * meter.band_peaks_db(0)[3];
      if (i == 50) meter.reset();
    }
    const Status refused = meter.process({block.data(), 1, 480});
    expect_clean(guard);
    EXPECT_NEAR(seen, -6.02F, 0.1F);
    EXPECT_EQ(refused, Status::wrong_shape);
  }
}

class RealtimeOpControls : public testing::TestWithParam<Device> {};

TEST_P(RealtimeOpControls, GainChangesAndResetsWithoutACall) {
  dsp::Gain gain(GetParam(), {.channels = 2, .max_block_frames = 64, .ramp_frames = 100});
  std::vector<float> block(128, 1.0F);
  const BlockView<float> view(block.data(), 2, 64);
  ASSERT_EQ(gain.process(view, view), Status::ok);
  RealtimeGuard guard;
  for (int i = 0; i < 8; ++i) {
    (void)gain.set_gain(0.5F + 0.1F * static_cast<float>(i));
    (void)gain.process(view, view);
    if (i % 4 == 3) gain.reset();
  }
  expect_clean(guard);
}

TEST_P(RealtimeOpControls, BiquadResetsAndRefusesWithoutACall) {
  dsp::Biquad filter(GetParam(), {.channels = 2, .max_block_frames = 64},
                     dsp::butterworth_lowpass(4, 1000, 48000));
  std::vector<float> block(256, 1.0F);
  const BlockView<float> view(block.data(), 2, 64);
  const BlockView<float> too_long(block.data(), 2, 128);
  ASSERT_EQ(filter.process(view, view), Status::ok);
  filter.reset();
  RealtimeGuard guard;
  for (int i = 0; i < 4; ++i) {
    (void)filter.process(view, view);
    filter.reset();
  }
  const Status status = filter.process(too_long, too_long);
  expect_clean(guard);
  EXPECT_EQ(status, Status::wrong_shape);
}

INSTANTIATE_TEST_SUITE_P(Devices, RealtimeOpControls, testing::ValuesIn(Device::all()),
                         [](const auto& test) { return device_label(test.param); });

TEST(RealtimeCore, NotesFindTheirVoices) {
  synth::VoiceAllocator allocator({.voices = 4, .spares = 2});
  int found = 0;
  RealtimeGuard guard;
  for (std::int64_t frame = 0; frame < 100'000; frame += 100)
    if (allocator.begin({frame, frame + 1000, 2000})) ++found;
  expect_clean(guard);
  EXPECT_GT(found, 300);
  EXPECT_GT(allocator.stolen_notes(), 100U);
}

}  // namespace
}  // namespace ringwave::realtime

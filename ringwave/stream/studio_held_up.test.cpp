// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "ringwave/io/stream_encoder.hpp"
#include "ringwave/stream/studio.hpp"
#include "ringwave/synth/renderer_twins.hpp"

namespace ringwave::stream {
namespace {

using io::StreamFormat;

constexpr std::chrono::seconds kPatience{60};
// More than there is room for anywhere between the renderer and a listener.
constexpr std::size_t kLong = 150;

/// Where a thread is held back until it is let go.
class Hold {
 public:
  void pass() {
    std::unique_lock lock(mutex_);
    is_held_ = true;
    changed_.notify_all();
    if (!changed_.wait_for(lock, 2 * kPatience, [this] { return is_open_; })) was_forgotten_ = true;
    is_held_ = false;
  }
  [[nodiscard]] bool await() {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, kPatience, [this] { return is_held_; });
  }
  void open() {
    const std::lock_guard lock(mutex_);
    is_open_ = true;
    changed_.notify_all();
  }
  /// Somebody is held back, and was all the time.
  [[nodiscard]] bool holds() {
    const std::lock_guard lock(mutex_);
    return is_held_ && !was_forgotten_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_held_ = false;
  bool is_open_ = false;
  bool was_forgotten_ = false;
};

/// Opens a hold in time, also where a test fails.
class Opening {
 public:
  explicit Opening(Hold& hold) : hold_(hold) {}
  ~Opening() { hold_.open(); }
  Opening(const Opening&) = delete;  // there is one end of the test
  Opening& operator=(const Opening&) = delete;

 private:
  Hold& hold_;
};

/// The format's own encoder, held back at its second block.
class HeldEncoder final : public io::StreamEncoder {
 public:
  HeldEncoder(const Spec& spec, Hold& hold) : encoder_(io::make_stream_encoder(spec)), hold_(hold) {}

  [[nodiscard]] std::span<const std::byte> header() const noexcept override { return encoder_->header(); }
  void encode(std::span<const std::int16_t> block, std::vector<std::byte>& out) override {
    if (++blocks_ == 2) hold_.pass();
    encoder_->encode(block, out);
  }

 private:
  std::unique_ptr<io::StreamEncoder> encoder_;
  Hold& hold_;
  int blocks_ = 0;
};

/// The CPU's twin of the renderer on a device that can be lost.
class LosableTwin final : public synth::RendererTwin {
 public:
  LosableTwin(const synth::RendererRequest& request, const std::atomic<bool>& is_lost)
      : twin_(synth::make_renderer_cpu(Device::cpu(), request)), is_lost_(is_lost) {}

  Status submit(const synth::RenderJob& job) noexcept override {
    return is_lost_ ? Status::device_lost : twin_->submit(job);
  }
  Status fetch() noexcept override { return twin_->fetch(); }
  [[nodiscard]] const void* output() const noexcept override { return twin_->output(); }

 private:
  std::unique_ptr<synth::RendererTwin> twin_;
  const std::atomic<bool>& is_lost_;
};

Studio::Spec small() {
  // A sanitizer makes a machine slow, and the load high.
  return {.device = Device::cpu(),
          .most_stations = 8,
          .most_playing = 4,
          .render_threads = 1,
          .encode_threads = 2,
          .most_load = 100};
}

/// Those that come within the time that a test has.
std::vector<PacketPtr> hear(Listener& listener, std::size_t packets) {
  const auto end = std::chrono::steady_clock::now() + kPatience;
  std::vector<PacketPtr> heard;
  std::array<PacketPtr, 8> taken;
  while (heard.size() < packets && std::chrono::steady_clock::now() < end) {
    const std::size_t count =
        listener.take(std::span(taken).first(std::min(taken.size(), packets - heard.size())));
    heard.insert(heard.end(), taken.begin(), taken.begin() + static_cast<std::ptrdiff_t>(count));
    if (count == 0) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return heard;
}

bool goes_on(Listener& listener, std::size_t packets) {
  const auto heard = hear(listener, packets);
  for (std::size_t i = 1; i < heard.size(); ++i)
    if (heard[i]->sample_time != heard[i - 1]->sample_time + Studio::kBlockFrames) return false;
  return heard.size() == packets;
}

/// Everything that can be asked of a studio, about a station that is held up and others. The stations "held"
/// and "other" are there.
void ask_everything(Studio& studio) {
  EXPECT_TRUE(studio.find("held").is_playing);
  EXPECT_EQ(studio.change("held", {.bpm = 60}, "slow").preset, "slow");
  EXPECT_EQ(studio.find("held").settings.bpm, 60);
  EXPECT_GE(studio.list().size(), 2U);
  EXPECT_GE(studio.stats().playing, 1);
  EXPECT_GE(studio.load(), 0);
  EXPECT_EQ(studio.device(), Device::cpu());
  (void)studio.render_seconds().total();
  (void)studio.replay("held", 0);
  EXPECT_EQ(studio.create({.id = "new"}).id, "new");
  EXPECT_TRUE(studio.change("other", {.key = 3}, "").preset.empty());
  studio.remove("new");
  EXPECT_TRUE(studio.is_gone("new"));
  EXPECT_FALSE(studio.is_gone("held"));
  studio.save();
}

TEST(StudioHeldUp, AnEncoderHoldsUpNeitherOtherFormatsNorOtherStationsNorCalls) {
  Hold hold;
  Studio::Spec spec = small();
  spec.make_encoder = [&hold](const io::StreamEncoder::Spec& wish) -> std::unique_ptr<io::StreamEncoder> {
    if (wish.title == "held" && wish.format == StreamFormat::opus)
      return std::make_unique<HeldEncoder>(wish, hold);
    return io::make_stream_encoder(wish);
  };
  Studio studio(std::move(spec));
  (void)studio.create({.id = "held", .seed = 1});
  (void)studio.create({.id = "other", .seed = 2});
  (void)studio.create({.id = "asleep", .seed = 3});
  const Opening opening(hold);
  const auto held = studio.listen("held", StreamFormat::opus, 0);
  const auto beside = studio.listen("held", StreamFormat::pcm, 0);
  const auto other = studio.listen("other", StreamFormat::opus, 0);
  ASSERT_TRUE(hold.await());
  ask_everything(studio);
  EXPECT_TRUE(goes_on(*beside, kLong)) << "the same station in another format";
  EXPECT_TRUE(goes_on(*other, 100));
  const auto late = studio.listen("held", StreamFormat::opus, 1);
  const auto woken = studio.listen("asleep", StreamFormat::pcm, 0);
  EXPECT_TRUE(goes_on(*woken, 20)) << "a station that wakes meanwhile";
  EXPECT_EQ(studio.stats().dropped_blocks, 0U);
  EXPECT_EQ(beside->skipped(), 0U);
  EXPECT_TRUE(hold.holds());
  hold.open();
  EXPECT_EQ(hear(*held, 20).size(), 20U) << "and it goes on";
  EXPECT_EQ(hear(*late, 20).size(), 20U);
}

TEST(StudioHeldUp, AStationCanBeRemovedWhileItsEncoderIsHeldUp) {
  Hold hold;
  Studio::Spec spec = small();
  spec.most_playing = 1;
  spec.make_encoder = [&hold](const io::StreamEncoder::Spec& wish) -> std::unique_ptr<io::StreamEncoder> {
    if (wish.title == "held") return std::make_unique<HeldEncoder>(wish, hold);
    return io::make_stream_encoder(wish);
  };
  Studio studio(std::move(spec));
  (void)studio.create({.id = "held"});
  (void)studio.create({.id = "other"});
  const Opening opening(hold);
  auto held = studio.listen("held", StreamFormat::pcm, 0);
  ASSERT_TRUE(hold.await());
  studio.remove("held");
  held.reset();
  std::unique_ptr<Listener> other;
  const auto end = std::chrono::steady_clock::now() + kPatience;
  while (!other && std::chrono::steady_clock::now() < end) {
    try {
      other = studio.listen("other", StreamFormat::pcm, 0);
    } catch (const std::exception&) {  // its place is free once the renderer is done with it
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  }
  ASSERT_TRUE(other);
  EXPECT_TRUE(goes_on(*other, 20));
  EXPECT_TRUE(hold.holds());
}

TEST(StudioHeldUp, AnEncoderThatIsLongInTheMakingHoldsUpNothing) {
  Hold hold;
  Studio::Spec spec = small();
  spec.make_encoder = [&hold](const io::StreamEncoder::Spec& wish) {
    if (wish.title == "held" && wish.format == StreamFormat::mp3) hold.pass();
    return io::make_stream_encoder(wish);
  };
  Studio studio(std::move(spec));
  (void)studio.create({.id = "held", .seed = 1});
  (void)studio.create({.id = "other", .seed = 2});
  const auto beside = studio.listen("held", StreamFormat::pcm, 0);
  const auto other = studio.listen("other", StreamFormat::opus, 0);
  std::unique_ptr<Listener> held;
  {
    std::jthread caller([&] { held = studio.listen("held", StreamFormat::mp3, 0); });
    const Opening opening(hold);
    ASSERT_TRUE(hold.await());
    ask_everything(studio);
    EXPECT_TRUE(goes_on(*beside, 30));
    EXPECT_TRUE(goes_on(*other, 30));
    const auto ogg = studio.listen("held", StreamFormat::ogg_opus, 0);
    EXPECT_FALSE(hear(*ogg, 2).empty());
    EXPECT_TRUE(hold.holds());
  }
  EXPECT_EQ(hear(*held, 5).size(), 5U);
}

TEST(StudioHeldUp, ARendererThatIsLongInTheMakingHoldsUpNoCall) {
  Hold hold;
  std::atomic<bool> is_lost{false};
  std::atomic<int> made{0};
  Studio::Spec spec = small();
  spec.make_renderer = [&](Device device, const synth::Renderer::Spec& wish) {
    if (made++ > 0) {
      hold.pass();
      return synth::Renderer(device, wish);
    }
    return synth::Renderer(device, wish, [&](const synth::RendererRequest& request) {
      return std::make_unique<LosableTwin>(request, is_lost);
    });
  };
  Studio studio(std::move(spec));
  (void)studio.create({.id = "held", .seed = 1});
  (void)studio.create({.id = "other", .seed = 2});
  const Opening opening(hold);
  const auto first = studio.listen("held", StreamFormat::pcm, 0);
  const auto before = hear(*first, 10);
  is_lost = true;
  ASSERT_TRUE(hold.await());
  ask_everything(studio);
  const auto second = studio.listen("other", StreamFormat::flac, 0);
  EXPECT_FALSE(second->header().empty());
  EXPECT_EQ(studio.stats().device_losses, 1U);
  EXPECT_TRUE(hold.holds());
  hold.open();
  const auto after = hear(*first, 40);
  ASSERT_EQ(after.size(), 40U) << "it goes on on the other device";
  EXPECT_GT(after.back()->sample_time, before.back()->sample_time);
  EXPECT_EQ(hear(*second, 20).size(), 20U);
  EXPECT_EQ(studio.stats().device_losses, 1U);
}

}  // namespace
}  // namespace ringwave::stream

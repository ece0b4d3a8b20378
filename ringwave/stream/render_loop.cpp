// SPDX-License-Identifier: Apache-2.0
#include "ringwave/stream/render_loop.hpp"

#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "ringwave/core/thread_name.hpp"

namespace ringwave::stream {
namespace {

constexpr std::size_t kMostWishes = 4096;
constexpr std::size_t kEventsPerStation = 64;
constexpr int kPriority = 10;  // of real-time threads, low: audio servers have more

synth::Renderer::Spec renderer_spec(const RenderLoop::Spec& spec) {
  return {.stations = spec.stations,
          .voices = LiveStation::kVoices + LiveStation::kSpares,
          .max_block_frames = spec.block_frames,
          .sample_rate_hz = spec.sample_rate_hz,
          .format = synth::Renderer::Format::int16,
          .threads = spec.threads};
}

synth::Renderer make_renderer(const RenderLoop::Spec& spec) {
  if (spec.make_renderer) return spec.make_renderer(spec.device, renderer_spec(spec));
  return {spec.device, renderer_spec(spec)};
}

/// Where the system allows it; elsewhere it runs as all others do.
void ask_for_priority() noexcept {
  const sched_param wish{.sched_priority = kPriority};
  (void)pthread_setschedparam(pthread_self(), SCHED_FIFO, &wish);
}

double seconds_between(Clock::Time from, Clock::Time to) {
  return std::chrono::duration<double>(to - from).count();
}

}  // namespace

RenderLoop::RenderLoop(Spec spec)
    : spec_(std::move(spec)),
      renderer_(make_renderer(spec_)),
      in_flight_limit_(renderer_.device().kind() == DeviceKind::cpu ? 1 : synth::Renderer::kBlocksInFlight),
      wishes_(kMostWishes),
      clock_(spec_.sample_rate_hz) {
  playing_.reserve(static_cast<std::size_t>(spec_.stations));
  events_.reserve(kEventsPerStation * static_cast<std::size_t>(spec_.stations));
  thread_ = std::thread([this] { run(); });
}

RenderLoop::~RenderLoop() {
  stopping_ = true;
  wake_.release();
  thread_.join();
}

bool RenderLoop::start(LiveStation& station) {
  return push({&station, true});
}

bool RenderLoop::stop(LiveStation& station) {
  return push({&station, false});
}

bool RenderLoop::push(const Wish& wish) {
  const std::lock_guard lock(wishing_);
  const bool taken = wishes_.try_push(wish);
  wake_.release();
  return taken;
}

Clock::Time RenderLoop::due() const noexcept {
  return Clock::Time(std::chrono::nanoseconds(due_ns_.load(std::memory_order_relaxed)));
}

void RenderLoop::run() {
  name_thread("render");
  ask_for_priority();
  while (!stopping_) {
    obey();
    if (playing_.empty()) {
      rest();
      continue;
    }
    keep_time();
    const auto begun = std::chrono::steady_clock::now();
    const Status status = render();
    const auto done = std::chrono::steady_clock::now();
    frame_ += spec_.block_frames;
    const auto deadline = clock_.time_of(frame_);
    const double took = seconds_between(begun, done);
    seconds_.add(took);
    blocks_.fetch_add(1, std::memory_order_relaxed);
    if (done > deadline) misses_.fetch_add(1, std::memory_order_relaxed);
    meter_.add(took, clock_.seconds(spec_.block_frames), static_cast<double>(playing_.size()));
    due_ns_.store(deadline.time_since_epoch().count(), std::memory_order_relaxed);
    if (status != Status::ok) lose();
    if (spec_.rendered) spec_.rendered();
  }
}

/// Until there is something to do; time begins anew then.
void RenderLoop::rest() {
  meter_.clear();
  wake_.acquire();
  clock_ = Clock(spec_.sample_rate_hz);
  frame_ = 0;
}

void RenderLoop::keep_time() {
  const auto due = clock_.time_of(frame_);
  const auto now = std::chrono::steady_clock::now();
  if (seconds_between(due, now) > kMostCatchUpSeconds) {
    clock_ = Clock(spec_.sample_rate_hz, now);  // the machine slept, say
    frame_ = 0;
  } else {
    std::this_thread::sleep_until(due);
  }
}

void RenderLoop::obey() noexcept {
  Wish wish{};
  while (wishes_.try_pop(wish)) {
    if (lost_ || (wish.starts && wish.station->start(renderer_) != Status::ok))
      wish.station->end();
    else if (wish.starts)
      playing_.push_back(wish.station);
    else
      (void)renderer_.stop(wish.station->slot());
  }
}

Status RenderLoop::render() noexcept {
  events_.clear();
  for (LiveStation* station : playing_) station->perform(renderer_, spec_.block_frames, events_);
  const auto most = std::min(events_.size(), static_cast<std::size_t>(renderer_.max_events()));
  const std::int64_t begin = renderer_.clock();
  if (const Status status = renderer_.submit(std::span(events_).first(most), spec_.block_frames);
      status != Status::ok)
    return status;
  block_begins_[in_flight_++] = begin;
  if (in_flight_ < in_flight_limit_) return Status::ok;
  if (const Status status = renderer_.fetch(); status != Status::ok) return status;
  for (LiveStation* station : playing_) station->hear(renderer_, block_begins_[0]);
  std::shift_left(std::begin(block_begins_), std::end(block_begins_), 1);
  --in_flight_;
  end_stopped();
  return Status::ok;
}

void RenderLoop::end_stopped() noexcept {
  std::erase_if(playing_, [this](LiveStation* station) {
    if (renderer_.is_playing(station->slot())) return false;
    station->end();
    return true;
  });
}

void RenderLoop::lose() noexcept {
  lost_.store(true, std::memory_order_release);
  for (LiveStation* station : playing_) station->end();
  playing_.clear();
}

}  // namespace ringwave::stream

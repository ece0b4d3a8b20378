// SPDX-License-Identifier: Apache-2.0
#include "tests/realtime/guard.hpp"

#include <execinfo.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "tests/realtime/system_calls.hpp"

namespace ringwave::realtime {
namespace {

constexpr std::size_t kMostWays = 4096;  // a driver alone has hundreds

// In the program itself and constant-initialised, so that looking at it never allocates.
constinit thread_local RealtimeGuard* watching = nullptr;

}  // namespace

RealtimeGuard::RealtimeGuard() {
  ways_.reserve(kMostWays);
  void* frames[4];
  (void)backtrace(frames, 4);  // its first call loads a library
  open_system_call_watch();
  watching = this;
  block_system_calls(true);
}

void RealtimeGuard::end() noexcept {
  if (!std::exchange(watching_, false)) return;
  block_system_calls(false);
  watching = nullptr;
  close_system_call_watch();
}

void RealtimeGuard::record(Violation violation, const void* caller) noexcept {
  constexpr int kOwnFrames = 8;  // of the guard, in front of the caller
  void* frames[Violation::kMostFrames + kOwnFrames];
  const int found = backtrace(frames, static_cast<int>(std::size(frames)));
  void** const end = frames + found;
  void** begin = std::find(frames, end, caller);
  if (begin == end) begin = frames;
  violation.depth = std::min(static_cast<std::size_t>(end - begin), Violation::kMostFrames);
  std::copy_n(begin, violation.depth, violation.stack.begin());
  violation.times = 1;
  const auto known = std::ranges::find_if(ways_, [&](const Violation& v) { return v.same_way(violation); });
  if (known != ways_.end())
    ++known->times;
  else if (ways_.size() < kMostWays)
    ways_.push_back(violation);
  else
    ++forgotten_;
}

void RealtimeGuard::classify() {
  end();
  for (const Violation& violation : std::exchange(ways_, {}))
    if (is_of_driver(violation, symbols_))
      driver_violations_ += violation.times;
    else
      ours_.push_back(violation);
}

std::size_t RealtimeGuard::violations() {
  classify();
  std::size_t count = forgotten_;
  for (const Violation& violation : ours_) count += violation.times;
  return count;
}

std::size_t RealtimeGuard::driver_violations() {
  classify();
  return driver_violations_;
}

std::string RealtimeGuard::report() {
  classify();
  std::string text;
  for (const Violation& violation : ours_) text += describe(violation, symbols_);
  if (forgotten_ != 0) text += std::to_string(forgotten_) + " more calls on yet other stacks\n";
  return text;
}

Trespass::Trespass(const char* function, const void* caller) noexcept
    : guard_(std::exchange(watching, nullptr)) {
  if (guard_ == nullptr) return;
  block_system_calls(false);
  const int error = errno;
  guard_->record({.function = function}, caller);
  errno = error;
}

Trespass::~Trespass() {
  if (guard_ == nullptr) return;
  watching = guard_;
  block_system_calls(true);
}

void record_system_call(long number, void* caller) noexcept {
  RealtimeGuard* const guard = std::exchange(watching, nullptr);
  if (guard == nullptr) return;
  guard->record({.system_call = number}, caller);
  watching = guard;
}

}  // namespace ringwave::realtime

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <string>

#if defined(__x86_64__)
#include <x86intrin.h>
#else
#include <chrono>
#endif

#include "ringwave/core/realtime.hpp"

/// Spans of time, recorded per thread without a lock or an allocation, written as JSON that chrome://tracing
/// and ui.perfetto.dev open.
///
///   trace::start({});
///   { const trace::Span span("render"); … }
///   trace::write("run.json");
namespace ringwave::trace {

struct Spec {
  std::size_t threads = 64;               ///< threads that can record; a later one counts as dropped
  std::size_t events_per_thread = 16384;  ///< a thread's ring keeps its newest events
};

/// Allocates the rings and begins to record. Starting again drops what was recorded. While it runs, no thread
/// may be inside a span. [setup]
void start(Spec spec);

/// Stops recording; what is recorded stays. [any]
void stop() noexcept;

/// Gives the calling thread a name in the trace. [any]
void name_thread(const char* name) noexcept;

/// Writes what is recorded; threads still recording may lose a few events of it. [setup]
void write(std::ostream& out);

/// The same into a file that appears under its name only when it is whole. Throws BadFile. [setup]
void write(const std::string& path);

/// Spans that found no ring because more than Spec::threads recorded. [any]
[[nodiscard]] std::uint64_t dropped_spans() noexcept;

namespace detail {

inline std::atomic<bool> enabled{false};

/// The cheapest monotonic counter of the machine; trace.cpp knows its rate.
inline std::uint64_t ticks() noexcept {
#if defined(__x86_64__)
  return __rdtsc();
#else
  return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
#endif
}

void record(const char* name, std::uint64_t begin, std::uint64_t end) noexcept;

}  // namespace detail

/// Records the time from its construction to its destruction. `name` must live as long as the program: a
/// literal.
class Span {
 public:
  /// [audio]
  RW_REALTIME explicit Span(const char* name) noexcept
      : name_(detail::enabled.load(std::memory_order_relaxed) ? name : nullptr),
        begin_(name_ != nullptr ? detail::ticks() : 0) {}
  ~Span() {
    if (name_ != nullptr) detail::record(name_, begin_, detail::ticks());
  }
  Span(const Span&) = delete;  // it measures its own scope
  Span& operator=(const Span&) = delete;

 private:
  const char* name_;
  std::uint64_t begin_;
};

/// Calls `work` in a Span. Where nothing records, the call may be a function's last act, a jump: that saves a
/// small op some nanoseconds. [audio]
template <class Work>
RW_REALTIME auto traced(const char* name, const Work& work) noexcept {
  if (!detail::enabled.load(std::memory_order_relaxed)) return work();
  const Span span(name);
  return work();
}

}  // namespace ringwave::trace

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ringwave/core/device.hpp"

namespace ringwave::bench {

/// What a look at an output found.
struct Check {
  bool ok = true;
  double error = 0;  ///< how far it is off, as a factor of full scale unless `note` says otherwise
  std::string note;  ///< for people: "148 dB", or what is wrong
};

/// One way to do the work: ours or a peer's.
struct Contender {
  std::string name;
  std::size_t operations = 1;  ///< that one sample does; times are reported for one of them
  /// Does one sample with the inputs of that round and returns the nanoseconds it took; timed() makes one.
  /// Not finite: it could not do it.
  std::function<double(std::size_t round)> sample;
  /// Looks at what the last sample left behind.
  std::function<Check()> check;
};

/// 999 samples of a thousand of ours against a peer's.
struct TailGoal {
  std::string peer;
  double at_most_times = 1;
};

/// What a case should reach; shown beside the result and never a reason to fail.
struct Goal {
  std::optional<double> at_most_ns;          ///< the median
  std::optional<double> at_most_p999_ns;     ///< 999 samples of a thousand
  std::optional<double> times_fastest_peer;  ///< fastest peer's median over ours
  std::optional<TailGoal> tail;
  std::optional<double> at_most_error;  ///< Check::error of ours
};

/// Which of a device's measured bandwidths bounds a case.
enum class Bound : unsigned char { memory, host_to_device, device_to_host };

/// Ours and its peers at the same work, ready to run.
struct Duel {
  std::vector<Contender> peers;
  Contender ours;    ///< ends before its peers do: what of it is resident on a device is in nobody's way
  double bytes = 0;  ///< read plus written by one operation; 0: not a matter of bandwidth
  double flops = 0;  ///< of one operation; 0: not a matter of arithmetic
  Bound bound = Bound::memory;
  std::chrono::microseconds idle_gap{0};  ///< slept before every sample, as a real-time caller does
  std::size_t least_samples = 5;
  Goal goal;
  std::vector<std::string> notes;  ///< what the reader should know: a peer that is absent, and why
  std::string skipped;             ///< why there is nothing to measure here; empty otherwise
};

/// What can be measured: cheap to list, prepared only when it is run.
struct Case {
  std::string name;  ///< "biquad/8ch-60s/cpu": what, how much, where
  std::string summary;
  Device device;
  std::function<Duel()> prepare;
};

/// The time between two blocks of 128 frames at 48 kHz.
inline constexpr std::chrono::microseconds kIdleGap{2667};

/// A sample that a steady clock times around `work(round)`. [setup]
template <class Work>
[[nodiscard]] std::function<double(std::size_t)> timed(Work work) {
  return [work = std::move(work)](std::size_t round) mutable {
    const auto begin = std::chrono::steady_clock::now();
    work(round);
    const std::chrono::duration<double, std::nano> elapsed = std::chrono::steady_clock::now() - begin;
    return elapsed.count();
  };
}

}  // namespace ringwave::bench

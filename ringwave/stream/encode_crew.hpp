// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <semaphore>
#include <thread>
#include <vector>

#include "ringwave/io/stream_format.hpp"
#include "ringwave/stream/detail/channel.hpp"
#include "ringwave/stream/histogram.hpp"
#include "ringwave/stream/load_meter.hpp"
#include "ringwave/stream/station.hpp"

namespace ringwave::stream {

/// Threads that compose, encode and publish what was rendered. Each begins with other stations and then does
/// what it finds undone, so that one that is held up holds up nothing but what it has in hand.
class EncodeCrew {
 public:
  using Stations = std::shared_ptr<const std::vector<std::shared_ptr<Station>>>;
  struct Spec {
    int threads = 2;
    std::function<Stations()> stations;  ///< those that play; asked by every thread for every block
    std::function<void()> published;     ///< called by a thread that published something; may be empty
  };

  explicit EncodeCrew(Spec spec);
  ~EncodeCrew() { stop(); }
  EncodeCrew(const EncodeCrew&) = delete;  // its threads hold it by reference
  EncodeCrew& operator=(const EncodeCrew&) = delete;

  /// A block of all stations was rendered, or there is something to compose. [audio]
  void wake() noexcept;
  /// Ends the threads; wake() then does nothing. [setup]
  void stop() noexcept;

  /// Of the busiest thread. [any]
  [[nodiscard]] double load() const noexcept;
  /// That of all threads with so many stations in all. [any]
  [[nodiscard]] double load_with(double stations) const noexcept;
  /// Seconds that encoding a block took. [any]
  [[nodiscard]] const Histogram& seconds(io::StreamFormat format) const noexcept {
    return seconds_[static_cast<std::size_t>(format)];
  }

 private:
  struct Member {
    std::counting_semaphore<> wake{0};
    LoadMeter meter;
    std::thread thread;
  };

  void run(std::size_t number);
  std::size_t go_round(std::size_t number);

  Spec spec_;
  EncodeSeconds seconds_;
  std::atomic<bool> stopping_{false};
  std::vector<std::unique_ptr<Member>> members_;
};

}  // namespace ringwave::stream

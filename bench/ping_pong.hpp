// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <thread>

#include "bench/case.hpp"
#include "ringwave/core/spsc_ring.hpp"

namespace ringwave::bench {

/// The least that a round trip between two threads takes: a ring of 64-byte items each way, with nothing but
/// an index that the other side watches.
class PingPong {
 public:
  PingPong() : thread_([this] { answer(); }) {}
  ~PingPong() {
    stop_.store(true, std::memory_order_relaxed);
    set_awake(true);
    thread_.join();
  }
  PingPong(const PingPong&) = delete;  // a thread knows it
  PingPong& operator=(const PingPong&) = delete;

  /// The other thread looks as long as this lives, and sleeps otherwise.
  class Awake {
   public:
    explicit Awake(PingPong& owner) : owner_(owner) { owner_.set_awake(true); }
    ~Awake() { owner_.set_awake(false); }
    Awake(const Awake&) = delete;  // one of them sends it to sleep
    Awake& operator=(const Awake&) = delete;

   private:
    PingPong& owner_;
  };

  void round_trip(std::size_t round) noexcept {
    const auto number = static_cast<std::int64_t>(round);
    there_.put(count_, number);
    while (back_.tail.load(std::memory_order_acquire) == count_) {
    }
    if (back_.at(count_).number != number) ++wrong_;
    ++count_;
  }

  [[nodiscard]] Check check() const {
    return {wrong_ == 0, 0, wrong_ == 0 ? "" : std::to_string(wrong_) + " wrong"};
  }

 private:
  struct alignas(64) Item {
    std::int64_t number = 0;
    std::int64_t rest[7]{};
  };
  struct Ring {
    alignas(kCacheLinePair) std::atomic<std::uint64_t> tail{0};
    alignas(kCacheLinePair) Item items[64];

    Item& at(std::uint64_t index) noexcept { return items[index % 64]; }
    void put(std::uint64_t index, std::int64_t number) noexcept {
      at(index) = {number, {}};
      tail.store(index + 1, std::memory_order_release);
    }
  };

  void set_awake(bool awake) noexcept {
    awake_.store(awake, std::memory_order_release);
    awake_.notify_one();
  }

  void answer() noexcept {
    for (std::uint64_t count = 0; !stop_.load(std::memory_order_relaxed);) {
      awake_.wait(false, std::memory_order_acquire);
      if (there_.tail.load(std::memory_order_acquire) == count) continue;
      back_.put(count, there_.at(count).number);
      ++count;
    }
  }

  Ring there_;
  Ring back_;
  std::uint64_t count_ = 0;
  std::uint64_t wrong_ = 0;
  std::atomic<bool> stop_{false};
  std::atomic<bool> awake_{false};
  std::thread thread_;
};

}  // namespace ringwave::bench

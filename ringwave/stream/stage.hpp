// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "ringwave/stream/detail/place.hpp"
#include "ringwave/stream/detail/published.hpp"
#include "ringwave/stream/render_loop.hpp"
#include "ringwave/stream/station.hpp"

namespace ringwave::stream {

/// Where stations play: the places of a render loop, and who is in them. Where the device fails, they go on
/// on the CPU as soon as a loop for it is built, which a thread of its own does.
///
/// Its lock is of those who wake and stop stations among themselves, and nothing is composed or built under
/// it. Who encodes or listens looks at playing() and loop(), which wait for nobody. Stations go after it.
class Stage {
 public:
  using StationPtr = std::shared_ptr<Station>;
  using Stations = std::vector<StationPtr>;
  struct Spec {
    RenderLoop::Spec loop;
    double linger_seconds = 15;  ///< after the last listener has left
    double most_load = 0.7;
    /// Of rendering or encoding, whichever is busier, with one more than so many stations that play.
    std::function<double(std::size_t playing)> load_with_another;
    std::function<void()> woken;  ///< called when stations are to begin: somebody composes
    std::function<void(const std::string&)> report{};  ///< told in a sentence what a person should know
  };

  /// Throws as RenderLoop. [setup]
  explicit Stage(Spec spec);

  /// [any]
  [[nodiscard]] std::shared_ptr<const Stations> playing() const { return playing_.get(); }
  /// The newest one; it stays, as its histograms do. [any]
  [[nodiscard]] const RenderLoop& loop() const noexcept { return *loop_.load(std::memory_order_acquire); }

  /// Throws Refusal where another station could not play: overloaded, gone once all fade out. [server]
  void require_room() const;
  /// Plays it, where it does not play already. Throws Refusal: not_found for a
  /// station that was removed, gone once all fade out, and for one that would begin as require_room().
  /// [server]
  void wake(const StationPtr& station);
  /// It was removed: fades it out, and wakes it no more. [server]
  void remove(const StationPtr& station);
  /// The same where `is_unwanted`, which is asked while nobody can wake it; false where it is not. [server]
  bool remove_if(const StationPtr& station, const std::function<bool()>& is_unwanted);
  /// Fades all of them out, and wakes none again. [server]
  void fade_out();
  /// What is to be done now and then: stops those that nobody hears, makes room, and where the loop has
  /// failed begins another. One thread. [server]
  void tend();

  /// Of this and every earlier loop. [server]
  [[nodiscard]] std::uint64_t deadline_misses() const;
  /// Blocks of stations that nobody took in time. [server]
  [[nodiscard]] std::uint64_t dropped_blocks() const;
  [[nodiscard]] std::uint64_t device_losses() const noexcept { return losses_; }

 private:
  using Loop = std::unique_ptr<RenderLoop>;

  void begin(Loop loop);
  void replace_lost_loop();
  void report(const std::string& sentence) const;
  void require_room_locked() const;
  void stop(const StationPtr& station);
  void retire(std::shared_ptr<Place> place);
  void free_retired();
  void stop_lonely();
  [[nodiscard]] bool give_place(const StationPtr& station);
  [[nodiscard]] bool wake_ended();

  Spec spec_;
  mutable std::mutex mutex_;
  Published<Stations> playing_;  // changes under the lock
  std::vector<int> free_slots_;
  std::vector<std::shared_ptr<Place>> retired_;  // until the renderer is done with them
  std::uint64_t dropped_ = 0;                    // by those that play no more
  bool is_closing_ = false;
  std::vector<Loop> loops_;  // the last is the newest
  std::atomic<RenderLoop*> loop_{nullptr};
  std::atomic<std::uint64_t> losses_{0};

  // Of the thread that tends.
  const RenderLoop* replaced_ = nullptr;  // that was lost last
  std::chrono::steady_clock::time_point build_again_{};
  std::future<Loop> building_;
};

}  // namespace ringwave::stream

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "ringwave/ring/cpu/doorbell.hpp"
#include "ringwave/ring/letter.hpp"
#include "ringwave/ring/reply_desk.hpp"

namespace ringwave::ring {

class KernelCore;
class KernelTable;

/// Brings what kernels on a GPU send to kernels elsewhere, on the CPU or on another GPU, to their inboxes: a
/// thread of a runtime, because no device can wake one, nor should one that is lost take another with it.
///
/// What a kernel sends in one band stays in its order. A message for which there is no room waits, and those
/// of its kernel and band behind it, as their sender would; others do not. Who waits for the answer to a
/// request that comes nowhere is told so; of another message the sender's telemetry says it.
class Forwarder {
 public:
  Forwarder(ReplyDesk& desk, KernelTable& table) : desk_(desk), table_(table) {}
  ~Forwarder() { stop(); }
  Forwarder(const Forwarder&) = delete;  // a thread knows it
  Forwarder& operator=(const Forwarder&) = delete;

  /// From here on looks for messages of that kernel, until it is terminated and has none any more. [setup]
  void add(std::shared_ptr<KernelCore> kernel);
  /// Forgets the kernels that are over, the last who knows of them perhaps: by another thread than the one
  /// that others wait for. [setup]
  void let_go();
  /// Begins, unless it has. [setup]
  void start();
  /// Brings or gives up what is there, forgets all kernels and ends. [setup]
  void stop();
  /// In a forked process, which has not the thread. [setup]
  void abandon();

  /// Looks once for messages of every kernel; true where there were any. Of the thread, or where there is
  /// none. [any]
  bool look();

 private:
  /// A message that was taken and has no room yet.
  struct Waiting {
    Letter letter;
    std::uint16_t target = 0;
    std::int64_t since_ns = 0;  ///< 0: there is none
  };
  struct Line {
    std::shared_ptr<KernelCore> source;
    std::array<Waiting, kBands> bands;
  };

  void run() noexcept;
  void rest() noexcept;
  void take_in_added();
  bool step(KernelCore& source, std::size_t band, Waiting& waiting) noexcept;

  ReplyDesk& desk_;
  KernelTable& table_;
  std::vector<Line> lines_;  // of the thread
  std::mutex mutex_;
  std::vector<std::shared_ptr<KernelCore>> added_;
  std::vector<std::shared_ptr<KernelCore>> over_;
  std::atomic<bool> has_added_{false};
  std::atomic<bool> stopping_{false};
  Doorbell bell_;
  std::int64_t last_ns_ = 0;  // when there was a message
  std::uint32_t looks_ = 0;   // without one
  std::thread thread_;
};

}  // namespace ringwave::ring

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "ringwave/core/buffer.hpp"
#include "ringwave/core/error.hpp"
#include "ringwave/core/queue.hpp"
#include "ringwave/core/relax.hpp"
#include "ringwave/live/block_port.hpp"

namespace ringwave::live {

/// Blocks by an op's own process().
template <class Op>
class DirectPort final : public BlockPort {
 public:
  DirectPort(Op op, int channels, int max_block_frames)
      : op_(std::move(op)),
        channels_(channels),
        input_(static_cast<std::size_t>(channels) * static_cast<std::size_t>(max_block_frames)) {}

  [[nodiscard]] std::span<float> input() noexcept override { return input_; }
  Status process(BlockView<float> out) noexcept override {
    return op_.process({input_.data(), channels_, out.frames()}, out);
  }
  Status reset() noexcept override {
    op_.reset();
    return Status::ok;
  }
  [[nodiscard]] Op& op() noexcept { return op_; }

 private:
  Op op_;
  int channels_;
  std::vector<float> input_;
};

/// Blocks by an op's enqueue() in a queue of a GPU, between pinned memory: launched for each block or, where
/// `replays`, captured once and replayed for every block of the full length. The last piece of work sets a
/// word that process() looks at, so that to wait is no call of the driver and has an end.
template <class Op>
class QueuedPort final : public BlockPort {
 public:
  /// [setup]
  QueuedPort(Op op, int channels, int max_block_frames, std::chrono::nanoseconds deadline, bool replays)
      : op_(std::move(op)),
        channels_(channels),
        max_block_frames_(max_block_frames),
        deadline_(deadline),
        replays_(replays),
        queue_(op_.device()),
        in_(queue_.device(), samples(max_block_frames), HostMemory::pinned),
        out_(queue_.device(), samples(max_block_frames), HostMemory::pinned),
        one_(queue_.device(), 1),
        done_(queue_.device(), 1, HostMemory::pinned) {
    in_.fill(0);
    out_.fill(0);
    one_.fill(1);
    done_.fill(1);
    input_ = in_.overwrite_host();
    output_ = out_.overwrite_host();
    const std::uint32_t* const one = one_.device(queue_).data();
    flag_ = done_.overwrite_host().data();
    queue_.synchronize();
    const auto raise = [&] { queue_.copy(flag_, one, sizeof *one); };
    raise_.emplace(queue_.capture(raise));
    if (replays_)
      block_.emplace(queue_.capture([&] {
        enqueued_ = enqueue(max_block_frames_);
        raise();
      }));
  }
  ~QueuedPort() override {
    try {
      queue_.synchronize();  // what was captured lives until it is done
    } catch (const Error&) {
      return;  // the device is lost, and the work with it
    }
  }
  QueuedPort(const QueuedPort&) = delete;  // captured work names its memory
  QueuedPort& operator=(const QueuedPort&) = delete;

  [[nodiscard]] std::span<float> input() noexcept override { return input_; }

  Status process(BlockView<float> out) noexcept override {
    const auto until = std::chrono::steady_clock::now() + deadline_;
    if (enqueued_ != Status::ok) return enqueued_;
    if (!wait(until)) return Status::late;  // the block before is not done yet
    std::atomic_ref<std::uint32_t>(*flag_).store(0, std::memory_order_relaxed);
    Status status = Status::ok;
    if (replays_ && out.frames() == max_block_frames_) {
      status = queue_.launch(*block_);
    } else {
      status = enqueue(out.frames());
      if (status == Status::ok) status = queue_.launch(*raise_);
    }
    if (status != Status::ok) {
      std::atomic_ref<std::uint32_t>(*flag_).store(1, std::memory_order_relaxed);
      return status;
    }
    if (!wait(until)) return queue_.status() == Status::ok ? Status::late : queue_.status();
    for (int channel = 0; channel < channels_; ++channel)
      std::copy_n(output_.data() + samples_of(channel, out.frames()), out.frames(),
                  out.channel(channel).data());
    return Status::ok;
  }

  Status reset() noexcept override { return op_.enqueue_reset(queue_); }

  /// For a change of the op's settings, which what was captured does not know: from now on every block is
  /// launched. [audio]
  RW_REALTIME [[nodiscard]] Op& op_to_change() noexcept {
    replays_ = false;
    return op_;
  }
  [[nodiscard]] Op& op() noexcept { return op_; }

 private:
  [[nodiscard]] std::size_t samples(int frames) const noexcept {
    return static_cast<std::size_t>(channels_) * static_cast<std::size_t>(frames);
  }
  [[nodiscard]] static std::ptrdiff_t samples_of(int channel, int frames) noexcept {
    return static_cast<std::ptrdiff_t>(channel) * frames;
  }

  Status enqueue(int frames) noexcept {
    return op_.enqueue(queue_, {input_.data(), channels_, frames}, {output_.data(), channels_, frames});
  }

  [[nodiscard]] bool wait(std::chrono::steady_clock::time_point until) const noexcept {
    while (std::atomic_ref<std::uint32_t>(*flag_).load(std::memory_order_acquire) == 0) {
      if (std::chrono::steady_clock::now() > until) return false;
      relax();
    }
    return true;
  }

  Op op_;
  int channels_;
  int max_block_frames_;
  std::chrono::nanoseconds deadline_;
  bool replays_;
  Queue queue_;
  Buffer<float> in_;
  Buffer<float> out_;
  Buffer<std::uint32_t> one_;   // on the device
  Buffer<std::uint32_t> done_;  // on the host: 0 while a block is on its way
  std::span<float> input_;
  std::span<float> output_;
  std::uint32_t* flag_ = nullptr;
  Status enqueued_ = Status::ok;  // what the capture said
  std::optional<Graph> raise_;
  std::optional<Graph> block_;
};

}  // namespace ringwave::live

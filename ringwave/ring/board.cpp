// SPDX-License-Identifier: Apache-2.0
#include "ringwave/ring/board.hpp"

#include <errno.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

#include "ringwave/core/error.hpp"
#include "ringwave/ring/board_page.hpp"
#include "ringwave/ring/fork_watch.hpp"
#include "ringwave/ring/process_start.hpp"
#include "ringwave/ring/ring_clock.hpp"

namespace ringwave::ring {
namespace {

constexpr std::int64_t kPostNs = 250'000'000;

/// What the user says, whatever the program does.
std::optional<bool> wish_of_environment() {
  const char* const value = std::getenv("RINGWAVE_RING_BOARD");  // NOLINT(concurrency-mt-unsafe)
  if (value == nullptr) return {};
  if (std::string_view(value) == "1") return true;
  if (std::string_view(value) == "0") return false;
  return {};
}

std::string own_name() {
  return std::to_string(getpid());
}

}  // namespace

Board::Board(const Board* before)
    : generation_(fork_generation()),
      before_(before),
      is_public_(wish_of_environment().value_or(before != nullptr && before->is_public_.load())) {}

Board& Board::instance() {
  static std::atomic<Board*> current{nullptr};  // never destroyed: supervisors may end after main()
  Board* seen = current.load(std::memory_order_acquire);
  while (seen == nullptr || seen->generation_ != fork_generation()) {
    std::unique_ptr<Board> made(new Board(seen));
    if (current.compare_exchange_strong(seen, made.get(), std::memory_order_acq_rel)) seen = made.release();
  }
  return *seen;
}

void Board::set_public(bool is_public) noexcept {
  is_public_.store(wish_of_environment().value_or(is_public));
}

std::vector<Telemetry> Board::telemetry() const {
  const std::lock_guard lock(mutex_);
  std::vector<Telemetry> all;
  for (const auto& [runtime, kernels] : kernels_) all.insert(all.end(), kernels.begin(), kernels.end());
  return all;
}

std::uint32_t Board::enter() {
  const std::lock_guard lock(mutex_);
  kernels_[++runtimes_];
  return runtimes_;
}

void Board::post(std::uint32_t runtime, std::vector<Telemetry> kernels) {
  for (Telemetry& kernel : kernels) kernel.runtime = runtime;
  {
    const std::lock_guard lock(mutex_);
    kernels_[runtime] = std::move(kernels);
  }
  // One supervisor writes for all, and none waits for another's writing.
  const std::unique_lock lock(file_mutex_, std::try_to_lock);
  if (!lock.owns_lock()) return;
  if (!is_public_.load()) return remove_file();
  if (ring_now_ns() < next_write_ns_) return;
  next_write_ns_ = ring_now_ns() + kPostNs / 2;  // a lone runtime's next post is not too early
  write_file();
}

void Board::write_file() {
  try {
    if (!folder_) folder_.emplace(BoardFolder::make(BoardFolder::usual()));
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    folder_->write(own_name(), write_board_page({.process = getpid(),
                                                 .started = process_start(getpid()).value_or(0),
                                                 .written_ns = std::chrono::nanoseconds(now).count(),
                                                 .program = program_invocation_short_name,
                                                 .kernels = telemetry()}));
  } catch (const BadFile&) {
    folder_.reset();  // it may have been removed; it is made again the next time
  }
}

void Board::remove_file() noexcept {
  if (folder_) folder_->remove(own_name());
  folder_.reset();
}

void Board::leave(std::uint32_t runtime) noexcept {
  const std::lock_guard file_lock(file_mutex_);
  const std::lock_guard lock(mutex_);
  kernels_.erase(runtime);
  if (kernels_.empty()) remove_file();
}

bool BoardPlace::is_due() const noexcept {
  return ring_now_ns() >= next_ns_;
}

void BoardPlace::post(std::vector<Telemetry> kernels) {
  if (kernels.empty() && posted_.empty()) return;
  posted_ = kernels;
  board_.post(runtime_, std::move(kernels));
  next_ns_ = ring_now_ns() + kPostNs;
}

}  // namespace ringwave::ring

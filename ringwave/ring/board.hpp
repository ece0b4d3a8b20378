// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <vector>

#include "ringwave/ring/board_folder.hpp"
#include "ringwave/ring/telemetry.hpp"

namespace ringwave::ring {

/// What the kernels of this process tell of themselves: the supervisor of each Runtime posts it, four times a
/// second. Others of the process read it here; other processes of the user read it in a file, where the board
/// is public, which `ringwave ring list` and `ringwave ring top` do. Thread-safe.
class Board {
 public:
  /// That of this process; a forked child has one of its own. [setup]
  [[nodiscard]] static Board& instance();
  Board(const Board&) = delete;  // one for each process
  Board& operator=(const Board&) = delete;

  /// Whether there is a file; at first there is none. RINGWAVE_RING_BOARD in the environment, 0 or 1, counts
  /// more. A file that cannot be written is done without. [setup]
  void set_public(bool is_public) noexcept;

  /// Of all kernels, at most a quarter of a second old; of terminated ones nothing. Waits for none of them.
  /// [any]
  [[nodiscard]] std::vector<Telemetry> telemetry() const;

 private:
  friend class BoardPlace;
  explicit Board(const Board* before);

  [[nodiscard]] std::uint32_t enter();
  void post(std::uint32_t runtime, std::vector<Telemetry> kernels);
  void leave(std::uint32_t runtime) noexcept;
  void write_file();
  void remove_file() noexcept;

  const std::uint32_t generation_;
  const Board* const before_;  ///< of the parent; its locks may be held for ever
  std::atomic<bool> is_public_;
  std::mutex file_mutex_;  ///< before mutex_, where both are held
  std::optional<BoardFolder> folder_;
  std::int64_t next_write_ns_ = 0;
  mutable std::mutex mutex_;
  std::map<std::uint32_t, std::vector<Telemetry>> kernels_;  ///< by their runtime
  std::uint32_t runtimes_ = 0;                               ///< that there ever were
};

/// The place of a runtime on the board of its process, for its supervisor alone.
class BoardPlace {
 public:
  BoardPlace() : board_(Board::instance()), runtime_(board_.enter()) {}
  ~BoardPlace() { board_.leave(runtime_); }
  BoardPlace(const BoardPlace&) = delete;  // the board knows it
  BoardPlace& operator=(const BoardPlace&) = delete;

  /// It is time for another post(); a runtime that has nothing to show yet may do so at any time. [any]
  [[nodiscard]] bool is_due() const noexcept;
  void post(std::vector<Telemetry> kernels);
  /// What was posted last. [any]
  [[nodiscard]] const std::vector<Telemetry>& posted() const noexcept { return posted_; }

 private:
  Board& board_;
  const std::uint32_t runtime_;
  std::int64_t next_ns_ = 0;
  std::vector<Telemetry> posted_;
};

}  // namespace ringwave::ring

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "ringwave/stream/station_record.hpp"

namespace ringwave::stream {

/// The file that a studio's stations are kept in, and when it is to be written. What could not be saved stays
/// to be saved: it is tried again after a pause that grows to kLongestPause, for as long as it takes. The
/// first failure is reported, and that it works again.
class StationFile {
 public:
  using Time = std::chrono::steady_clock::time_point;
  static constexpr std::chrono::seconds kLongestPause{8};

  /// With no path nothing is kept. `report` is told in a sentence what a person should know; it may be empty.
  /// [setup]
  StationFile(std::filesystem::path path, std::function<void(const std::string&)> report);
  StationFile(const StationFile&) = delete;  // one writer of a file
  StationFile& operator=(const StationFile&) = delete;

  /// What it holds. A file that cannot be read is reported, and put aside. [setup]
  [[nodiscard]] std::vector<StationRecord> load() const;

  /// Something is to be saved. [any]
  void mark() noexcept { is_unsaved_ = true; }

  /// It is time to save: something was marked, or plays on, and the last time was long enough ago. [server]
  [[nodiscard]] bool is_due(bool is_playing, Time now) const;

  /// Writes what `collect` gives. [server]
  void save(const std::function<std::vector<StationRecord>()>& collect);

  /// The last save failed. [any]
  [[nodiscard]] bool is_failing() const noexcept { return is_failing_; }
  /// Saves that failed. [any]
  [[nodiscard]] std::uint64_t failures() const noexcept { return failures_; }

 private:
  void succeed(Time began);
  void fail(const std::string& reason);
  void report(const std::string& sentence) const;

  const std::filesystem::path path_;
  const std::function<void(const std::string&)> report_;
  std::atomic<bool> is_unsaved_{false};
  std::atomic<bool> is_failing_{false};
  std::atomic<std::uint64_t> failures_{0};
  mutable std::mutex mutex_;  // of the next two, and of the file
  Time next_{};
  std::chrono::seconds pause_;  // after the next failure
};

}  // namespace ringwave::stream

// SPDX-License-Identifier: Apache-2.0
#include "ringwave/stream/station_file.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

#include "ringwave/core/error.hpp"

namespace ringwave::stream {
namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

constexpr double kSaveSeconds = 1;   // from one save to the next
constexpr double kSaveShare = 0.05;  // of the time at most goes into saving
constexpr std::chrono::seconds kFirstPause{1};

}  // namespace

StationFile::StationFile(std::filesystem::path path, std::function<void(const std::string&)> report)
    : path_(std::move(path)), report_(std::move(report)), pause_(kFirstPause) {}

std::vector<StationRecord> StationFile::load() const {
  std::error_code unknown;
  const auto found = std::filesystem::symlink_status(path_, unknown);
  if (path_.empty() || found.type() == std::filesystem::file_type::not_found) return {};
  try {
    return load_stations(path_);
  } catch (const BadFile& error) {
    const std::filesystem::path aside = path_.string() + ".bad";
    std::error_code ignored;
    std::filesystem::rename(path_, aside, ignored);
    report(std::string(error.what()) + "; it is kept as " + aside.string() +
           ", and there are no stations yet");
  }
  return {};
}

bool StationFile::is_due(bool is_playing, Time now) const {
  if (path_.empty() || !(is_playing || is_unsaved_)) return false;
  const std::lock_guard lock(mutex_);
  return now >= next_;
}

void StationFile::save(const std::function<std::vector<StationRecord>()>& collect) {
  if (path_.empty()) return;
  const std::lock_guard lock(mutex_);
  const Time began = Clock::now();
  is_unsaved_ = false;  // before they are collected: what changes meanwhile is for the next time
  try {
    save_stations(path_, collect());
    succeed(began);
  } catch (const std::exception& error) {
    fail(error.what());
  }
}

void StationFile::succeed(Time began) {
  const Time now = Clock::now();
  const double took = Seconds(now - began).count();
  next_ =
      began + std::chrono::duration_cast<Clock::duration>(Seconds(std::max(kSaveSeconds, took / kSaveShare)));
  pause_ = kFirstPause;
  if (is_failing_.exchange(false)) report("the stations are saved again");
}

void StationFile::fail(const std::string& reason) {
  is_unsaved_ = true;
  ++failures_;
  next_ = Clock::now() + pause_;
  pause_ = std::min(2 * pause_, kLongestPause);
  if (!is_failing_.exchange(true))
    report(
        "the stations could not be saved: " + reason +
        "; it is tried again every few seconds, and a server that ends before it works forgets what is new");
}

void StationFile::report(const std::string& sentence) const {
  if (report_) report_(sentence);
}

}  // namespace ringwave::stream

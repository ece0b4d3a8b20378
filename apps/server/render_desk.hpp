// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "apps/server/render_folder.hpp"
#include "ringwave/core/device.hpp"
#include "ringwave/synth/piece.hpp"
#include "ringwave/synth/station_effects.hpp"

namespace ringwave::server {

/// Renders pieces into files, one after another, on a thread of its own that gives way to the stations. A
/// file is there only when it is whole; the oldest go when there are too many, too large or too old.
class RenderDesk {
 public:
  static constexpr int kSampleRateHz = 48000;

  struct Spec {
    std::filesystem::path folder;
    Device device{};
    std::size_t most_waiting = 16;
    std::size_t most_kept = 64;
    std::uintmax_t most_bytes = std::uintmax_t{2} << 30;
    std::chrono::hours most_age{24};
    std::function<void(const std::string&)> report{};  ///< told in a sentence what a person should know
  };
  struct Order {
    std::string ending{};  ///< of the file: wav, flac, ogg, opus, mp3
    std::int64_t frames = 0;
    std::unique_ptr<synth::Piece> piece{};
    synth::StationEffects effects{};
  };
  enum class State : unsigned char { waiting, running, done, failed };
  struct Info {
    std::string id;
    State state = State::waiting;
    double progress = 0;  ///< 0 to 1
    std::string error{};
    std::filesystem::path file{};  ///< once it is done
  };

  /// Makes the folder, and removes what an earlier run made in it; what others put there stays. Throws
  /// BadFile. [setup]
  explicit RenderDesk(Spec spec);
  /// Stops what is under way. [setup]
  ~RenderDesk();
  RenderDesk(const RenderDesk&) = delete;  // its thread holds it by reference
  RenderDesk& operator=(const RenderDesk&) = delete;

  /// Throws Refusal: limit_reached. [server]
  Info order(Order order);
  /// Throws Refusal: not_found. [server]
  [[nodiscard]] Info find(const std::string& id) const;
  /// Stops the job, removes its file. Throws Refusal: not_found. [server]
  void remove(const std::string& id);

 private:
  struct Job;
  using JobPtr = std::shared_ptr<Job>;

  void run();
  [[nodiscard]] JobPtr next();
  void make(Job& job);
  void finish(Job& job, State state, const std::string& error);
  void remove_the_old();
  void list_files() const;
  [[nodiscard]] Info info_of(const Job& job) const;

  Spec spec_;
  RenderFolder folder_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::string, JobPtr> jobs_;
  std::deque<JobPtr> waiting_;
  bool ending_ = false;
  std::thread thread_;
};

/// "waiting", "running", "done" or "failed". [any]
[[nodiscard]] std::string_view to_string(RenderDesk::State state) noexcept;

}  // namespace ringwave::server

// SPDX-License-Identifier: Apache-2.0
#include "ringwave/stream/studio.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <map>
#include <mutex>
#include <random>
#include <semaphore>
#include <thread>
#include <utility>

#include "ringwave/core/error.hpp"
#include "ringwave/core/trace.hpp"
#include "ringwave/core/worker_crew.hpp"
#include "ringwave/stream/load_meter.hpp"
#include "ringwave/stream/random_identifier.hpp"
#include "ringwave/stream/refusal.hpp"
#include "ringwave/stream/render_loop.hpp"
#include "ringwave/stream/replay.hpp"
#include "ringwave/stream/station.hpp"

namespace ringwave::stream {
namespace {

using Seconds = std::chrono::duration<double>;

constexpr std::chrono::milliseconds kKeeperNap{100};
constexpr double kSaveSeconds = 1;   // while something plays
constexpr double kSaveShare = 0.05;  // of the time at most goes into saving
constexpr std::size_t kIdentifierLetters = 12;
constexpr double kKnownLoad = 0.25;  // of the most: from there on it grows with the stations

std::uint64_t random_seed() {
  std::random_device random;
  return std::uniform_int_distribution<std::uint64_t>(0, 999'999)(random);  // short enough to be shared
}

void require_range(const char* name, double value, double least, double most) {
  if (!(value >= least && value <= most))
    throw InvalidArgument("a studio was asked for with " + std::string(name) + " " + std::to_string(value) +
                          "; use " + std::to_string(least) + " to " + std::to_string(most));
}

Studio::Spec checked(Studio::Spec spec) {
  require_range("most_stations", spec.most_stations, 1, 1 << 20);
  require_range("most_playing", spec.most_playing, 1, 1 << 20);
  require_range("render_threads", spec.render_threads, 0, WorkerCrew::kMostWorkers);
  require_range("encode_threads", spec.encode_threads, 0, 256);
  require_range("most_load", spec.most_load, 0, 1e6);
  require_range("linger_seconds", spec.linger_seconds, 0, 86400);
  require_range("history_seconds", spec.history_seconds, 1, 60);
  require_range("loudness_lufs", spec.loudness_lufs, -60, 0);
  if (spec.encode_threads == 0) spec.encode_threads = std::max(1, WorkerCrew::one_a_core() - 1);
  if (spec.render_threads == 0) spec.render_threads = std::max(1, WorkerCrew::one_a_core() / 2);
  return spec;
}

[[noreturn]] void refuse_unknown(const std::string& id) {
  throw Refusal(RefusalCode::not_found, "there is no station '" + id.substr(0, 64) + "'");
}

}  // namespace

/// What a studio is inside. Locks are taken in this order: its own, a station's, a broadcast's.
class Studio::Hall {
 public:
  explicit Hall(Spec spec) : spec_(checked(std::move(spec))) {
    load_records();
    loop_ = make_loop(spec_.device);
    for (int slot = spec_.most_playing; slot-- > 0;) free_slots_.push_back(slot);
    for (int i = 0; i < spec_.encode_threads; ++i) producers_.push_back(std::make_unique<Producer>());
    for (std::size_t i = 0; i < producers_.size(); ++i)
      producers_[i]->thread = std::thread([this, i] { produce(i); });
    keeper_ = std::thread([this] { keep(); });
  }

  ~Hall() {
    stopping_ = true;
    for (const auto& producer : producers_) producer->wake.release();
    for (const auto& producer : producers_) producer->thread.join();
    keeper_.join();
    save();
    loop_.reset();  // before the live stations that it plays
  }

  Hall(const Hall&) = delete;  // its threads hold it by reference
  Hall& operator=(const Hall&) = delete;

  StationInfo create(const NewStation& wish) {
    music::require_valid(wish.settings);
    if (!wish.id.empty() && !is_identifier(wish.id))
      throw Refusal(RefusalCode::out_of_range,
                    "a station's id is 1 to 32 letters, digits, - and _; leave it out for a new one");
    const std::uint64_t seed = wish.seed ? *wish.seed : random_seed();
    const std::lock_guard lock(mutex_);
    if (stations_.contains(wish.id))
      throw Refusal(RefusalCode::exists, "there is a station '" + wish.id + "' already");
    if (stations_.size() >= static_cast<std::size_t>(spec_.most_stations))
      throw Refusal(RefusalCode::limit_reached, "there are " + std::to_string(stations_.size()) +
                                                    " stations, as many as there may be; delete one first");
    std::string id = wish.id;
    while (id.empty() || stations_.contains(id)) id = random_identifier(kIdentifierLetters);
    const auto station =
        std::make_shared<Station>(station_spec(), StationRecord{id, seed, wish.preset, wish.settings, 0, {}});
    stations_.emplace(id, station);
    unsaved_ = true;
    return station->info();
  }

  StationInfo change(const std::string& id, const music::Settings& settings, const std::string& preset) {
    StationInfo changed = station(id)->change(settings, preset);
    unsaved_ = true;
    if (spec_.published) spec_.published();  // its news
    return changed;
  }

  void remove(const std::string& id) {
    const std::lock_guard lock(mutex_);
    const auto found = stations_.find(id);
    if (found == stations_.end()) refuse_unknown(id);
    stop(found->second);
    stations_.erase(found);
    unsaved_ = true;
  }

  [[nodiscard]] StationInfo find(const std::string& id) const { return station(id)->info(); }

  [[nodiscard]] bool is_gone(const std::string& id) const {
    const std::lock_guard lock(mutex_);
    return !stations_.contains(id);
  }

  [[nodiscard]] std::vector<StationInfo> list() const {
    std::vector<StationInfo> made;
    for (const auto& each : all()) made.push_back(each->info());
    return made;
  }

  std::unique_ptr<Listener> listen(const std::string& id, io::StreamFormat format, double seconds_behind) {
    const std::lock_guard lock(mutex_);
    if (is_closing_) throw Refusal(RefusalCode::gone, "the server is about to go; come back later");
    const auto found = stations_.find(id);
    if (found == stations_.end()) refuse_unknown(id);
    const std::shared_ptr<Station>& station = found->second;
    const auto packets = static_cast<std::size_t>(std::clamp(seconds_behind, 0.0, spec_.history_seconds) *
                                                  kSampleRateHz / kBlockFrames);
    if (station->live() == nullptr) require_room();
    auto listener = station->listen(format, packets, [this, station](const Listener& left) {
      skipped_.fetch_add(left.skipped(), std::memory_order_relaxed);
    });
    if (station->live() == nullptr) wake(station);
    return listener;
  }

  [[nodiscard]] std::unique_ptr<synth::Piece> replay(const std::string& id, std::int64_t from) const {
    StationRecord record = station(id)->record();
    if (from < 0 || from > record.sample_time)
      throw Refusal(RefusalCode::out_of_range, "the station has played " +
                                                   std::to_string(record.sample_time) +
                                                   " frames; ask for what begins within them");
    if (record.phrases.empty())
      record.phrases.push_back({.number = 0, .begins_at = 0, .ends_at = 1, .settings = record.settings});
    return std::make_unique<Replay>(std::move(record.phrases), record.seed, kSampleRateHz, from);
  }

  void fade_out() {
    const std::lock_guard lock(mutex_);
    is_closing_ = true;
    for (const auto& station : awake_)
      if (LiveStation* live = station->live(); !live->has_ended()) (void)loop_->stop(*live);
  }

  void save() {
    if (spec_.state_path.empty()) return;
    const std::lock_guard lock(save_mutex_);
    unsaved_ = false;
    std::vector<StationRecord> records;
    for (const auto& each : all()) records.push_back(each->record());
    try {
      save_stations(spec_.state_path, records);
    } catch (const Error& error) {
      report(std::string("the stations could not be saved: ") + error.what());
    }
  }

  [[nodiscard]] StudioStats stats() const {
    StudioStats made;
    const std::lock_guard lock(mutex_);
    for (const auto& [id, station] : stations_) {
      ++made.stations;
      made.listeners += station->listeners();
    }
    made.playing = static_cast<int>(awake_.size());
    made.load = loop_->meter().load();
    made.encode_load = encode_load();
    made.blocks = loop_->blocks();
    made.deadline_misses = loop_->deadline_misses() + earlier_misses_;
    made.dropped_blocks = dropped_;
    for (const auto& station : awake_)
      if (const LiveStation* live = station->live()) made.dropped_blocks += live->dropped();
    made.device_losses = losses_;
    made.skipped_packets = skipped_.load(std::memory_order_relaxed);
    return made;
  }

  [[nodiscard]] double load() const {
    const std::lock_guard lock(mutex_);
    return loop_->meter().load();
  }

  [[nodiscard]] const Histogram& render_seconds() const {
    const std::lock_guard lock(mutex_);
    return loop_->seconds();
  }
  [[nodiscard]] const Histogram& encode_seconds(io::StreamFormat format) const noexcept {
    return encode_seconds_[static_cast<std::size_t>(format)];
  }
  [[nodiscard]] Device device() const {
    const std::lock_guard lock(mutex_);
    return loop_->device();
  }

 private:
  struct Producer {
    std::counting_semaphore<> wake{0};
    LoadMeter meter;
    std::thread thread;
  };
  struct Retired {
    std::unique_ptr<LiveStation> live;
    int slot;
  };

  [[nodiscard]] Station::Spec station_spec() const {
    return {.sample_rate_hz = kSampleRateHz,
            .block_frames = kBlockFrames,
            .history_blocks = static_cast<std::size_t>(spec_.history_seconds * kSampleRateHz / kBlockFrames),
            .loudness_lufs = spec_.loudness_lufs,
            .opus_bitrate = spec_.opus_bitrate,
            .mp3_bitrate = spec_.mp3_bitrate};
  }

  [[nodiscard]] std::unique_ptr<RenderLoop> make_loop(Device device) {
    return std::make_unique<RenderLoop>(RenderLoop::Spec{.device = device,
                                                         .stations = spec_.most_playing,
                                                         .threads = spec_.render_threads,
                                                         .sample_rate_hz = kSampleRateHz,
                                                         .block_frames = kBlockFrames,
                                                         .rendered = [this] {
                                                           for (const auto& producer : producers_)
                                                             producer->wake.release();
                                                         }});
  }

  void report(const std::string& sentence) const {
    if (spec_.report) spec_.report(sentence);
  }

  void load_records() {
    if (spec_.state_path.empty() || !std::filesystem::exists(spec_.state_path)) return;
    try {
      for (StationRecord& record : load_stations(spec_.state_path)) {
        const std::string id = record.id;
        stations_.emplace(id, std::make_shared<Station>(station_spec(), std::move(record)));
      }
    } catch (const BadFile& error) {
      const std::filesystem::path aside = spec_.state_path.string() + ".bad";
      std::error_code ignored;
      std::filesystem::rename(spec_.state_path, aside, ignored);
      report(std::string(error.what()) + "; it is kept as " + aside.string() +
             ", and there are no stations yet");
    }
  }

  [[nodiscard]] std::shared_ptr<Station> station(const std::string& id) const {
    const std::lock_guard lock(mutex_);
    const auto found = stations_.find(id);
    if (found == stations_.end()) refuse_unknown(id);
    return found->second;
  }

  [[nodiscard]] std::vector<std::shared_ptr<Station>> all() const {
    std::vector<std::shared_ptr<Station>> made;
    const std::lock_guard lock(mutex_);
    for (const auto& [id, station] : stations_) made.push_back(station);
    return made;
  }

  [[nodiscard]] double encode_load() const {
    double most = 0;
    for (const auto& producer : producers_) most = std::max(most, producer->meter.load());
    return most;
  }

  // With the lock held.

  /// One station too many would break the music of all.
  void require_room() const {
    if (free_slots_.empty())
      throw Refusal(RefusalCode::overloaded, "all " + std::to_string(spec_.most_playing) +
                                                 " places are taken by stations that play; come back later");
    if (load_with_another() > spec_.most_load)
      throw Refusal(RefusalCode::overloaded, "the " + std::to_string(awake_.size()) +
                                                 " stations that play take all that this machine can do; "
                                                 "come back later");
  }

  /// Of rendering or encoding, whichever is busier. With few stations what each takes is not known: a GPU is
  /// as busy with one as with a hundred.
  [[nodiscard]] double load_with_another() const {
    const auto stations = static_cast<double>(awake_.size() + 1);
    const double now = std::max(loop_->meter().load(), encode_load());
    if (awake_.empty() || now < kKnownLoad * spec_.most_load) return 0;
    double most = loop_->meter().load_with(stations);
    for (const auto& producer : producers_)
      most = std::max(most, producer->meter.load_with(stations / static_cast<double>(producers_.size())));
    return most;
  }

  void wake(const std::shared_ptr<Station>& station) {
    const int slot = free_slots_.back();
    LiveStation& live = station->wake(slot, loop_->renderer_spec());
    free_slots_.pop_back();
    awake_.push_back(station);
    if (!loop_->start(live)) live.end();
  }

  void stop(const std::shared_ptr<Station>& station) {
    if (LiveStation* live = station->live()) {
      if (!live->has_ended()) (void)loop_->stop(*live);
      retire(station);
    }
  }

  /// Its place is free once the renderer is done with it.
  void retire(const std::shared_ptr<Station>& station) {
    std::erase(awake_, station);
    if (auto live = station->sleep()) {
      dropped_ += live->dropped();
      const int slot = live->slot();
      retired_.push_back({std::move(live), slot});
    }
  }

  void free_retired() {
    std::erase_if(retired_, [this](const Retired& retired) {
      if (!retired.live->has_ended()) return false;
      free_slots_.push_back(retired.slot);
      return true;
    });
  }

  void stop_lonely() {
    const auto now = std::chrono::steady_clock::now();
    for (const auto& station : std::vector(awake_))
      if (const auto since = station->lonely_since();
          since && Seconds(now - *since).count() > spec_.linger_seconds)
        stop(station);
  }

  /// Those that the renderer has given up begin anew where somebody listens.
  void retire_ended() {
    for (const auto& station : std::vector(awake_)) {
      if (!station->live()->has_ended()) continue;
      retire(station);
      if (!is_closing_ && station->listeners() > 0 && !free_slots_.empty()) wake(station);
    }
  }

  /// The stations go on on the CPU, where they were.
  void move_to_cpu() {
    report("the device " + loop_->device().name() + " has failed; the stations go on on the CPU");
    ++losses_;
    earlier_misses_ += loop_->deadline_misses();
    lost_loops_.push_back(std::exchange(loop_, make_loop(Device::cpu())));
    const std::vector<std::shared_ptr<Station>> interrupted = awake_;
    for (const auto& station : interrupted) retire(station);
    free_retired();
    for (const auto& station : interrupted)
      if (!free_slots_.empty()) wake(station);
  }

  // Threads.

  void produce(std::size_t number) {
    trace::name_thread("encode");
    Producer& producer = *producers_[number];
    auto done = std::chrono::steady_clock::now();
    while (true) {
      producer.wake.acquire();
      if (stopping_) return;
      const auto begun = std::chrono::steady_clock::now();
      std::vector<std::shared_ptr<Station>> mine;
      Clock::Time due;
      {
        const std::lock_guard lock(mutex_);
        for (std::size_t i = number; i < awake_.size(); i += producers_.size()) mine.push_back(awake_[i]);
        due = loop_->due();
      }
      bool any = false;
      for (const auto& station : mine) any = station->produce(due, encode_seconds_) || any;
      if (any && spec_.published) spec_.published();
      const auto before = std::exchange(done, std::chrono::steady_clock::now());
      producer.meter.add(Seconds(done - begun).count(), Seconds(done - before).count(),
                         static_cast<double>(mine.size()));
    }
  }

  void keep() {
    trace::name_thread("keep");
    auto next_save = std::chrono::steady_clock::now();
    while (!stopping_) {
      std::this_thread::sleep_for(kKeeperNap);
      bool is_playing = false;
      {
        const std::lock_guard lock(mutex_);
        if (loop_->is_lost()) move_to_cpu();
        retire_ended();
        stop_lonely();
        free_retired();
        is_playing = !awake_.empty();
      }
      const auto now = std::chrono::steady_clock::now();
      if ((is_playing || unsaved_) && now >= next_save) {
        save();
        const double took = Seconds(std::chrono::steady_clock::now() - now).count();
        next_save = now + std::chrono::duration_cast<std::chrono::nanoseconds>(
                              Seconds(std::max(kSaveSeconds, took / kSaveShare)));
      }
    }
  }

  Spec spec_;
  mutable std::mutex mutex_;
  std::map<std::string, std::shared_ptr<Station>> stations_;
  std::vector<std::shared_ptr<Station>> awake_;
  std::vector<int> free_slots_;
  std::vector<Retired> retired_;
  std::vector<std::unique_ptr<RenderLoop>> lost_loops_;  // their histograms may still be looked at
  std::unique_ptr<RenderLoop> loop_;
  bool is_closing_ = false;
  std::uint64_t dropped_ = 0;
  std::uint64_t earlier_misses_ = 0;
  std::uint64_t losses_ = 0;
  std::atomic<std::uint64_t> skipped_{0};
  std::atomic<bool> unsaved_{false};
  std::mutex save_mutex_;
  Station::EncodeSeconds encode_seconds_;

  std::atomic<bool> stopping_{false};
  std::vector<std::unique_ptr<Producer>> producers_;
  std::thread keeper_;
};

Studio::Studio(Spec spec) : hall_(std::make_unique<Hall>(std::move(spec))) {}
Studio::~Studio() = default;

StationInfo Studio::create(const NewStation& station) {
  return hall_->create(station);
}
StationInfo Studio::change(const std::string& id, const music::Settings& settings,
                           const std::string& preset) {
  return hall_->change(id, settings, preset);
}
void Studio::remove(const std::string& id) {
  hall_->remove(id);
}
StationInfo Studio::find(const std::string& id) const {
  return hall_->find(id);
}
std::vector<StationInfo> Studio::list() const {
  return hall_->list();
}
std::unique_ptr<Listener> Studio::listen(const std::string& id, io::StreamFormat format,
                                         double seconds_behind) {
  return hall_->listen(id, format, seconds_behind);
}
bool Studio::is_gone(const std::string& id) const {
  return hall_->is_gone(id);
}
std::unique_ptr<synth::Piece> Studio::replay(const std::string& id, std::int64_t from) const {
  return hall_->replay(id, from);
}
void Studio::fade_out() {
  hall_->fade_out();
}
void Studio::save() {
  hall_->save();
}
StudioStats Studio::stats() const {
  return hall_->stats();
}
double Studio::load() const {
  return hall_->load();
}
const Histogram& Studio::render_seconds() const {
  return hall_->render_seconds();
}
const Histogram& Studio::encode_seconds(io::StreamFormat format) const noexcept {
  return hall_->encode_seconds(format);
}
Device Studio::device() const {
  return hall_->device();
}

}  // namespace ringwave::stream

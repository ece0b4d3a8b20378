// SPDX-License-Identifier: Apache-2.0
#include "ringwave/stream/studio.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <map>
#include <mutex>
#include <random>
#include <thread>
#include <utility>

#include "ringwave/core/error.hpp"
#include "ringwave/core/thread_name.hpp"
#include "ringwave/core/worker_crew.hpp"
#include "ringwave/stream/encode_crew.hpp"
#include "ringwave/stream/random_identifier.hpp"
#include "ringwave/stream/refusal.hpp"
#include "ringwave/stream/replay.hpp"
#include "ringwave/stream/stage.hpp"
#include "ringwave/stream/station.hpp"
#include "ringwave/stream/station_file.hpp"

namespace ringwave::stream {
namespace {

using Seconds = std::chrono::duration<double>;

constexpr std::chrono::milliseconds kKeeperNap{100};
constexpr double kDaySeconds = 86400;
constexpr double kExpirySeconds = 60;  // between two looks at who expires, where that takes days
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
  require_range("expire_days", spec.expire_days, 0, 36500);
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
  explicit Hall(Spec spec)
      : spec_(checked(std::move(spec))),
        file_(spec_.state_path, spec_.report),
        stations_(load_stations()),
        crew_({.threads = spec_.encode_threads,
               .share = [this](std::size_t number) { return share(number); },
               .published = spec_.published}),
        stage_(stage_spec()),
        keeper_([this] { keep(); }) {}

  ~Hall() {
    stopping_ = true;
    crew_.stop();
    keeper_.join();
    save();
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
    const auto station = std::make_shared<Station>(
        station_spec(),
        StationRecord{
            .id = id, .seed = seed, .preset = wish.preset, .settings = wish.settings, .owner = wish.owner});
    stations_.emplace(id, station);
    file_.mark();
    return station->info();
  }

  StationInfo change(const std::string& id, const music::Settings& settings, const std::string& preset) {
    StationInfo changed = station(id)->change(settings, preset);
    file_.mark();
    if (spec_.published) spec_.published();  // its news
    return changed;
  }

  void give_to(const std::string& id, const StationOwner& owner) {
    station(id)->give_to(owner);
    file_.mark();
  }

  void remove(const std::string& id) {
    const std::lock_guard lock(mutex_);
    const auto found = stations_.find(id);
    if (found == stations_.end()) refuse_unknown(id);
    stage_.stop(found->second);
    stations_.erase(found);
    file_.mark();
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
    if (station->live() == nullptr) stage_.wake(station);
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
    stage_.fade_out();
  }

  void save() {
    file_.save([this] {
      std::vector<StationRecord> records;
      for (const auto& each : all()) records.push_back(each->record());
      return records;
    });
  }

  [[nodiscard]] bool is_save_failing() const noexcept { return file_.is_failing(); }

  [[nodiscard]] StudioStats stats() const {
    StudioStats made;
    const std::lock_guard lock(mutex_);
    for (const auto& [id, station] : stations_) {
      ++made.stations;
      made.listeners += station->listeners();
    }
    made.playing = static_cast<int>(stage_.playing().size());
    made.load = stage_.loop().meter().load();
    made.encode_load = crew_.load();
    made.blocks = stage_.loop().blocks();
    made.deadline_misses = stage_.deadline_misses();
    made.dropped_blocks = stage_.dropped_blocks();
    made.device_losses = stage_.device_losses();
    made.skipped_packets = skipped_.load(std::memory_order_relaxed);
    made.save_failures = file_.failures();
    return made;
  }

  [[nodiscard]] double load() const {
    const std::lock_guard lock(mutex_);
    return stage_.loop().meter().load();
  }

  [[nodiscard]] const Histogram& render_seconds() const {
    const std::lock_guard lock(mutex_);
    return stage_.loop().seconds();
  }
  [[nodiscard]] const Histogram& encode_seconds(io::StreamFormat format) const noexcept {
    return crew_.seconds(format);
  }
  [[nodiscard]] Device device() const {
    const std::lock_guard lock(mutex_);
    return stage_.loop().device();
  }

 private:
  using Stations = std::map<std::string, std::shared_ptr<Station>>;

  [[nodiscard]] Station::Spec station_spec() const {
    return {.sample_rate_hz = kSampleRateHz,
            .block_frames = kBlockFrames,
            .history_blocks = static_cast<std::size_t>(spec_.history_seconds * kSampleRateHz / kBlockFrames),
            .loudness_lufs = spec_.loudness_lufs,
            .opus_bitrate = spec_.opus_bitrate,
            .mp3_bitrate = spec_.mp3_bitrate};
  }

  [[nodiscard]] Stage::Spec stage_spec() {
    return {.loop = {.device = spec_.device,
                     .stations = spec_.most_playing,
                     .threads = spec_.render_threads,
                     .sample_rate_hz = kSampleRateHz,
                     .block_frames = kBlockFrames,
                     .rendered = [this] { crew_.wake(); }},
            .linger_seconds = spec_.linger_seconds,
            .report = spec_.report};
  }

  [[nodiscard]] Stations load_stations() const {
    Stations made;
    for (StationRecord& record : file_.load()) {
      const std::string id = record.id;
      made.emplace(id, std::make_shared<Station>(station_spec(), std::move(record)));
    }
    return made;
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

  [[nodiscard]] bool is_expired(const StationInfo& station) const {
    const std::chrono::duration<double> now = std::chrono::system_clock::now().time_since_epoch();
    const double unheard_seconds = now.count() - static_cast<double>(station.heard_at);
    return !station.owner.is_kept && !station.is_playing && station.listeners == 0 &&
           unheard_seconds > spec_.expire_days * kDaySeconds;
  }

  /// Looks at all without the lock, and with it at those alone that are to go: one of them may have a
  /// listener by then.
  void remove_expired() {
    for (const auto& each : all()) {
      const StationInfo station = each->info();
      if (!is_expired(station)) continue;
      const std::lock_guard lock(mutex_);
      const auto found = stations_.find(station.id);
      if (found == stations_.end() || found->second != each || !is_expired(each->info())) continue;
      stations_.erase(found);
      file_.mark();
    }
  }

  // With the lock held.

  /// One station too many would break the music of all.
  void require_room() const {
    if (!stage_.has_place())
      throw Refusal(RefusalCode::overloaded, "all " + std::to_string(spec_.most_playing) +
                                                 " places are taken by stations that play; come back later");
    if (load_with_another() > spec_.most_load)
      throw Refusal(RefusalCode::overloaded, "the " + std::to_string(stage_.playing().size()) +
                                                 " stations that play take all that this machine can do; "
                                                 "come back later");
  }

  /// Of rendering or encoding, whichever is busier. With few stations what each takes is not known: a GPU is
  /// as busy with one as with a hundred.
  [[nodiscard]] double load_with_another() const {
    const std::size_t playing = stage_.playing().size();
    const LoadMeter& rendering = stage_.loop().meter();
    if (playing == 0 || std::max(rendering.load(), crew_.load()) < kKnownLoad * spec_.most_load) return 0;
    const auto stations = static_cast<double>(playing + 1);
    return std::max(rendering.load_with(stations), crew_.load_with(stations));
  }

  // Threads.

  /// Every so manieth station that plays.
  [[nodiscard]] EncodeCrew::Share share(std::size_t number) const {
    EncodeCrew::Share made;
    const std::lock_guard lock(mutex_);
    const auto& playing = stage_.playing();
    for (std::size_t i = number; i < playing.size(); i += static_cast<std::size_t>(spec_.encode_threads))
      made.stations.push_back(playing[i]);
    made.due = stage_.loop().due();
    return made;
  }

  void keep() {
    name_thread("keep");
    auto next_expiry = std::chrono::steady_clock::now();
    while (!stopping_) {
      std::this_thread::sleep_for(kKeeperNap);
      bool is_playing = false;
      {
        const std::lock_guard lock(mutex_);
        stage_.tend();
        is_playing = !stage_.playing().empty();
      }
      const auto now = std::chrono::steady_clock::now();
      if (spec_.expire_days > 0 && now >= next_expiry) {
        remove_expired();
        next_expiry = now + std::chrono::duration_cast<std::chrono::nanoseconds>(
                                Seconds(std::min(kExpirySeconds, spec_.expire_days * kDaySeconds)));
      }
      if (file_.is_due(is_playing, now)) save();
    }
  }

  Spec spec_;
  StationFile file_;
  mutable std::mutex mutex_;
  Stations stations_;
  bool is_closing_ = false;
  std::atomic<std::uint64_t> skipped_{0};
  std::atomic<bool> stopping_{false};
  EncodeCrew crew_;
  Stage stage_;  // goes first: it plays the stations, and wakes the crew
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
void Studio::give_to(const std::string& id, const StationOwner& owner) {
  hall_->give_to(id, owner);
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
bool Studio::is_save_failing() const noexcept {
  return hall_->is_save_failing();
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

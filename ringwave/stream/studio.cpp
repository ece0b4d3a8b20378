// SPDX-License-Identifier: Apache-2.0
#include "ringwave/stream/studio.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <random>
#include <thread>
#include <utility>

#include "ringwave/core/error.hpp"
#include "ringwave/core/thread_name.hpp"
#include "ringwave/core/worker_crew.hpp"
#include "ringwave/stream/detail/station_directory.hpp"
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
  if (spec.encode_threads == 0) spec.encode_threads = std::max(2, WorkerCrew::one_a_core() - 1);
  if (!spec.make_encoder) spec.make_encoder = io::make_stream_encoder;
  if (spec.render_threads == 0) spec.render_threads = std::max(1, WorkerCrew::one_a_core() / 2);
  return spec;
}

[[noreturn]] void refuse_unknown(const std::string& id) {
  throw Refusal(RefusalCode::not_found, "there is no station '" + id.substr(0, 64) + "'");
}

}  // namespace

/// What a studio is inside. Whoever looks something up waits for nobody: the directory, the list of those
/// that play and the newest render loop are published, and a station tells what it is without a wait.
class Studio::Hall {
 public:
  explicit Hall(Spec spec)
      : spec_(checked(std::move(spec))),
        file_(spec_.state_path, spec_.report),
        directory_(static_cast<std::size_t>(spec_.most_stations), load_stations()),
        crew_({.threads = spec_.encode_threads,
               .stations = [this] { return stage_.playing(); },
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
    std::string id = wish.id;
    while (id.empty() || (wish.id.empty() && directory_.find(id))) id = random_identifier(kIdentifierLetters);
    const auto station = std::make_shared<Station>(
        station_spec(),
        StationRecord{
            .id = id, .seed = seed, .preset = wish.preset, .settings = wish.settings, .owner = wish.owner});
    directory_.add(station);
    file_.mark();
    return station->info();
  }

  StationInfo change(const std::string& id, const music::Settings& settings, const std::string& preset) {
    StationInfo changed = station(id)->change(settings, preset);
    file_.mark();
    crew_.wake();                            // a phrase that it has composed meanwhile is not wanted any more
    if (spec_.published) spec_.published();  // its news
    return changed;
  }

  void give_to(const std::string& id, const StationOwner& owner) {
    station(id)->give_to(owner);
    file_.mark();
  }

  void remove(const std::string& id) {
    const auto removed = station(id);
    if (!directory_.remove(removed)) refuse_unknown(id);
    stage_.remove(removed);
    file_.mark();
  }

  [[nodiscard]] StationInfo find(const std::string& id) const { return station(id)->info(); }

  [[nodiscard]] bool is_gone(const std::string& id) const { return directory_.find(id) == nullptr; }

  [[nodiscard]] std::vector<StationInfo> list() const {
    std::vector<StationInfo> made;
    const auto stations = directory_.all();
    for (const auto& each : *stations) made.push_back(each->info());
    return made;
  }

  /// The listener comes first, so that a station that wakes is not lonely.
  std::unique_ptr<Listener> listen(const std::string& id, io::StreamFormat format, double seconds_behind) {
    const auto station = this->station(id);
    if (!station->place()) stage_.require_room();
    const auto packets = static_cast<std::size_t>(std::clamp(seconds_behind, 0.0, spec_.history_seconds) *
                                                  kSampleRateHz / kBlockFrames);
    auto listener = station->listen(format, packets, [this, station](const Listener& left) {
      skipped_.fetch_add(left.skipped(), std::memory_order_relaxed);
    });
    stage_.wake(station);
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

  void fade_out() { stage_.fade_out(); }

  void save() {
    file_.save([this] {
      std::vector<StationRecord> records;
      const auto stations = directory_.all();
      for (const auto& each : *stations) records.push_back(each->record());
      return records;
    });
  }

  [[nodiscard]] bool is_save_failing() const noexcept { return file_.is_failing(); }

  [[nodiscard]] StudioStats stats() const {
    StudioStats made;
    const auto stations = directory_.all();
    for (const auto& station : *stations) made.listeners += station->listeners();
    made.stations = static_cast<int>(stations->size());
    made.playing = static_cast<int>(stage_.playing()->size());
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

  [[nodiscard]] const RenderLoop& loop() const noexcept { return stage_.loop(); }
  [[nodiscard]] const EncodeCrew& crew() const noexcept { return crew_; }

 private:
  [[nodiscard]] Station::Spec station_spec() const {
    return {.sample_rate_hz = kSampleRateHz,
            .block_frames = kBlockFrames,
            .history_blocks = static_cast<std::size_t>(spec_.history_seconds * kSampleRateHz / kBlockFrames),
            .loudness_lufs = spec_.loudness_lufs,
            .opus_bitrate = spec_.opus_bitrate,
            .mp3_bitrate = spec_.mp3_bitrate,
            .make_encoder = spec_.make_encoder};
  }

  [[nodiscard]] Stage::Spec stage_spec() {
    return {.loop = {.device = spec_.device,
                     .stations = spec_.most_playing,
                     .threads = spec_.render_threads,
                     .sample_rate_hz = kSampleRateHz,
                     .block_frames = kBlockFrames,
                     .rendered = [this] { crew_.wake(); },
                     .make_renderer = spec_.make_renderer},
            .linger_seconds = spec_.linger_seconds,
            .most_load = spec_.most_load,
            .load_with_another = [this](std::size_t playing) { return load_with_another(playing); },
            .woken = [this] { crew_.wake(); },
            .report = spec_.report};
  }

  [[nodiscard]] StationDirectory::Stations load_stations() const {
    StationDirectory::Stations made;
    for (StationRecord& record : file_.load())
      made.push_back(std::make_shared<Station>(station_spec(), std::move(record)));
    return made;
  }

  [[nodiscard]] std::shared_ptr<Station> station(const std::string& id) const {
    auto found = directory_.find(id);
    if (!found) refuse_unknown(id);
    return found;
  }

  [[nodiscard]] bool is_expired(const StationInfo& station) const {
    const std::chrono::duration<double> now = std::chrono::system_clock::now().time_since_epoch();
    const double unheard_seconds = now.count() - static_cast<double>(station.heard_at);
    return !station.owner.is_kept && !station.is_playing && station.listeners == 0 &&
           unheard_seconds > spec_.expire_days * kDaySeconds;
  }

  /// One of them may have a listener by the time that it goes, and stays then.
  void remove_expired() {
    const auto stations = directory_.all();
    for (const auto& station : *stations) {
      if (!is_expired(station->info())) continue;
      if (!stage_.remove_if(station, [&] { return is_expired(station->info()); })) continue;
      (void)directory_.remove(station);
      file_.mark();
    }
  }

  /// With few stations what each takes is not known: a GPU is as busy with one as with a hundred.
  [[nodiscard]] double load_with_another(std::size_t playing) const {
    const LoadMeter& rendering = stage_.loop().meter();
    if (playing == 0 || std::max(rendering.load(), crew_.load()) < kKnownLoad * spec_.most_load) return 0;
    const auto stations = static_cast<double>(playing + 1);
    return std::max(rendering.load_with(stations), crew_.load_with(stations));
  }

  void keep() {
    name_thread("keep");
    auto next_expiry = std::chrono::steady_clock::now();
    while (!stopping_) {
      std::this_thread::sleep_for(kKeeperNap);
      stage_.tend();
      const bool is_playing = !stage_.playing()->empty();
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
  StationDirectory directory_;
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
  return hall_->loop().meter().load();
}
const Histogram& Studio::render_seconds() const {
  return hall_->loop().seconds();
}
const Histogram& Studio::encode_seconds(io::StreamFormat format) const noexcept {
  return hall_->crew().seconds(format);
}
Device Studio::device() const {
  return hall_->loop().device();
}

}  // namespace ringwave::stream

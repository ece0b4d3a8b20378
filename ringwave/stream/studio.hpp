// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ringwave/core/device.hpp"
#include "ringwave/io/stream_encoder.hpp"
#include "ringwave/io/stream_format.hpp"
#include "ringwave/music/settings.hpp"
#include "ringwave/stream/histogram.hpp"
#include "ringwave/stream/listener.hpp"
#include "ringwave/stream/station_owner.hpp"
#include "ringwave/synth/piece.hpp"
#include "ringwave/synth/renderer.hpp"

namespace ringwave::stream {

/// What is known of a station from outside.
struct StationInfo {
  std::string id;
  std::uint64_t seed = 0;
  std::string preset;  ///< that the settings came from; empty where they were changed since
  music::Settings settings{};
  bool is_playing = false;
  int listeners = 0;
  std::int64_t sample_time = 0;  ///< frames that were rendered
  std::int64_t phrase = 0;       ///< that sounds there
  std::int64_t applies_at = 0;   ///< where the settings are heard, if they are not yet
  StationOwner owner{};
  std::int64_t heard_at = 0;  ///< when somebody heard it last, or it was made: Unix time
};

/// What a studio has done so far.
struct StudioStats {
  int stations = 0;
  int playing = 0;
  int listeners = 0;
  double load = 0;  ///< share of its time that rendering takes, over about the last quarter of a second
  double encode_load = 0;  ///< the same of the busiest thread that encodes
  std::uint64_t blocks = 0;
  std::uint64_t deadline_misses = 0;  ///< blocks that were ready later than the next should have begun
  std::uint64_t dropped_blocks = 0;   ///< of a station, that nobody encoded in time
  std::uint64_t device_losses = 0;    ///< times that the stations moved to the CPU
  std::uint64_t skipped_packets = 0;  ///< by listeners that were too slow, those that left included
  std::uint64_t save_failures = 0;    ///< times that the state file could not be written
};

/// Plays stations to listeners: composes, renders all stations together on the sample clock, encodes each
/// once for each format that somebody hears. A station sleeps while nobody listens, and wakes where it was.
///
/// Threads of its own render and encode. Whatever is called here is short, and waits neither for them nor for
/// another's call. Listeners go before their studio.
class Studio {
 public:
  static constexpr int kSampleRateHz = 48000;
  static constexpr int kBlockFrames = 960;  ///< 20 ms: a frame of the protocol

  using MakeEncoder = std::function<std::unique_ptr<io::StreamEncoder>(const io::StreamEncoder::Spec& spec)>;
  using MakeRenderer = std::function<synth::Renderer(Device device, const synth::Renderer::Spec& spec)>;

  struct Spec {
    Device device;
    int most_stations = 1000;    ///< that are known, asleep or not
    int most_playing = 64;       ///< at a time
    int render_threads = 0;      ///< on the CPU; 0: half of the cores, one at least
    int encode_threads = 0;      ///< 0: one less than there are cores, two at least
    double most_load = 0.7;      ///< that rendering and encoding may come to with another station
    double linger_seconds = 15;  ///< after the last listener has left
    double expire_days = 0;      ///< unheard for so long a station goes, unless it is kept; 0: none goes
    double history_seconds = 4;  ///< that a listener may be behind
    double loudness_lufs = -16;
    int opus_bitrate = 96000;  ///< bits a second
    int mp3_bitrate = 192000;
    std::filesystem::path state_path{};  ///< where the stations are kept; empty: nowhere
    std::function<void()> published{};   ///< called after packets have come, from a thread of its own
    std::function<void(const std::string&)> report{};  ///< told in a sentence what a person should know
    MakeEncoder make_encoder{};                        ///< empty: those of the formats
    MakeRenderer make_renderer{};                      ///< empty: the device's own
  };

  /// Starts the threads, and knows the stations of the state file again. One that cannot be read is put aside
  /// and reported. Throws InvalidArgument, DeviceUnavailable, OutOfMemory. [setup]
  explicit Studio(Spec spec);
  /// Saves the stations. [setup]
  ~Studio();
  Studio(const Studio&) = delete;  // its threads hold it by reference
  Studio& operator=(const Studio&) = delete;

  struct NewStation {
    std::string id{};      ///< empty: a random one
    std::string preset{};  ///< the name that the settings have
    music::Settings settings{};
    std::optional<std::uint64_t> seed{};  ///< nothing: a random one
    StationOwner owner{};
  };
  /// Throws Refusal: exists, limit_reached, out_of_range for an identifier that is none. [server]
  StationInfo create(const NewStation& station);
  /// Other settings from the next phrase on. Throws Refusal: not_found. [server]
  StationInfo change(const std::string& id, const music::Settings& settings, const std::string& preset);
  /// It is another's from now on. Throws Refusal: not_found. [server]
  void give_to(const std::string& id, const StationOwner& owner);
  /// Its listeners hear no more of it. Throws Refusal: not_found. [server]
  void remove(const std::string& id);
  /// Throws Refusal: not_found. [server]
  [[nodiscard]] StationInfo find(const std::string& id) const;
  [[nodiscard]] std::vector<StationInfo> list() const;

  /// From now on; where the station plays already, from `seconds_behind` before now. Wakes it. Throws
  /// Refusal: not_found, overloaded where as many play as can, or as the machine is fast enough for. [server]
  [[nodiscard]] std::unique_ptr<Listener> listen(const std::string& id, io::StreamFormat format,
                                                 double seconds_behind);
  /// True once its station was removed: there will be nothing more. [server]
  [[nodiscard]] bool is_gone(const std::string& id) const;

  /// What a station played from a sample time on, as far as it is known: its first frame is that time. Throws
  /// Refusal: not_found, out_of_range. [server]
  [[nodiscard]] std::unique_ptr<synth::Piece> replay(const std::string& id, std::int64_t from) const;

  /// Fades every station out, and takes no more listeners. [server]
  void fade_out();
  /// Writes the state file now. [server]
  void save();

  /// The last time that the state file was to be written, it could not be; waits for nobody. [any]
  [[nodiscard]] bool is_save_failing() const noexcept;

  /// Looks at every station. [server]
  [[nodiscard]] StudioStats stats() const;
  /// stats().load alone. [server]
  [[nodiscard]] double load() const;
  /// Seconds that rendering a block took, and encoding one in a format. [server]
  [[nodiscard]] const Histogram& render_seconds() const;
  [[nodiscard]] const Histogram& encode_seconds(io::StreamFormat format) const noexcept;
  /// Where it renders now. [any]
  [[nodiscard]] Device device() const;

 private:
  class Hall;
  std::unique_ptr<Hall> hall_;
};

}  // namespace ringwave::stream

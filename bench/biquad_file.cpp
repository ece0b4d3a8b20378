// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <nlohmann/json.hpp>

#include "bench/biquad_reference.hpp"
#include "bench/device_timer.hpp"
#include "bench/noise.hpp"
#include "bench/scipy.hpp"
#include "bench/table.hpp"
#include "ringwave/core/buffer.hpp"
#include "ringwave/core/error.hpp"
#include "ringwave/dsp/biquad.hpp"
#include "ringwave/dsp/butterworth.hpp"

namespace ringwave::bench {
namespace {

constexpr int kRateHz = 48000;
constexpr int kFrames = 60 * kRateHz;
constexpr int kOrder = 8;
constexpr std::size_t kSets = 2;

std::vector<dsp::Section> lowpass() {
  return dsp::butterworth_lowpass(kOrder, 1000, kRateHz);
}

std::size_t samples_of(int channels) {
  return static_cast<std::size_t>(channels) * kFrames;
}

/// The first and the last channel; between them a mistake would have to be very choosy.
Check check(BlockView<const float> in, BlockView<const float> out) {
  Parity parity;
  for (int channel = 0; channel < in.channels(); channel += std::max(1, in.channels() - 1))
    BiquadReference(lowpass()).compare(in.channel(channel), out.channel(channel), parity);
  return parity.check(kLeastBiquadDb);
}

/// A minute of music in host memory, filtered in one call.
struct HostFile {
  HostFile(Device device, int channel_count)
      : channels(channel_count),
        op(device, {.channels = channels, .max_block_frames = kFrames}, lowpass()),
        in(make_noise_sets(kSets, samples_of(channels))),
        out(samples_of(channels)) {}

  void filter(std::size_t round) {
    last = round % kSets;
    op.reset();
    status = op.process({in[last].data(), channels, kFrames}, {out.data(), channels, kFrames});
  }

  [[nodiscard]] Check check_last() const {
    if (status != Status::ok) return {false, 0, std::string(to_string(status))};
    return check({in[last].data(), channels, kFrames}, {out.data(), channels, kFrames});
  }

  int channels;
  dsp::Biquad op;
  std::vector<std::vector<float>> in;
  std::vector<float> out;
  std::size_t last = 0;
  Status status = Status::ok;
};

/// The same with everything in the device's memory, timed by the device.
struct ResidentFile {
  ResidentFile(Device device, int channel_count)
      : channels(channel_count),
        timer(device),
        op(device, {.channels = channels, .max_block_frames = kFrames}, lowpass()),
        out(device, samples_of(channels)) {
    for (std::size_t set = 0; set < kSets; ++set) {
      in.emplace_back(device, samples_of(channels));
      in.back().copy_from(make_noise(static_cast<std::uint32_t>(set), samples_of(channels)));
      (void)in.back().device(timer.queue());
    }
    timer.queue().synchronize();
  }

  double filter(std::size_t round) {
    last = round % kSets;
    const auto from = in[last].device(timer.queue());
    const auto to = out.overwrite_device();
    status = op.enqueue_reset(timer.queue());
    return timer.time([&] {
      if (status == Status::ok)
        status = op.enqueue(timer.queue(), {from.data(), channels, kFrames}, {to.data(), channels, kFrames});
    });
  }

  [[nodiscard]] Check check_last() {
    if (status != Status::ok) return {false, 0, std::string(to_string(status))};
    return check({in[last].host(timer.queue()).data(), channels, kFrames},
                 {out.host(timer.queue()).data(), channels, kFrames});
  }

  int channels;
  DeviceTimer timer;
  dsp::Biquad op;
  std::vector<Buffer<float>> in;
  Buffer<float> out;
  std::size_t last = 0;
  Status status = Status::ok;
};

/// sosfilt with its sections in float, and in double with a cast at the end.
class Sosfilt {
 public:
  explicit Sosfilt(int channels)
      : scipy_({.channels = channels,
                .frames = kFrames,
                .sets = kSets,
                .setup = "sos = np.array(" + sections() + ")",
                .works = {"signal.sosfilt(sos.astype(np.float32), x, axis=-1)",
                          "signal.sosfilt(sos, x, axis=-1).astype(np.float32)"}}) {}

  double filter(std::size_t work, std::size_t round) { return scipy_.run(work, round); }

  /// Whether the end of the first channel came out as it should: that it did the same work as we.
  [[nodiscard]] Check check(std::size_t work) {
    constexpr double kLeastDb = 60;  // float memory cannot do much better over a minute
    (void)scipy_.run(work, 0);       // another work may have had the last word
    BiquadReference reference(lowpass());
    Parity parity;
    const std::size_t first = static_cast<std::size_t>(kFrames) - scipy_.tail().size();
    for (std::size_t i = 0; i < static_cast<std::size_t>(kFrames); ++i) {
      const double y = reference.step(static_cast<double>(noise(0, static_cast<std::uint32_t>(i))));
      if (i >= first) parity.add(y, static_cast<double>(scipy_.tail()[i - first]));
    }
    return parity.check(kLeastDb);
  }

 private:
  static std::string sections() {
    auto rows = nlohmann::json::array();
    for (const dsp::Section& s : lowpass()) rows.push_back({s.b0, s.b1, s.b2, 1.0, s.a1, s.a2});
    return rows.dump();
  }

  Scipy scipy_;
};

void add_scipy(Duel& duel, int channels) {
  try {
    auto sosfilt = std::make_shared<Sosfilt>(channels);
    for (const std::size_t work : {std::size_t{0}, std::size_t{1}})
      duel.peers.push_back({work == 0 ? "scipy sosfilt, float inside" : "scipy sosfilt, double inside", 1,
                            [sosfilt, work](std::size_t round) { return sosfilt->filter(work, round); },
                            [sosfilt, work] { return sosfilt->check(work); }});
  } catch (const InvalidState& error) {
    duel.notes.emplace_back(error.what());
  }
}

Duel duel(Device device, int channels) {
  Duel made;
  const auto samples = static_cast<double>(samples_of(channels));
  made.bytes = 2 * sizeof(float) * samples;
  made.flops = samples * kOrder / 2 * 9;  // a section is five multiplications and four additions
  made.least_samples = 7;
  if (device.kind() == DeviceKind::cpu) {
    auto file = std::make_shared<HostFile>(device, channels);
    made.ours = {"biquad", 1, timed([file](std::size_t round) { file->filter(round); }),
                 [file] { return file->check_last(); }};
    made.goal.times_fastest_peer = channels == 8 ? 2 : 1;
    add_scipy(made, channels);
  } else {
    auto file = std::make_shared<ResidentFile>(device, channels);
    made.ours = {"biquad", 1, [file](std::size_t round) { return file->filter(round); },
                 [file] { return file->check_last(); }};
    if (channels == 8) made.goal.at_most_ns = 1.5e6;
  }
  return made;
}

}  // namespace

std::vector<Case> biquad_file_cases(Devices devices) {
  std::vector<Case> cases;
  for (const Device device : devices)
    for (const int channels : {1, 8}) {
      const bool host = device.kind() == DeviceKind::cpu;
      cases.push_back({"biquad/" + std::to_string(channels) + "ch-60s/" + device.name(),
                       "8th-order Butterworth over a minute at 48 kHz in one call, " +
                           std::string(host ? "on one core" : "device-resident, device time") +
                           (host ? "" : " (published: TorchFX 24.5 ms for 8 channels on an RTX 3070)"),
                       device, [device, channels] { return duel(device, channels); }});
    }
  return cases;
}

}  // namespace ringwave::bench

// SPDX-License-Identifier: Apache-2.0
#include "ringwave/dsp/resampler.hpp"

#include <algorithm>
#include <memory>

#include "bench/device_timer.hpp"
#include "bench/noise.hpp"
#include "bench/parity.hpp"
#include "bench/scipy.hpp"
#include "bench/table.hpp"
#include "ringwave/core/buffer.hpp"
#include "ringwave/core/error.hpp"
#include "ringwave/dsp/rate_converter.hpp"

namespace ringwave::bench {
namespace {

using dsp::RateConverter;
using dsp::Resampler;

constexpr int kFromHz = 48000;
constexpr int kToHz = 44100;
constexpr int kHostFrames = 60 * kFromHz;
constexpr int kResidentFrames = 600 * kFromHz;
constexpr int kResidentChannels = 64;
constexpr std::size_t kSets = 2;
constexpr double kLeastDb = 120;

using Quality = Resampler::Quality;

/// Outputs from `first` on by the formula, in double.
void compare(const Resampler& op, std::span<const double> taps, std::span<const float> x, std::int64_t first,
             std::span<const float> found, Parity& parity) {
  const auto size = static_cast<std::int64_t>(taps.size());
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(found.size()); ++i) {
    const std::int64_t at = (first + i) * op.down() + size / 2;
    double sum = 0;
    for (std::int64_t n = std::max<std::int64_t>(0, (at - size) / op.up() + 1);
         n < static_cast<std::int64_t>(x.size()) && n * op.up() <= at; ++n)
      sum += taps[static_cast<std::size_t>(at - n * op.up())] *
             static_cast<double>(x[static_cast<std::size_t>(n)]);
    parity.add(sum, static_cast<double>(found[static_cast<std::size_t>(i)]));
  }
}

/// The beginning, some of the middle and the end of the first and the last channel.
Check check(const Resampler& op, BlockView<const float> in, BlockView<const float> out) {
  constexpr std::size_t kSome = 4000;
  const std::vector<double> taps = dsp::resampler_filter(op.up(), op.down(), op.spec().quality);
  Parity parity;
  for (int channel = 0; channel < in.channels(); channel += std::max(1, in.channels() - 1)) {
    const auto y = out.channel(channel);
    for (const std::size_t first : {std::size_t{0}, y.size() / 2, y.size() - kSome})
      compare(op, taps, in.channel(channel), static_cast<std::int64_t>(first), y.subspan(first, kSome),
              parity);
  }
  return parity.check(kLeastDb);
}

/// A minute in host memory, in one call.
struct HostSignal {
  HostSignal(Device device, int channel_count, Quality quality)
      : channels(channel_count),
        op(device, {.from_hz = kFromHz,
                    .to_hz = kToHz,
                    .channels = channels,
                    .max_frames = kHostFrames,
                    .quality = quality}),
        frames_out(op.output_frames(kHostFrames)),
        in(make_noise_sets(kSets, static_cast<std::size_t>(channels) * kHostFrames)),
        out(static_cast<std::size_t>(channels) * static_cast<std::size_t>(frames_out)) {}

  void resample(std::size_t round) {
    last = round % kSets;
    status = op.process({in[last].data(), channels, kHostFrames}, {out.data(), channels, frames_out});
  }

  [[nodiscard]] Check check_last() const {
    if (status != Status::ok) return {false, 0, std::string(to_string(status))};
    return check(op, {in[last].data(), channels, kHostFrames}, {out.data(), channels, frames_out});
  }

  int channels;
  Resampler op;
  int frames_out;
  std::vector<std::vector<float>> in;
  std::vector<float> out;
  std::size_t last = 0;
  Status status = Status::ok;
};

/// The same by libsoxr. Beside the standard filter, which is shorter than its own, it shows what better
/// quality costs there; at 20 bits its aliases are at -131 dB, at 28 bits below what a float holds.
struct Soxr {
  Soxr(std::shared_ptr<HostSignal> host, RateConverter::Quality how)
      : signal(std::move(host)), quality(how), out(signal->out.size()) {}

  void resample(std::size_t round) {
    RateConverter converter(
        {.channels = signal->channels, .from_hz = kFromHz, .to_hz = kToHz, .quality = quality});
    const BlockView<const float> in(signal->in[round % kSets].data(), signal->channels, kHostFrames);
    const BlockView<float> to(out.data(), signal->channels, signal->frames_out);
    int done = converter.process(in, to).made;
    while (const int made = converter.finish(to.slice(done, signal->frames_out - done))) done += made;
    whole = done == signal->frames_out;
  }

  /// White noise has much that the two filters treat differently; that all of it came is what can be seen.
  [[nodiscard]] Check check_last() const { return {whole, 0, whole ? "whole" : "not whole"}; }

  std::shared_ptr<HostSignal> signal;
  RateConverter::Quality quality;
  std::vector<float> out;
  bool whole = false;
};

void add_scipy(Duel& duel, const std::shared_ptr<HostSignal>& signal) {
  try {
    // A float32 input has float32 coefficients in scipy: no cast is in its time.
    auto scipy = std::make_shared<Scipy>(
        Scipy::Job{.channels = signal->channels,
                   .frames = kHostFrames,
                   .sets = kSets,
                   .works = {"signal.resample_poly(x, " + std::to_string(signal->op.up()) + ", " +
                             std::to_string(signal->op.down()) + ", axis=-1)"}});
    duel.peers.push_back(
        {"scipy resample_poly", 1, [scipy](std::size_t round) { return scipy->run(0, round); },
         [scipy, signal] {
           (void)scipy->run(0, 0);
           Parity parity;
           const auto& op = signal->op;
           const BlockView<const float> in(signal->in[0].data(), signal->channels, kHostFrames);
           compare(op, dsp::resampler_filter(op.up(), op.down(), op.spec().quality), in.channel(0),
                   signal->frames_out - static_cast<std::int64_t>(scipy->tail().size()), scipy->tail(),
                   parity);
           return parity.check(kLeastDb - 10);  // it sums in float, one after the other
         }});
  } catch (const InvalidState& error) {
    duel.notes.emplace_back(error.what());
  }
}

void add_soxr(Duel& duel, const std::shared_ptr<HostSignal>& signal, const char* name,
              RateConverter::Quality quality) {
  auto soxr = std::make_shared<Soxr>(signal, quality);
  duel.peers.push_back({name, 1, timed([soxr](std::size_t round) { soxr->resample(round); }),
                        [soxr] { return soxr->check_last(); }});
}

Duel host_duel(Device device, int channels, Quality quality) {
  Duel made;
  auto signal = std::make_shared<HostSignal>(device, channels, quality);
  const Resampler& op = signal->op;
  const double taps =
      static_cast<double>(dsp::resampler_filter_taps(op.up(), op.down(), quality) - 1) / op.up();
  made.ours = {"resampler", 1, timed([signal](std::size_t round) { signal->resample(round); }),
               [signal] { return signal->check_last(); }};
  made.bytes = sizeof(float) * static_cast<double>(channels) * (kHostFrames + signal->frames_out);
  made.flops = 2.0 * taps * static_cast<double>(signal->out.size());
  made.least_samples = 7;
  if (device.kind() != DeviceKind::cpu) return made;
  made.goal.times_fastest_peer = 1;
  if (quality == Quality::standard) add_scipy(made, signal);
  add_soxr(made, signal, "libsoxr, 20 bits", RateConverter::Quality::high);
  if (quality == Quality::finest)
    add_soxr(made, signal, "libsoxr, 28 bits", RateConverter::Quality::very_high);
  return made;
}

/// Ten minutes of many channels in the device's memory, timed by the device.
struct Resident {
  explicit Resident(Device device)
      : timer(device),
        op(device, {.from_hz = kFromHz,
                    .to_hz = kToHz,
                    .channels = kResidentChannels,
                    .max_frames = kResidentFrames}),
        frames_out(op.output_frames(kResidentFrames)),
        in(device, static_cast<std::size_t>(kResidentChannels) * kResidentFrames),
        out(device, static_cast<std::size_t>(kResidentChannels) * static_cast<std::size_t>(frames_out)) {
    const auto samples = in.overwrite_host();
    for (std::size_t i = 0; i < samples.size(); ++i) samples[i] = noise(1, static_cast<std::uint32_t>(i));
    (void)in.device(timer.queue());
    timer.queue().synchronize();
  }

  double resample() {
    const float* const from = in.device(timer.queue()).data();
    float* const to = out.overwrite_device().data();
    return timer.time([&] {
      status = op.enqueue(timer.queue(), {from, kResidentChannels, kResidentFrames},
                          {to, kResidentChannels, frames_out});
    });
  }

  [[nodiscard]] Check check_last() {
    if (status != Status::ok) return {false, 0, std::string(to_string(status))};
    return check(op, {in.host(timer.queue()).data(), kResidentChannels, kResidentFrames},
                 {out.host(timer.queue()).data(), kResidentChannels, frames_out});
  }

  DeviceTimer timer;
  Resampler op;
  int frames_out;
  Buffer<float> in;
  Buffer<float> out;
  Status status = Status::ok;
};

Duel resident_duel(Device device) {
  Duel made;
  auto signal = std::make_shared<Resident>(device);
  made.ours = {"resampler", 1, [signal](std::size_t) { return signal->resample(); },
               [signal] { return signal->check_last(); }};
  made.bytes = sizeof(float) * static_cast<double>(signal->in.size() + signal->out.size());
  made.flops = 2.0 * 20 * kFromHz / kToHz * static_cast<double>(signal->out.size());
  made.least_samples = 20;
  made.goal.at_most_ns = 6.9e6;  // half of what an H200's memory moves
  return made;
}

}  // namespace

std::vector<Case> resampler_cases(Devices devices) {
  std::vector<Case> cases;
  const auto add_host = [&cases](Device device, int channels, Quality quality, const std::string& name) {
    cases.push_back({"resampler/" + std::to_string(channels) + "ch-60s" + name + "/" + device.name(),
                     "a minute from 48 to 44.1 kHz in one call, host to host" +
                         std::string(device.kind() == DeviceKind::cpu ? ", on one core" : ""),
                     device, [=] { return host_duel(device, channels, quality); }});
  };
  for (const Device device : devices) {
    for (const int channels : {1, 8}) add_host(device, channels, Quality::standard, "");
    add_host(device, 2, Quality::finest, "-finest");
  }
  for (const Device device : devices)
    if (device.kind() != DeviceKind::cpu)
      cases.push_back({"resampler/64ch-600s-resident/" + device.name(),
                       "ten minutes from 48 to 44.1 kHz in the device's memory, device time", device,
                       [device] { return resident_duel(device); }});
  return cases;
}

}  // namespace ringwave::bench

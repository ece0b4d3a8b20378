// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <complex>
#include <memory>
#include <numbers>

#include "bench/device_timer.hpp"
#include "bench/noise.hpp"
#include "bench/parity.hpp"
#include "bench/scipy.hpp"
#include "bench/table.hpp"
#include "ringwave/core/buffer.hpp"
#include "ringwave/core/error.hpp"
#include "ringwave/dsp/stft.hpp"

namespace ringwave::bench {
namespace {

using dsp::Complex;
using dsp::Stft;

constexpr double kLeastDb = 110;

/// Frames that need no padding, so that one formula in double judges all.
Stft::Spec spec_of(int size, int hop, int channels, int samples) {
  return {.size = size, .hop = hop, .padding = Stft::Padding::none, .channels = channels, .samples = samples};
}

/// Some bins of a frame of the noise, by the formula in double; `first` is the frame's first place in it.
class Reference {
 public:
  explicit Reference(int size) : size_(size), window_(dsp::window_values({}, size)) {}

  [[nodiscard]] std::complex<double> bin(std::uint32_t seed, std::size_t first, std::size_t k) const {
    std::complex<double> sum;
    for (std::size_t n = 0; n < window_.size(); ++n)
      sum += window_[n] * static_cast<double>(noise(seed, static_cast<std::uint32_t>(first + n))) *
             std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(k * n % window_.size()) / size_);
    return sum;
  }

 private:
  int size_;
  std::vector<double> window_;
};

/// Some bins of some frames of all that were made.
Check check_bins(const Stft& stft, std::uint32_t seed, std::span<const Complex> bins) {
  const Reference reference(stft.spec().size);
  const auto frames = static_cast<std::size_t>(stft.frame_count());
  const auto row = static_cast<std::size_t>(stft.bin_count());
  Parity parity;
  for (std::size_t channel = 0; channel < static_cast<std::size_t>(stft.spec().channels); ++channel)
    for (const std::size_t frame : {std::size_t{0}, frames / 2, frames - 1})
      for (std::size_t k = 3; k < row; k += row / 5) {
        const std::size_t first = channel * static_cast<std::size_t>(stft.spec().samples) +
                                  frame * static_cast<std::size_t>(stft.spec().hop);
        const auto truth = reference.bin(seed, first, k);
        const Complex found = bins[(channel * frames + frame) * row + k];
        parity.add(truth.real(), static_cast<double>(found.real()));
        parity.add(truth.imag(), static_cast<double>(found.imag()));
      }
  return parity.check(kLeastDb);
}

double bytes_of(const Stft& stft) {
  return sizeof(float) * static_cast<double>(stft.sample_count()) +
         sizeof(Complex) * static_cast<double>(stft.total_bins());
}

double flops_of(const Stft& stft) {
  const double size = stft.spec().size;
  return (2.5 * std::log2(size) + 1) * size * stft.frame_count() * stft.spec().channels;
}

constexpr std::size_t kSets = 2;

struct OnHost {
  OnHost(Device device, const Stft::Spec& spec)
      : stft(device, spec), in(make_noise_sets(kSets, stft.sample_count())), bins(stft.total_bins()) {}

  void run(std::size_t round) {
    last = round % kSets;
    status = stft.forward(in[last], bins);
  }
  [[nodiscard]] Check check() const {
    if (status != Status::ok) return {false, 0, std::string(to_string(status))};
    return check_bins(stft, static_cast<std::uint32_t>(last), bins);
  }

  Stft stft;
  std::vector<std::vector<float>> in;
  std::vector<Complex> bins;
  std::size_t last = 0;
  Status status = Status::ok;
};

/// scipy.signal.stft without its scaling, bins along the last axis as ours.
void add_scipy(Duel& duel, const Stft& stft) {
  const Stft::Spec& spec = stft.spec();
  try {
    const std::string size = std::to_string(spec.size);
    auto scipy = std::make_shared<Scipy>(
        Scipy::Job{.channels = spec.channels,
                   .frames = spec.samples,
                   .sets = kSets,
                   .setup = "window = signal.get_window('hann', " + size + ").astype(np.float32)",
                   .works = {"signal.stft(x, window=window, nperseg=" + size +
                             ", noverlap=" + std::to_string(spec.size - spec.hop) +
                             ", boundary=None, padded=False)[2].swapaxes(-1, -2)"}});
    const auto last_frame =
        static_cast<std::size_t>(stft.frame_count() - 1) * static_cast<std::size_t>(spec.hop);
    duel.peers.push_back(
        {"scipy stft", 1, [scipy](std::size_t round) { return scipy->run(0, round); },
         [scipy, size = spec.size, last_frame] {
           const Reference reference(size);
           Parity parity;
           const std::vector<float>& tail = scipy->tail();  // its last 64 bins, over the window's sum
           const std::size_t first = static_cast<std::size_t>(size / 2 + 1) - tail.size() / 2;
           for (std::size_t i = 0; i < tail.size(); i += 2) {
             const auto truth =
                 reference.bin(static_cast<std::uint32_t>(scipy->last_set()), last_frame, first + i / 2) /
                 (size / 2.0);
             parity.add(truth.real(), static_cast<double>(tail[i]));
             parity.add(truth.imag(), static_cast<double>(tail[i + 1]));
           }
           return parity.check(100);
         }});
  } catch (const InvalidState& error) {
    duel.notes.emplace_back(error.what());
  }
}

Duel host_duel(Device device, const Stft::Spec& spec) {
  auto run = std::make_shared<OnHost>(device, spec);
  Duel made;
  made.ours = {"stft", 1, timed([run](std::size_t round) { run->run(round); }),
               [run] { return run->check(); }};
  made.bytes = bytes_of(run->stft);
  made.flops = flops_of(run->stft);
  made.least_samples = 7;
  made.goal.times_fastest_peer = 1;
  add_scipy(made, run->stft);
  return made;
}

/// Everything in the device's memory, timed by the device.
class Resident {
 public:
  Resident(Device device, const Stft::Spec& spec, bool inverse)
      : inverse_(inverse),
        timer_(device),
        stft_(device, spec),
        samples_(device, stft_.sample_count()),
        bins_(device, stft_.total_bins()) {
    samples_.copy_from(make_noise(1, stft_.sample_count()));
    (void)stft_.enqueue_forward(timer_.queue(), samples_.device(timer_.queue()).data(),
                                bins_.overwrite_device().data());
    timer_.queue().synchronize();
  }

  double run() {
    const float* const samples = samples_.device(timer_.queue()).data();
    Complex* const bins = bins_.overwrite_device().data();
    float* const back = inverse_ ? samples_.overwrite_device().data() : nullptr;
    return timer_.time([&] {
      const Status status = inverse_ ? stft_.enqueue_inverse(timer_.queue(), bins, back)
                                     : stft_.enqueue_forward(timer_.queue(), samples, bins);
      ok_ = ok_ && status == Status::ok;
    });
  }

  [[nodiscard]] Check check() {
    if (!ok_) return {false, 0, "a transform was refused"};
    if (!inverse_) return check_bins(stft_, 1, bins_.host(timer_.queue()));
    Parity parity;
    const auto samples = samples_.host(timer_.queue());
    const auto size = static_cast<std::size_t>(stft_.spec().size);
    for (std::size_t n = size; n + size < static_cast<std::size_t>(stft_.spec().samples); n += 97)
      parity.add(static_cast<double>(noise(1, static_cast<std::uint32_t>(n))),
                 static_cast<double>(samples[n]));
    return parity.check(kLeastDb);
  }

  [[nodiscard]] const Stft& stft() const noexcept { return stft_; }

 private:
  bool inverse_;
  DeviceTimer timer_;
  Stft stft_;
  Buffer<float> samples_;
  Buffer<Complex> bins_;
  bool ok_ = true;
};

Duel resident_duel(Device device, const Stft::Spec& spec, bool inverse) {
  auto resident = std::make_shared<Resident>(device, spec, inverse);
  Duel made;
  made.ours = {inverse ? "stft, inverse" : "stft", 1, [resident](std::size_t) { return resident->run(); },
               [resident] { return resident->check(); }};
  made.bytes = bytes_of(resident->stft());
  made.flops = flops_of(resident->stft());
  made.least_samples = 50;
  return made;
}

}  // namespace

std::vector<Case> stft_cases(Devices devices) {
  constexpr int kRateHz = 48000;
  std::vector<Case> cases;
  for (const Device device : devices) {
    if (device.kind() == DeviceKind::cpu) {
      for (const int size : {1024, 2048, 4096})
        cases.push_back({"stft/" + std::to_string(size) + "-1ch-10s/" + device.name(),
                         "frames a quarter of their size apart, on one core", device, [device, size] {
                           return host_duel(device, spec_of(size, size / 4, 1, 10 * kRateHz));
                         }});
      continue;
    }
    for (const int size : {1024, 2048, 4096, 8192, 6000})
      for (const bool inverse : {false, true})
        cases.push_back({"stft/" + std::to_string(size) + "-2ch-600s-" +
                             std::string(inverse ? "inverse-resident/" : "resident/") + device.name(),
                         "frames a quarter of their size apart, in the device's memory", device,
                         [device, size, inverse] {
                           return resident_duel(device, spec_of(size, size / 4, 2, 600 * kRateHz), inverse);
                         }});
  }
  return cases;
}

}  // namespace ringwave::bench

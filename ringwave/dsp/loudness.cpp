// SPDX-License-Identifier: Apache-2.0
// The only file that knows libebur128.
#include "ringwave/dsp/loudness.hpp"

#include <ebur128.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "ringwave/backend/block_check.hpp"
#include "ringwave/core/error.hpp"

namespace ringwave::dsp {
namespace {

constexpr int kLeastRateHz = 1000;
constexpr int kMostRateHz = 768000;
constexpr double kSilence = -std::numeric_limits<double>::infinity();

/// Tech 3341's shortest signal is a tone of 0.4 s: a window that misses it by half a step of 10 ms is 0.05 dB
/// low, half of the tolerance. A step of 100 ms would be 0.6 dB low.
constexpr unsigned long kStepMs = 10;
constexpr std::size_t kMomentarySteps = 40;
constexpr std::size_t kShortTermSteps = 300;

/// LUFS are 10 log10(energy) - 0.691, of the weighted channels' mean squares (BS.1770).
constexpr double kOffsetDb = -0.691;

double lufs_of(double energy) {
  return energy > 0 ? 10 * std::log10(energy) + kOffsetDb : kSilence;
}

double energy_of(double lufs) {
  return std::isfinite(lufs) ? std::pow(10.0, (lufs - kOffsetDb) / 10) : 0.0;
}

double decibels(double linear) {
  return linear > 0 ? 20 * std::log10(linear) : kSilence;
}

void require(const Loudness::Spec& spec) {
  if (spec.channels < 1 || spec.channels > Loudness::kMostChannels || spec.sample_rate_hz < kLeastRateHz ||
      spec.sample_rate_hz > kMostRateHz)
    throw InvalidArgument("loudness was asked for of " + std::to_string(spec.channels) + " channels at " +
                          std::to_string(spec.sample_rate_hz) + " Hz; use 1 to " +
                          std::to_string(Loudness::kMostChannels) + " channels at " +
                          std::to_string(kLeastRateHz) + " to " + std::to_string(kMostRateHz) + " Hz");
}

struct Destroy {
  void operator()(ebur128_state* state) const noexcept { ebur128_destroy(&state); }
};

}  // namespace

class Loudness::Measurement {
 public:
  explicit Measurement(const Spec& spec)
      : state_(ebur128_init(static_cast<unsigned>(spec.channels),
                            static_cast<unsigned long>(spec.sample_rate_hz),
                            EBUR128_MODE_I | EBUR128_MODE_LRA | EBUR128_MODE_TRUE_PEAK)),
        step_frames_(spec.sample_rate_hz / static_cast<int>(1000 / kStepMs)) {
    if (!state_) throw OutOfMemory("there is no memory for a loudness measurement");
    step_.reserve(static_cast<std::size_t>(step_frames_) * channels());
  }

  [[nodiscard]] std::size_t channels() const noexcept { return state_->channels; }

  void add_frame(BlockView<const float> block, std::size_t n) {
    for (std::size_t channel = 0; channel < channels(); ++channel) {
      const float sample = block.channel(static_cast<int>(channel))[n];
      const bool finite = backend::is_nonfinite(sample) == 0;
      nonfinite_ += finite ? 0 : 1;
      step_.push_back(finite ? sample : 0.0F);
    }
    ++frames_;
    if (static_cast<int>(step_.size() / channels()) == step_frames_) end_step();
  }

  /// Gives what has come to the library: before every answer, and at every step.
  void flush() {
    if (step_.empty()) return;
    const std::size_t count = step_.size() / channels();
    if (ebur128_add_frames_float(state_.get(), step_.data() + given_ * channels(), count - given_) !=
        EBUR128_SUCCESS)
      throw OutOfMemory("there is no memory to go on with a loudness measurement");
    given_ = count;
  }

  template <class Query>
  double ask(Query query) {
    flush();
    double value = kSilence;
    query(state_.get(), &value);
    return std::isfinite(value) ? value : kSilence;
  }

  template <class Query>
  double highest_of_channels(Query query) {
    flush();
    double highest = 0;
    for (unsigned channel = 0; channel < channels(); ++channel) {
      double value = 0;
      query(state_.get(), channel, &value);
      highest = std::max(highest, value);
    }
    return decibels(highest);
  }

  [[nodiscard]] double max_momentary() const { return lufs_of(max_momentary_); }
  [[nodiscard]] double max_short_term() const { return lufs_of(max_short_term_); }
  [[nodiscard]] std::int64_t frames() const noexcept { return frames_; }
  [[nodiscard]] std::int64_t nonfinite() const noexcept { return nonfinite_; }

 private:
  void end_step() {
    flush();
    double lufs = kSilence;
    ebur128_loudness_window(state_.get(), kStepMs, &lufs);
    energies_[steps_++ % kShortTermSteps] = energy_of(lufs);
    if (steps_ >= kMomentarySteps) max_momentary_ = std::max(max_momentary_, mean_energy(kMomentarySteps));
    if (steps_ >= kShortTermSteps) max_short_term_ = std::max(max_short_term_, mean_energy(kShortTermSteps));
    step_.clear();
    given_ = 0;
  }

  [[nodiscard]] double mean_energy(std::size_t count) const {
    double sum = 0;
    for (std::size_t i = 1; i <= count; ++i) sum += energies_[(steps_ - i) % kShortTermSteps];
    return sum / static_cast<double>(count);
  }

  std::unique_ptr<ebur128_state, Destroy> state_;
  int step_frames_;
  std::vector<float> step_;  // interleaved frames of the step that is filled now
  std::size_t given_ = 0;    // how many of them the library has
  std::array<double, kShortTermSteps> energies_{};
  std::size_t steps_ = 0;
  double max_momentary_ = 0;
  double max_short_term_ = 0;
  std::int64_t frames_ = 0;
  std::int64_t nonfinite_ = 0;
};

Loudness::Loudness(const Spec& spec) {
  require(spec);
  measurement_ = std::make_unique<Measurement>(spec);
}

Loudness::~Loudness() = default;
Loudness::Loudness(Loudness&&) noexcept = default;
Loudness& Loudness::operator=(Loudness&&) noexcept = default;

void Loudness::add(BlockView<const float> block) {
  if (block.channels() != static_cast<int>(measurement_->channels()))
    throw InvalidArgument("the loudness of " + std::to_string(measurement_->channels()) +
                          " channels is measured, and a block has " + std::to_string(block.channels()));
  for (std::size_t n = 0; n < static_cast<std::size_t>(std::max(0, block.frames())); ++n)
    measurement_->add_frame(block, n);
}

double Loudness::integrated_lufs() const {
  return measurement_->ask(ebur128_loudness_global);
}

double Loudness::momentary_lufs() const {
  return measurement_->ask(ebur128_loudness_momentary);
}

double Loudness::short_term_lufs() const {
  return measurement_->ask(ebur128_loudness_shortterm);
}

double Loudness::max_momentary_lufs() const {
  return measurement_->max_momentary();
}

double Loudness::max_short_term_lufs() const {
  return measurement_->max_short_term();
}

double Loudness::range_lu() const {
  return std::max(0.0, measurement_->ask(ebur128_loudness_range));
}

double Loudness::sample_peak_dbfs() const {
  return measurement_->highest_of_channels(ebur128_sample_peak);
}

double Loudness::true_peak_dbtp() const {
  return measurement_->highest_of_channels(ebur128_true_peak);
}

std::int64_t Loudness::frames() const noexcept {
  return measurement_->frames();
}

std::int64_t Loudness::nonfinite_samples() const noexcept {
  return measurement_->nonfinite();
}

}  // namespace ringwave::dsp

// SPDX-License-Identifier: Apache-2.0
// The only file that knows libsoxr.
#include "ringwave/dsp/rate_converter.hpp"

#include <soxr.h>

#include <algorithm>
#include <string>
#include <vector>

#include "ringwave/backend/block_check.hpp"
#include "ringwave/core/error.hpp"

namespace ringwave::dsp {
namespace {

constexpr int kPieceFrames = 4096;  // that are looked through and given to the library at a time

unsigned long recipe_of(RateConverter::Quality quality) {
  switch (quality) {
    case RateConverter::Quality::quick:
      return SOXR_QQ;
    case RateConverter::Quality::medium:
      return SOXR_MQ;
    case RateConverter::Quality::high:
      return SOXR_HQ;
    case RateConverter::Quality::very_high:
      return SOXR_VHQ;
  }
  throw InvalidArgument("a conversion of the rate was asked for with a quality that there is not");
}

struct Delete {
  void operator()(soxr* state) const noexcept { soxr_delete(state); }
};

std::unique_ptr<soxr, Delete> make(const RateConverter::Spec& spec) {
  const soxr_io_spec_t planar = soxr_io_spec(SOXR_FLOAT32_S, SOXR_FLOAT32_S);
  const soxr_quality_spec_t quality = soxr_quality_spec(recipe_of(spec.quality), 0);
  const soxr_runtime_spec_t one_thread = soxr_runtime_spec(1);
  soxr_error_t error = nullptr;
  std::unique_ptr<soxr, Delete> state(soxr_create(spec.from_hz, spec.to_hz,
                                                  static_cast<unsigned>(spec.channels), &error, &planar,
                                                  &quality, &one_thread));
  if (error != nullptr || !state)
    throw OutOfMemory("a conversion from " + std::to_string(spec.from_hz) + " Hz to " +
                      std::to_string(spec.to_hz) + " Hz cannot be prepared: " + soxr_strerror(error));
  return state;
}

}  // namespace

class RateConverter::Stream {
 public:
  explicit Stream(const Spec& spec)
      : spec_(spec),
        state_(make(spec)),
        piece_(static_cast<std::size_t>(spec.channels) * kPieceFrames),
        from_(static_cast<std::size_t>(spec.channels)),
        to_(static_cast<std::size_t>(spec.channels)) {
    for (std::size_t channel = 0; channel < from_.size(); ++channel)
      from_[channel] = piece_.data() + channel * kPieceFrames;
  }

  Progress process(BlockView<const float> in, BlockView<float> out) {
    require_channels(in.channels());
    if (ended_) throw InvalidState("more input came to a conversion of the rate that was finished");
    Progress done;
    while (done.taken < in.frames() && done.made < out.frames()) {
      const auto piece = in.slice(done.taken, std::min(kPieceFrames, in.frames() - done.taken));
      copy(piece);
      const Progress step = run(from_.data(), piece.frames(), out.slice(done.made, out.frames() - done.made));
      count_nonfinite(piece.slice(0, step.taken));
      done.taken += step.taken;
      done.made += step.made;
      taken_ += step.taken;
    }
    return done;
  }

  /// The library says itself where the signal ends; silence is put behind where it should be a frame short.
  int finish(BlockView<float> out) {
    ended_ = true;
    const std::int64_t left = output_frames(taken_, spec_.from_hz, spec_.to_hz) - made_;
    const int wanted = static_cast<int>(std::min<std::int64_t>(left, out.frames()));
    if (wanted <= 0) return 0;
    int done = 0;
    while (done < wanted) {
      const int made = run(nullptr, 0, out.slice(done, wanted - done)).made;
      if (made == 0) break;
      done += made;
    }
    backend::silence(out.slice(done, wanted - done));
    made_ += wanted - done;
    return wanted;
  }

  [[nodiscard]] std::int64_t nonfinite() const noexcept { return nonfinite_; }

 private:
  void require_channels(int channels) const {
    if (channels != spec_.channels)
      throw InvalidArgument("the rate of " + std::to_string(spec_.channels) +
                            " channels is converted, and a block has " + std::to_string(channels));
  }

  void copy(BlockView<const float> piece) {
    for (int channel = 0; channel < spec_.channels; ++channel)
      std::ranges::transform(piece.channel(channel),
                             piece_.begin() + static_cast<std::ptrdiff_t>(channel) * kPieceFrames,
                             [](float sample) { return backend::is_nonfinite(sample) != 0 ? 0.0F : sample; });
  }

  void count_nonfinite(BlockView<const float> piece) {
    for (int channel = 0; channel < spec_.channels; ++channel)
      for (const float sample : piece.channel(channel)) nonfinite_ += backend::is_nonfinite(sample);
  }

  Progress run(const void* in, int frames, BlockView<float> out) {
    require_channels(out.channels());
    for (std::size_t channel = 0; channel < to_.size(); ++channel)
      to_[channel] = out.channel(static_cast<int>(channel)).data();
    std::size_t taken = 0;
    std::size_t made = 0;
    const soxr_error_t error = soxr_process(state_.get(), in, static_cast<std::size_t>(frames), &taken,
                                            to_.data(), static_cast<std::size_t>(out.frames()), &made);
    if (error != nullptr)
      throw OutOfMemory(std::string("the conversion of a rate stopped: ") + soxr_strerror(error));
    made_ += static_cast<std::int64_t>(made);
    return {static_cast<int>(taken), static_cast<int>(made)};
  }

  Spec spec_;
  std::unique_ptr<soxr, Delete> state_;
  std::vector<float> piece_;  // [channel][kPieceFrames]
  std::vector<const void*> from_;
  std::vector<void*> to_;
  std::int64_t taken_ = 0;
  std::int64_t made_ = 0;
  std::int64_t nonfinite_ = 0;
  bool ended_ = false;
};

void RateConverter::require_valid(const Spec& spec) {
  const auto wrong = [](int hz) { return hz < kLeastRateHz || hz > kMostRateHz; };
  if (wrong(spec.from_hz) || wrong(spec.to_hz))
    throw InvalidArgument("a conversion from " + std::to_string(spec.from_hz) + " Hz to " +
                          std::to_string(spec.to_hz) + " Hz was asked for; use rates from " +
                          std::to_string(kLeastRateHz) + " to " + std::to_string(kMostRateHz) + " Hz");
  const std::int64_t lower = std::min(spec.from_hz, spec.to_hz);
  const std::int64_t higher = std::max(spec.from_hz, spec.to_hz);
  if (higher > lower * kMostRatio)
    throw InvalidArgument("a conversion from " + std::to_string(spec.from_hz) + " Hz to " +
                          std::to_string(spec.to_hz) +
                          " Hz was asked for; use rates of which one is at most " +
                          std::to_string(kMostRatio) + " times the other");
  if (spec.channels < 1 || spec.channels > kMostChannels)
    throw InvalidArgument("a conversion of the rate of " + std::to_string(spec.channels) +
                          " channels was asked for; use 1 to " + std::to_string(kMostChannels));
}

RateConverter::RateConverter(const Spec& spec) {
  require_valid(spec);
  stream_ = std::make_unique<Stream>(spec);
}

RateConverter::~RateConverter() = default;
RateConverter::RateConverter(RateConverter&&) noexcept = default;
RateConverter& RateConverter::operator=(RateConverter&&) noexcept = default;

RateConverter::Progress RateConverter::process(BlockView<const float> in, BlockView<float> out) {
  return stream_->process(in, out);
}

int RateConverter::finish(BlockView<float> out) {
  return stream_->finish(out);
}

std::int64_t RateConverter::nonfinite_samples() const noexcept {
  return stream_->nonfinite();
}

std::int64_t RateConverter::output_frames(std::int64_t frames, int from_hz, int to_hz) noexcept {
  // Whole seconds apart, so that the product fits.
  const std::int64_t rest = frames % from_hz;
  return frames / from_hz * to_hz + (2 * rest * to_hz + from_hz) / (2 * std::int64_t{from_hz});
}

}  // namespace ringwave::dsp

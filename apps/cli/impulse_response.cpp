// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/impulse_response.hpp"

#include <algorithm>
#include <cmath>

#include "apps/cli/interruption.hpp"
#include "ringwave/core/error.hpp"

namespace ringwave::cli {
namespace {

constexpr int kReadFrames = 16384;
constexpr std::size_t kTrueStereo = 4;  // responses: LL, LR, RL, RR

void require_fit(const io::AudioReader& response, const io::AudioReader& input) {
  if (response.sample_rate_hz() != input.sample_rate_hz())
    throw InvalidArgument(response.name() + " has " + std::to_string(response.sample_rate_hz()) + " Hz and " +
                          input.name() + " has " + std::to_string(input.sample_rate_hz()) +
                          " Hz; convert the impulse response to " + std::to_string(input.sample_rate_hz()) +
                          " Hz first");
  const int channels = response.channels();
  const bool true_stereo = channels == static_cast<int>(kTrueStereo) && input.channels() == 2;
  if (channels != 1 && channels != input.channels() && !true_stereo)
    throw InvalidArgument(response.name() + " has " + std::to_string(channels) + " channels and " +
                          input.name() + " has " + std::to_string(input.channels()) +
                          "; an impulse response has one, as many as the input, or four for a stereo input");
}

}  // namespace

ImpulseResponse::ImpulseResponse(const std::string& path, const io::AudioReader& input, Mix mix)
    : channels_(input.channels()) {
  io::AudioReader reader(path, {.stop = Interruption::flag()});
  require_fit(reader, input);
  read(reader);
  this->mix(mix);
}

void ImpulseResponse::read(io::AudioReader& reader) {
  const auto channels = static_cast<std::size_t>(reader.channels());
  std::vector<float> samples(channels * kReadFrames);
  const BlockView<float> block(samples.data(), reader.channels(), kReadFrames);
  taps_.resize(channels);
  while (const int count = reader.read(block)) {
    for (std::size_t channel = 0; channel < channels; ++channel) {
      const auto part = block.slice(0, count).channel(static_cast<int>(channel));
      if (!std::ranges::all_of(part, [](float tap) { return std::isfinite(tap); }))
        throw BadFile(reader.name() + " has a sample that is not finite; repair the impulse response");
      taps_[channel].insert(taps_[channel].end(), part.begin(), part.end());
    }
    if (taps_.front().size() > static_cast<std::size_t>(dsp::Convolver::kMostTaps))
      throw InvalidArgument(reader.name() + " has more than " + std::to_string(dsp::Convolver::kMostTaps) +
                            " frames, the most of an impulse response; shorten it");
  }
  if (taps_.front().empty())
    throw BadFile(reader.name() + " has no frames; an impulse response has one at least");
}

/// The input itself is one more tap of the paths that lead straight through.
void ImpulseResponse::mix(Mix mix) {
  for (std::size_t i = 0; i < taps_.size(); ++i) {
    for (float& tap : taps_[i]) tap = static_cast<float>(mix.wet * static_cast<double>(tap));
    const bool crosses = channels_ == 2 && taps_.size() == kTrueStereo && (i == 1 || i == 2);
    if (!crosses) taps_[i].front() += static_cast<float>(mix.dry);
  }
}

std::vector<dsp::Convolver::Path> ImpulseResponse::paths() const {
  if (channels_ == 2 && taps_.size() == kTrueStereo)
    return {{{0, 0}, taps_[0]}, {{0, 1}, taps_[1]}, {{1, 0}, taps_[2]}, {{1, 1}, taps_[3]}};
  std::vector<dsp::Convolver::Path> paths;
  paths.reserve(static_cast<std::size_t>(channels_));
  for (int channel = 0; channel < channels_; ++channel)
    paths.push_back(
        {{channel, channel}, taps_.size() == 1 ? taps_[0] : taps_[static_cast<std::size_t>(channel)]});
  return paths;
}

}  // namespace ringwave::cli

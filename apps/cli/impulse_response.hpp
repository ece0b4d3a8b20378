// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "ringwave/dsp/convolver.hpp"
#include "ringwave/io/audio_reader.hpp"

namespace ringwave::cli {

/// The responses of a file, and the paths that they take through the channels of an input.
class ImpulseResponse {
 public:
  /// How loud the effect and the input itself are, as factors.
  struct Mix {
    double wet = 1;
    double dry = 0;
  };

  /// Reads all of `path`. Throws as AudioReader; BadFile where there is no frame or a sample is not finite;
  /// InvalidArgument where the rate is not that of `input`, or the channels do not fit. [setup]
  ImpulseResponse(const std::string& path, const io::AudioReader& input, Mix mix);

  [[nodiscard]] int frames() const noexcept { return static_cast<int>(taps_.front().size()); }

  /// One response for all channels, one for each, or LL, LR, RL and RR; they live as long as this. [any]
  [[nodiscard]] std::vector<dsp::Convolver::Path> paths() const;

 private:
  void read(io::AudioReader& reader);
  void mix(Mix mix);

  int channels_;
  std::vector<std::vector<float>> taps_;  // [channel of the file]
};

}  // namespace ringwave::cli

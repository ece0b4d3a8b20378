// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

namespace ringwave::bench {

/// The voice of pad_voice.dsp in the C++ that `faust -vec` makes of it: the peer of our voices.
class FaustVoice {
 public:
  /// How often what moves slowly goes on: LFOs, the second envelope, and with them pitches and cutoff. Ours
  /// lies between, with every sixteenth frame.
  enum class Slow : unsigned char { every_frame, once_a_block };

  /// A note that begins. Null where faust was not there when this was built. [setup]
  [[nodiscard]] static std::unique_ptr<FaustVoice> try_make(Slow slow, float key, float velocity,
                                                            int sample_rate_hz);

  FaustVoice(const FaustVoice&) = delete;  // it is a note that sounds
  FaustVoice& operator=(const FaustVoice&) = delete;
  virtual ~FaustVoice() = default;

  /// The next frames. [any]
  virtual void play(int frames, float* left, float* right) = 0;

 protected:
  FaustVoice() = default;
};

}  // namespace ringwave::bench

// SPDX-License-Identifier: Apache-2.0
#include "bench/faust_voice.hpp"

#if __has_include(<faust/pad_voice.hpp>)
#include <cmath>
#include <map>
#include <numbers>
#include <string>

// What the C++ of faust expects to find.
struct Meta {
  static void declare(const char* /*key*/, const char* /*value*/) {}
};

struct UI {
  static void openVerticalBox(const char* /*label*/) {}
  static void closeBox() {}
  void addNumEntry(const char* label, float* zone, float /*init*/, float /*least*/, float /*most*/,
                   float /*step*/) {
    entries[label] = zone;
  }
  std::map<std::string, float*> entries;
};

struct dsp {
  virtual ~dsp() = default;
};

#include <faust/held_pad_voice.hpp>
#undef FAUSTCLASS
#include <faust/pad_voice.hpp>

namespace ringwave::bench {
namespace {

template <class Dsp>
class Generated final : public FaustVoice {
 public:
  Generated(float key, float velocity, int sample_rate_hz) : sample_rate_hz_(sample_rate_hz) {
    dsp_.init(sample_rate_hz);
    dsp_.buildUserInterface(&ui_);
    *ui_.entries.at("key") = key;
    *ui_.entries.at("velocity") = velocity;
    *ui_.entries.at("gate") = 1;
  }

  void play(int frames, float* left, float* right) override {
    if (ui_.entries.contains("lfo1")) move(frames);
    float* sides[] = {left, right};
    dsp_.compute(frames, nullptr, sides);
  }

 private:
  /// Once a block.
  void move(int frames) {
    seconds_ += static_cast<double>(frames) / sample_rate_hz_;
    const double turns = 0.31 * seconds_;
    *ui_.entries.at("lfo1") = static_cast<float>(std::sin(2 * std::numbers::pi * 0.13 * seconds_));
    *ui_.entries.at("lfo2") = static_cast<float>(4 * std::abs(turns - std::floor(turns + 0.5)) - 1);
    *ui_.entries.at("env2") = 0.5F;  // where it comes to rest
  }

  Dsp dsp_;
  UI ui_;
  int sample_rate_hz_;
  double seconds_ = 0;
};

}  // namespace

std::unique_ptr<FaustVoice> FaustVoice::try_make(Slow slow, float key, float velocity, int sample_rate_hz) {
  if (slow == Slow::once_a_block)
    return std::make_unique<Generated<HeldPadVoice>>(key, velocity, sample_rate_hz);
  return std::make_unique<Generated<PadVoice>>(key, velocity, sample_rate_hz);
}

}  // namespace ringwave::bench
#else
namespace ringwave::bench {

std::unique_ptr<FaustVoice> FaustVoice::try_make(Slow /*slow*/, float /*key*/, float /*velocity*/,
                                                 int /*sample_rate_hz*/) {
  return nullptr;
}

}  // namespace ringwave::bench
#endif

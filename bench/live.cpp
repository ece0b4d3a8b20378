// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "bench/biquad_reference.hpp"
#include "bench/parity.hpp"
#include "bench/room.hpp"
#include "bench/table.hpp"
#include "bench/ways.hpp"
#include "ringwave/dsp/butterworth.hpp"
#include "ringwave/live/live_biquad.hpp"
#include "ringwave/live/live_convolver.hpp"

namespace ringwave::bench {
namespace {

using live::Way;

constexpr int kChannels = 2;

live::LiveSpec spec_of(Device device, Way way, Shape shape) {
  return {.channels = shape.channels,
          .max_block_frames = shape.frames,
          .device = device,
          .way = way,
          .deadline = kLiveDeadline};
}

std::vector<dsp::Section> lowpass() {
  return dsp::butterworth_lowpass(8, 1000, 48000);
}

/// Some blocks from silence on, so that the memory between blocks is in the check too.
Check check_biquad(LiveRun& run) {
  std::vector<BiquadReference> references(kChannels, BiquadReference(lowpass()));
  Parity parity;
  run.op().reset();
  for (std::size_t block = 0; block < 2 * LiveRun::kSets; ++block) {
    run.process(block);
    for (int channel = 0; channel < kChannels; ++channel)
      references[static_cast<std::size_t>(channel)].compare(run.input().channel(channel),
                                                            run.output().channel(channel), parity);
  }
  return parity.check(kLeastBiquadDb);
}

/// The same by the formula in double, at some frames of every block.
Check check_convolver(LiveRun& run, const std::vector<float>& taps) {
  constexpr double kLeastDb = 110;
  constexpr std::size_t kLooks = 8;
  Parity parity;
  std::vector<std::vector<float>> heard(kChannels);
  run.op().reset();
  for (std::size_t block = 0; block < 4 * LiveRun::kSets; ++block) {
    run.process(block);
    for (int channel = 0; channel < kChannels; ++channel) {
      auto& past = heard[static_cast<std::size_t>(channel)];
      const auto in = run.input().channel(channel);
      const auto out = run.output().channel(channel);
      past.insert(past.end(), in.begin(), in.end());
      for (std::size_t look = 0; look < kLooks; ++look) {
        const std::size_t frame = look * (in.size() - 1) / (kLooks - 1);
        const std::size_t n = past.size() - in.size() + frame;
        double sum = 0;
        for (std::size_t k = 0; k < std::min(taps.size(), n + 1); ++k)
          sum += static_cast<double>(taps[k]) * static_cast<double>(past[n - k]);
        parity.add(sum, static_cast<double>(out[frame]));
      }
    }
  }
  return parity.check(kLeastDb);
}

Duel biquad(Device device, Shape shape, bool idle_gaps) {
  Duel made = duel_of_ways(device, idle_gaps, [&](Way way) {
    return live_contender(
        way, shape, std::make_unique<live::LiveBiquad>(spec_of(device, way, shape), lowpass()), check_biquad);
  });
  made.flops = static_cast<double>(shape.samples()) * 4 * 9;
  return made;
}

Duel convolver(Device device, Shape shape, int taps, bool idle_gaps) {
  const std::vector<float> room = make_room(9, static_cast<std::size_t>(taps));
  std::vector<float> both = room;
  both.insert(both.end(), room.begin(), room.end());
  return duel_of_ways(device, idle_gaps, [&](Way way) {
    return live_contender(
        way, shape,
        std::make_unique<live::LiveConvolver>(spec_of(device, way, shape),
                                              BlockView<const float>(both.data(), kChannels, taps)),
        [room](LiveRun& run) { return check_convolver(run, room); });
  });
}

}  // namespace

std::vector<Case> live_cases(Devices devices) {
  std::vector<Case> cases;
  for (const Device device : devices)
    for (const int frames : kLiveFrames)
      for (const bool idle_gaps : {false, true}) {
        const Shape shape{kChannels, frames};
        const std::string when = idle_gaps ? ", a millisecond after the one before" : ", one after the other";
        std::string where = shape.name();
        where.append(idle_gaps ? "-idle-gaps/" : "/").append(device.name());
        cases.push_back({"live/biquad/" + where, "8th-order Butterworth, a block by message" + when, device,
                         [=] { return biquad(device, shape, idle_gaps); }});
        for (const int taps : {512, 2048, 8192})
          cases.push_back({"live/convolver/" + std::to_string(taps) + "taps-" + where,
                           "a response each, a block by message" + when, device,
                           [=] { return convolver(device, shape, taps, idle_gaps); }});
      }
  return cases;
}

}  // namespace ringwave::bench

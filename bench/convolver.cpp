// SPDX-License-Identifier: Apache-2.0
#include "ringwave/dsp/convolver.hpp"

#include <ctime>
#include <memory>

#include "bench/noise.hpp"
#include "bench/parity.hpp"
#include "bench/room.hpp"
#include "bench/table.hpp"
#include "bench/zita.hpp"

namespace ringwave::bench {
namespace {

using dsp::Convolver;

constexpr int kBlock = 128;
constexpr std::size_t kBlocks = 750;  // two seconds at 48 kHz: every level's work comes round often

std::vector<float> room(std::size_t taps) {
  return make_room(9, taps);
}

/// A stream of noise in blocks. The noise repeats after a while; what is checked knows that.
template <class Engine>
class Stream {
 public:
  Stream(Engine engine, std::size_t taps)
      : engine_(std::move(engine)),
        taps_(room(taps)),
        signal_(make_noise(3, kBlocks * kBlock)),
        out_(kBlock) {}

  /// Nanoseconds of one block. [any]
  double latency() {
    return timed([this](std::size_t) { block(); })(0);
  }

  /// Nanoseconds of processor time, of all threads, for kBlocks blocks. [any]
  double processor_time() {
    const double begin = process_seconds();
    for (std::size_t i = 0; i < kBlocks; ++i) block();
    return (process_seconds() - begin) * 1e9;
  }

  /// Some samples of the last block, by the formula in double.
  [[nodiscard]] Check check() const {
    constexpr std::size_t kLooks = 8;
    constexpr double kLeastDb = 110;
    Parity parity;
    for (std::size_t look = 0; look < kLooks; ++look) {
      const std::size_t back = 1 + look * 13;  // from the end of the block
      const std::size_t n = played_ * kBlock - back;
      double sum = 0;
      for (std::size_t k = 0; k < std::min(taps_.size(), n + 1); ++k)
        sum += static_cast<double>(taps_[k]) * static_cast<double>(signal_[(n - k) % signal_.size()]);
      parity.add(sum, out_[kBlock - back]);
    }
    return parity.check(kLeastDb);
  }

 private:
  static double process_seconds() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
  }

  void block() { engine_(signal_.data() + played_++ % kBlocks * kBlock, out_.data()); }

  Engine engine_;
  std::vector<float> taps_;
  std::vector<float> signal_;
  std::vector<float> out_;
  std::size_t played_ = 0;
};

auto ours(Device device, std::size_t taps) {
  const std::vector<float> h = room(taps);
  const Convolver::Path path{{0, 0}, h};
  auto convolver = std::make_shared<Convolver>(
      device, Convolver::Spec{.max_block_frames = kBlock, .mode = Convolver::Mode::partitioned},
      std::span(&path, 1));
  return [convolver](const float* in, float* out) {
    (void)convolver->process({in, 1, kBlock}, {out, 1, kBlock});
  };
}

template <class Engine>
Contender contender(const char* name, Engine engine, std::size_t taps, bool processor_time) {
  auto stream = std::make_shared<Stream<Engine>>(std::move(engine), taps);
  return {name, processor_time ? kBlocks : 1,
          [stream, processor_time](std::size_t) {
            return processor_time ? stream->processor_time() : stream->latency();
          },
          [stream] { return stream->check(); }};
}

Duel duel(Device device, std::size_t taps, bool processor_time) {
  Duel made;
  made.ours = contender("convolver", ours(device, taps), taps, processor_time);
  if (!processor_time) made.idle_gap = kIdleGap;
  made.least_samples = processor_time ? 5 : 1500;
  if (device.kind() != DeviceKind::cpu) return made;
  if (std::shared_ptr<Zita> zita = Zita::try_make(kBlock, room(taps)))
    made.peers.push_back(contender(
        "zita-convolver", [zita](const float* in, float* out) { zita->process(in, out); }, taps,
        processor_time));
  else
    made.notes.emplace_back("zita-convolver was not there when this was built (libzita-convolver-dev)");
  if (processor_time) made.goal.times_fastest_peer = 1 / 0.8;
  return made;
}

}  // namespace

std::vector<Case> convolver_cases(Devices devices) {
  std::vector<Case> cases;
  for (const Device device : devices)
    for (const std::size_t taps : {96'000U, 480'000U}) {
      const std::string name = "convolver/" + std::to_string(taps) + "taps-128f";
      cases.push_back({name + "-idle-gaps/" + device.name(),
                       "mono; one block after a real-time caller's pause", device,
                       [device, taps] { return duel(device, taps, false); }});
      if (device.kind() == DeviceKind::cpu)
        cases.push_back({name + "-processor-time/cpu", "mono; a block's processor time, of all threads",
                         device, [device, taps] { return duel(device, taps, true); }});
    }
  return cases;
}

}  // namespace ringwave::bench

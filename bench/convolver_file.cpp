// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "bench/noise.hpp"
#include "bench/parity.hpp"
#include "bench/room.hpp"
#include "bench/scipy.hpp"
#include "bench/table.hpp"
#include "ringwave/core/error.hpp"
#include "ringwave/dsp/convolver.hpp"

namespace ringwave::bench {
namespace {

using dsp::Convolver;

constexpr int kFrames = 60 * 48000;
constexpr std::size_t kSets = 2;
constexpr std::uint32_t kRoomSeed = 40;

/// A sample of the output by the formula in double.
double truth_at(std::uint32_t seed, const std::vector<float>& room, std::size_t n) {
  double sum = 0;
  for (std::size_t k = 0; k < std::min(room.size(), n + 1); ++k)
    sum += static_cast<double>(room[k]) * static_cast<double>(noise(seed, static_cast<std::uint32_t>(n - k)));
  return sum;
}

/// A minute in host memory, block after block.
class File {
 public:
  File(Device device, std::size_t taps, int block)
      : block_(block),
        room_(make_room(kRoomSeed, taps)),
        convolver_(device, 1, block, room_),
        in_(make_noise_sets(kSets, kFrames)),
        out_(kFrames) {}

  void run(std::size_t round) {
    last_ = round % kSets;
    convolver_.reset();
    for (int first = 0; first < kFrames; first += block_) {
      const int count = std::min(block_, kFrames - first);
      const Status status = convolver_.process(BlockView<const float>(in_[last_]).slice(first, count),
                                               BlockView<float>(out_).slice(first, count));
      if (status != Status::ok) status_ = status;
    }
  }

  [[nodiscard]] Check check() const {
    constexpr double kLeastDb = 110;
    if (status_ != Status::ok) return {false, 0, std::string(to_string(status_))};
    Parity parity;
    for (std::size_t n = 100; n < out_.size(); n += out_.size() / 20)
      parity.add(truth_at(static_cast<std::uint32_t>(last_), room_, n), static_cast<double>(out_[n]));
    return parity.check(kLeastDb);
  }

  [[nodiscard]] const std::vector<float>& room() const noexcept { return room_; }

 private:
  int block_;
  std::vector<float> room_;
  Convolver convolver_;
  std::vector<std::vector<float>> in_;
  std::vector<float> out_;
  std::size_t last_ = 0;
  Status status_ = Status::ok;
};

void add_scipy(Duel& duel, const std::vector<float>& room) {
  try {
    const std::string taps = std::to_string(room.size());
    auto scipy = std::make_shared<Scipy>(
        Scipy::Job{.frames = kFrames,
                   .sets = kSets,
                   .setup = "room = noise(" + std::to_string(kRoomSeed) + ", " + taps +
                            ") * np.exp(np.float32(-6.9) * np.arange(" + taps +
                            ", dtype=np.float32) / np.float32(" + taps + "))\nroom = room.reshape(1, -1)",
                   .works = {"signal.fftconvolve(x, room, axes=-1)[:, :" + std::to_string(kFrames) + "]",
                             "signal.oaconvolve(x, room, axes=-1)[:, :" + std::to_string(kFrames) + "]"}});
    for (const std::size_t work : {std::size_t{0}, std::size_t{1}})
      duel.peers.push_back({work == 0 ? "scipy fftconvolve" : "scipy oaconvolve", 1,
                            [scipy, work](std::size_t round) { return scipy->run(work, round); },
                            [scipy, room, work] {
                              constexpr double kLeastDb = 90;  // float over a minute at once
                              (void)scipy->run(work, 0);       // the other work may have had the last word
                              Parity parity;
                              for (std::size_t i = 0; i < scipy->tail().size(); i += 16)
                                parity.add(truth_at(0, room, kFrames - scipy->tail().size() + i),
                                           static_cast<double>(scipy->tail()[i]));
                              return parity.check(kLeastDb);
                            }});
  } catch (const InvalidState& error) {
    duel.notes.emplace_back(error.what());
  }
}

Duel duel(Device device, std::size_t taps, int block) {
  auto file = std::make_shared<File>(device, taps, block);
  Duel made;
  made.ours = {"convolver", 1, timed([file](std::size_t round) { file->run(round); }),
               [file] { return file->check(); }};
  made.bytes = 2.0 * sizeof(float) * kFrames;
  made.least_samples = 5;
  made.goal.times_fastest_peer = 1;
  add_scipy(made, file->room());
  return made;
}

}  // namespace

std::vector<Case> convolver_file_cases(Devices devices) {
  constexpr int kBlock = 16384;  // nobody waits for a file's blocks, and long ones do less work
  std::vector<Case> cases;
  for (const Device device : devices)
    if (device.kind() == DeviceKind::cpu)
      for (const std::size_t taps : {std::size_t{4800}, std::size_t{96'000}})
        cases.push_back({"convolver/" + std::to_string(taps) + "taps-1ch-60s/" + device.name(),
                         "a minute at 48 kHz, on one core", device,
                         [device, taps] { return duel(device, taps, kBlock); }});
  return cases;
}

}  // namespace ringwave::bench

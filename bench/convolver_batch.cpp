// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <complex>
#include <memory>

#include "bench/noise.hpp"
#include "bench/parity.hpp"
#include "bench/room.hpp"
#include "bench/table.hpp"
#include "ringwave/core/buffer.hpp"
#include "ringwave/core/queue.hpp"
#include "ringwave/dsp/convolver.hpp"

namespace ringwave::bench {
namespace {

using dsp::Convolver;

constexpr int kTracks = 1024;
constexpr int kBlock = 256;
constexpr std::size_t kTaps = 96'000;
constexpr std::size_t kRooms = 4;        // tracks share their taps, but each has spectra of its own
constexpr std::size_t kHeldBlocks = 16;  // the input repeats after them

/// A thousand reverbs, from pinned host memory and back, block after block.
class Batch {
 public:
  explicit Batch(Device device)
      : queue_(device),
        out_(device, kTracks * kBlock, HostMemory::pinned),
        rooms_(make_rooms()),
        convolver_(device,
                   {.inputs = kTracks,
                    .outputs = kTracks,
                    .max_block_frames = kBlock,
                    .mode = Convolver::Mode::partitioned},
                   make_paths(rooms_)) {
    for (std::size_t held = 0; held < kHeldBlocks; ++held) {
      in_.emplace_back(device, kTracks * kBlock, HostMemory::pinned);
      in_.back().copy_from(make_noise(static_cast<std::uint32_t>(held), kTracks * kBlock));
    }
  }

  double block() {
    const float* const from = in_[played_++ % kHeldBlocks].host(queue_).data();
    float* const to = out_.overwrite_host().data();
    return timed([&](std::size_t) {
      const Status status = convolver_.enqueue(queue_, {from, kTracks, kBlock}, {to, kTracks, kBlock});
      queue_.synchronize();
      if (status != Status::ok) status_ = status;
    })(0);
  }

  /// Some samples of some tracks of the last block, by the formula in double.
  [[nodiscard]] Check check() {
    if (status_ != Status::ok) return {false, 0, std::string(to_string(status_))};
    constexpr double kLeastDb = 110;
    Parity parity;
    const auto out = out_.host(queue_);
    for (const std::size_t track : {std::size_t{0}, std::size_t{517}, std::size_t{1023}})
      for (const std::size_t sample : {std::size_t{3}, std::size_t{200}}) {
        const std::size_t n = (played_ - 1) * kBlock + sample;
        double sum = 0;
        for (std::size_t k = 0; k < std::min(kTaps, n + 1); ++k) {
          const std::size_t at = n - k;
          const auto block = in_[at / kBlock % kHeldBlocks].host(queue_);
          sum += static_cast<double>(rooms_[track % kRooms][k]) *
                 static_cast<double>(block[track * kBlock + at % kBlock]);
        }
        parity.add(sum, out[track * kBlock + sample]);
      }
    return parity.check(kLeastDb);
  }

 private:
  static std::vector<std::vector<float>> make_rooms() {
    std::vector<std::vector<float>> rooms;
    for (std::size_t room = 0; room < kRooms; ++room)
      rooms.push_back(make_room(static_cast<std::uint32_t>(40 + room), kTaps));
    return rooms;
  }

  static std::vector<Convolver::Path> make_paths(const std::vector<std::vector<float>>& rooms) {
    std::vector<Convolver::Path> paths;
    paths.reserve(kTracks);
    for (int track = 0; track < kTracks; ++track)
      paths.push_back({{track, track}, rooms[static_cast<std::size_t>(track) % kRooms]});
    return paths;
  }

  Queue queue_;
  std::vector<Buffer<float>> in_;
  Buffer<float> out_;
  std::vector<std::vector<float>> rooms_;
  Convolver convolver_;
  std::size_t played_ = 0;
  Status status_ = Status::ok;
};

Duel duel(Device device) {
  Duel made;
  auto batch = std::make_shared<Batch>(device);
  made.ours = {"convolver", 1, [batch](std::size_t) { return batch->block(); },
               [batch] { return batch->check(); }};
  const double parts = std::ceil(static_cast<double>(kTaps) / kBlock);
  made.bytes = kTracks * parts * kBlock * 2 * sizeof(std::complex<float>);  // two spectra
  made.flops = kTracks * parts * kBlock * 8;
  made.idle_gap = std::chrono::microseconds(5333);
  made.least_samples = 11'250;  // a minute
  made.goal.at_most_ns = 1e6;
  return made;
}

}  // namespace

std::vector<Case> convolver_batch_cases(Devices devices) {
  std::vector<Case> cases;
  for (const Device device : devices)
    if (device.kind() != DeviceKind::cpu)
      cases.push_back(
          {"convolver/1024x96000taps-256f-idle-gaps/" + device.name(),
           "independent responses, pinned host memory to pinned host memory, with a real-time pause", device,
           [device] { return duel(device); }});
  return cases;
}

}  // namespace ringwave::bench

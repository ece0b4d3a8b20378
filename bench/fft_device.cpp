// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "bench/cufft.hpp"
#include "bench/device_timer.hpp"
#include "bench/fft_check.hpp"
#include "bench/noise.hpp"
#include "bench/table.hpp"
#include "ringwave/core/buffer.hpp"
#include "ringwave/dsp/fft.hpp"

namespace ringwave::bench {
namespace {

using dsp::Complex;
using dsp::Fft;

constexpr int kRepeats = 20;  // in one sample of the device's clock

/// Transforms in the device's memory, timed by the device, by ours or by cuFFT itself.
class Resident {
 public:
  Resident(Device device, int size, int batch, bool ours) : size_(size), batch_(batch), timer_(device) {
    const auto samples = static_cast<std::size_t>(size) * static_cast<std::size_t>(batch);
    in_ = std::make_unique<Buffer<float>>(device, samples);
    out_ = std::make_unique<Buffer<Complex>>(
        device, static_cast<std::size_t>(size / 2 + 1) * static_cast<std::size_t>(batch));
    in_->copy_from(make_noise(1, samples));
    (void)in_->device(timer_.queue());
    timer_.queue().synchronize();
    if (ours)
      fft_ = std::make_unique<Fft>(device, Fft::Spec{.size = size, .batch = batch});
    else
      cufft_ = Cufft::try_make(size, batch, timer_.queue().native());
  }

  [[nodiscard]] bool ready() const noexcept { return fft_ != nullptr || cufft_ != nullptr; }

  double run() {
    const float* const from = in_->device(timer_.queue()).data();
    Complex* const to = out_->overwrite_device().data();
    return timer_.time([&] {
      for (int i = 0; i < kRepeats; ++i)
        ok_ = ok_ && (fft_ ? fft_->enqueue_forward(timer_.queue(), from, to) == Status::ok
                           : cufft_->forward(const_cast<float*>(from), to));
    });
  }

  [[nodiscard]] Check check() {
    if (!ok_) return {false, 0, "a transform was refused"};
    return check_bins(in_->host(timer_.queue()), out_->host(timer_.queue()), size_, batch_);
  }

 private:
  int size_;
  int batch_;
  DeviceTimer timer_;
  std::unique_ptr<Buffer<float>> in_;
  std::unique_ptr<Buffer<Complex>> out_;
  std::unique_ptr<Fft> fft_;
  std::unique_ptr<Cufft> cufft_;
  bool ok_ = true;
};

Contender contender(const char* name, const std::shared_ptr<Resident>& resident) {
  return {name, kRepeats, [resident](std::size_t) { return resident->run(); },
          [resident] { return resident->check(); }};
}

Duel duel(Device device, int size, int batch) {
  Duel made;
  made.ours = contender("fft", std::make_shared<Resident>(device, size, batch, true));
  auto peer = std::make_shared<Resident>(device, size, batch, false);
  if (peer->ready())
    made.peers.push_back(contender("cuFFT, called directly", peer));
  else
    made.notes.emplace_back("cuFFT was not found, so that it cannot be called directly");
  const int bins = size / 2 + 1;
  made.bytes = (4.0 * size + 8.0 * bins) * batch;
  made.flops = 2.5 * size * std::log2(size) * batch;
  made.least_samples = 100;
  made.goal.times_fastest_peer = 1 / 1.03;
  return made;
}

}  // namespace

std::vector<Case> fft_device_cases(Devices devices) {
  std::vector<Case> cases;
  for (const Device device : devices) {
    if (device.kind() == DeviceKind::cpu) continue;
    for (const int batch : {64, 4096})
      for (const int size : {256, 1024, 4096, 16384, 65536}) {
        if (std::int64_t{size} * batch > (1 << 26)) continue;
        cases.push_back(
            {"fft/" + std::to_string(size) + "x" + std::to_string(batch) + "-resident/" + device.name(),
             "real transforms, forward, in the device's memory", device,
             [device, size, batch] { return duel(device, size, batch); }});
      }
  }
  return cases;
}

}  // namespace ringwave::bench

// SPDX-License-Identifier: Apache-2.0
#include "ringwave/dsp/fft.hpp"

#include <fftw3.h>

#include <cstdlib>
#include <memory>

#include "bench/fft_check.hpp"
#include "bench/noise.hpp"
#include "bench/table.hpp"
#include "ringwave/core/error.hpp"
#include "ringwave/core/realtime.hpp"

namespace ringwave::bench {
namespace {

using dsp::Complex;

/// Real transforms between arrays where FFTW likes them, at the same places of a page for every contender: a
/// store at the place of a load in another page makes the load wait, and that would be measured.
class Arrays {
 public:
  static constexpr std::size_t kSets = 2;

  Arrays(int size, int batch)
      : size_(size),
        batch_(batch),
        samples_(static_cast<std::size_t>(size) * static_cast<std::size_t>(batch)),
        bins_(static_cast<std::size_t>(size / 2 + 1) * static_cast<std::size_t>(batch)),
        memory_(pages(kSets * samples_ + 2 * bins_), std::free) {
    for (std::size_t i = 0; i < kSets * samples_; ++i)
      memory_.get()[i] = noise(1, static_cast<std::uint32_t>(i));
  }

  [[nodiscard]] std::span<float> in(std::size_t round) {
    last_ = round % kSets;
    return {memory_.get() + last_ * samples_, samples_};
  }
  [[nodiscard]] std::span<Complex> out() const {
    return {reinterpret_cast<Complex*>(memory_.get() + kSets * samples_), bins_};
  }
  [[nodiscard]] Check check() { return check_bins(in(last_), out(), size_, batch_); }

 private:
  static float* pages(std::size_t floats) {
    constexpr std::size_t kPage = 4096;
    void* const memory = std::aligned_alloc(kPage, (floats * sizeof(float) + kPage - 1) / kPage * kPage);
    if (memory == nullptr) throw OutOfMemory("a bench of transforms found no memory; use smaller ones");
    return static_cast<float*>(memory);
  }

  int size_;
  int batch_;
  std::size_t samples_;
  std::size_t bins_;
  std::unique_ptr<float, decltype(&std::free)> memory_;  // inputs, then the output
  std::size_t last_ = 0;
};

/// FFTW called directly, with the plan that ours has: the same flags find it in FFTW's wisdom. Two plans by
/// two measurements differ by more than the layer between, which is in question here.
class Direct {
 public:
  Direct(int size, int batch) : arrays_(size, batch) {
    auto* const out = reinterpret_cast<fftwf_complex*>(arrays_.out().data());
    std::vector<float> kept(arrays_.in(0).begin(), arrays_.in(0).end());  // planning overwrites
    plan_ = fftwf_plan_many_dft_r2c(1, &size, batch, arrays_.in(0).data(), nullptr, 1, size, out, nullptr, 1,
                                    size / 2 + 1, FFTW_MEASURE | FFTW_NO_BUFFERING | FFTW_DESTROY_INPUT);
    std::copy(kept.begin(), kept.end(), arrays_.in(0).begin());
  }
  ~Direct() { fftwf_destroy_plan(plan_); }
  Direct(const Direct&) = delete;  // it owns a plan
  Direct& operator=(const Direct&) = delete;

  void run(std::size_t round) {
    fftwf_execute_dft_r2c(plan_, arrays_.in(round).data(),
                          reinterpret_cast<fftwf_complex*>(arrays_.out().data()));
  }
  [[nodiscard]] Check check() { return arrays_.check(); }

 private:
  Arrays arrays_;
  fftwf_plan plan_ = nullptr;
};

class Ours {
 public:
  Ours(int size, int batch) : fft_(Device::cpu(), {.size = size, .batch = batch}), arrays_(size, batch) {}
  void run(std::size_t round) { status_ = fft_.forward(arrays_.in(round), arrays_.out()); }
  [[nodiscard]] Check check() {
    return status_ == Status::ok ? arrays_.check() : Check{false, 0, std::string(to_string(status_))};
  }

 private:
  dsp::Fft fft_;
  Arrays arrays_;
  Status status_ = Status::ok;
};

/// Transforms for one sample of the clock, so that the clock itself does not count.
std::size_t repeats(int size, int batch) {
  const std::size_t points = static_cast<std::size_t>(size) * static_cast<std::size_t>(batch);
  return std::max<std::size_t>(1, 65536 / points);
}

template <class Runner>
Contender contender(const char* name, int size, int batch) {
  auto runner = std::make_shared<Runner>(size, batch);
  const std::size_t count = repeats(size, batch);
  return {name, count, timed([runner, count](std::size_t round) {
            for (std::size_t i = 0; i < count; ++i) runner->run(round + i);
          }),
          [runner] { return runner->check(); }};
}

Duel duel(int size, int batch) {
  Duel made;
  made.ours = contender<Ours>("fft", size, batch);
  made.peers.push_back(contender<Direct>("FFTW, called directly", size, batch));
  made.flops = 2.5 * size * std::log2(size) * batch;
  made.least_samples = 300;
  made.goal.times_fastest_peer = 1 / 1.03;
  return made;
}

}  // namespace

std::vector<Case> fft_cases(Devices devices) {
  std::vector<Case> cases;
  if (!has_cpu(devices)) return cases;
  for (const int batch : {1, 64})
    for (const int size : {256, 1024, 4096, 16384, 65536})
      cases.push_back({"fft/" + std::to_string(size) + "x" + std::to_string(batch) + "/cpu",
                       "real transforms, forward", Device::cpu(),
                       [size, batch] { return duel(size, batch); }});
  return cases;
}

}  // namespace ringwave::bench

// SPDX-License-Identifier: Apache-2.0
#include "ringwave/dsp/fft.hpp"

#include <cstdint>
#include <limits>
#include <string>
#include <utility>

#include "ringwave/backend/prepare.hpp"
#include "ringwave/backend/trial_memory.hpp"
#include "ringwave/core/error.hpp"
#include "ringwave/core/trace.hpp"
#include "ringwave/dsp/fft_twins.hpp"

namespace ringwave::dsp {
namespace {

constexpr int kMostPoints = 1 << 26;
constexpr std::int64_t kMostExtent = std::numeric_limits<int>::max() / 2;  // what cuFFT and FFTW count

/// Elements from the first to the last of a batch; throws where that is more than can be counted.
std::size_t extent(const Fft::Spec& spec, const Fft::Layout& layout, int elements) {
  const auto refuse = [&] {
    throw InvalidArgument("fft was asked for " + std::to_string(spec.batch) + " transforms of " +
                          std::to_string(spec.size) + " points, with a stride of " +
                          std::to_string(layout.stride) + " and a distance of " +
                          std::to_string(layout.distance) +
                          "; use 1 to 2^26 points, positive strides, and at most 2^30 elements in all");
  };
  if (spec.size < 1 || spec.size > kMostPoints || spec.batch < 1 || layout.stride < 1 ||
      layout.distance < 0 || layout.stride > kMostExtent || layout.distance > kMostExtent)
    refuse();
  const std::int64_t last = (elements - 1) * std::int64_t{layout.stride};
  if (last > kMostExtent || (spec.batch > 1 && layout.distance > (kMostExtent - last) / (spec.batch - 1)))
    refuse();
  return static_cast<std::size_t>(last + (spec.batch - 1) * std::int64_t{layout.distance} + 1);
}

Fft::Spec filled_in(Fft::Spec spec) {
  const std::ptrdiff_t row = spec.kind == Fft::Kind::real && spec.in_place ? 2 * bins_of(spec) : spec.size;
  if (spec.time.distance == 0) spec.time.distance = row * spec.time.stride;
  if (spec.bins.distance == 0) spec.bins.distance = bins_of(spec) * spec.bins.stride;
  return spec;
}

const float* floats(const Complex* complex) noexcept {
  return reinterpret_cast<const float*>(complex);
}
float* floats(Complex* complex) noexcept {
  return reinterpret_cast<float*>(complex);
}

/// Real transforms of noise, forward.
class FftTrial final : public backend::Trial {
 public:
  FftTrial(Device device, int size, int batch)
      : fft_(device, {.size = size, .batch = batch}),
        memory_(fft_.sample_extent() + 1024 + 2 * fft_.bin_extent()),
        samples_(memory_.samples().first(fft_.sample_extent())),
        bins_(reinterpret_cast<Complex*>(memory_.samples().data() + (samples_.size() + 1023) / 512 * 512),
              fft_.bin_extent()) {
    backend::fill_with_noise(samples_);
  }
  Status run() noexcept override { return fft_.forward(samples_, bins_); }

 private:
  Fft fft_;
  backend::TrialMemory memory_;
  std::span<float> samples_;
  std::span<Complex> bins_;
};

}  // namespace

Fft::Fft(Device device, const Spec& spec) {
  spec_ = filled_in(spec);
  sample_extent_ = extent(spec_, spec_.time, spec_.size);
  bin_extent_ = extent(spec_, spec_.bins, bins_of(spec_));
  auto prepared = backend::prepare<Fft>(device, {std::string(kName), spec_.size, spec_.batch}, spec_);
  device_ = prepared.device;
  twin_ = std::move(prepared.twin);
}

Fft::~Fft() = default;
Fft::Fft(Fft&&) noexcept = default;
Fft& Fft::operator=(Fft&&) noexcept = default;

Status Fft::forward(std::span<const float> samples, std::span<Complex> bins) noexcept {
  if (!fits(Kind::real, samples.size(), bins.size(), samples.data() == floats(bins.data())))
    return Status::wrong_shape;
  return trace::traced("fft", [&] { return twin_->forward(samples.data(), floats(bins.data())); });
}

Status Fft::inverse(std::span<Complex> bins, std::span<float> samples) noexcept {
  if (!fits(Kind::real, samples.size(), bins.size(), samples.data() == floats(bins.data())))
    return Status::wrong_shape;
  return trace::traced("fft inverse", [&] { return twin_->inverse(floats(bins.data()), samples.data()); });
}

Status Fft::forward(std::span<const Complex> samples, std::span<Complex> bins) noexcept {
  if (!fits(Kind::complex, samples.size(), bins.size(), samples.data() == bins.data()))
    return Status::wrong_shape;
  return trace::traced("fft", [&] { return twin_->forward(floats(samples.data()), floats(bins.data())); });
}

Status Fft::inverse(std::span<const Complex> bins, std::span<Complex> samples) noexcept {
  if (!fits(Kind::complex, samples.size(), bins.size(), samples.data() == bins.data()))
    return Status::wrong_shape;
  // A complex transform writes to its input only in place, where it is the output.
  return trace::traced("fft inverse", [&] {
    return twin_->inverse(const_cast<float*>(floats(bins.data())), floats(samples.data()));
  });
}

Status Fft::enqueue_forward(Queue& queue, const float* samples, Complex* bins) noexcept {
  return twin_->enqueue_forward(queue, samples, floats(bins));
}

Status Fft::enqueue_inverse(Queue& queue, Complex* bins, float* samples) noexcept {
  return twin_->enqueue_inverse(queue, floats(bins), samples);
}

int Fft::bin_count() const noexcept {
  return bins_of(spec_);
}

std::size_t Fft::sample_extent() const noexcept {
  return sample_extent_;
}

std::size_t Fft::bin_extent() const noexcept {
  return bin_extent_;
}

backend::OpInfo Fft::info() {
  return {.name = std::string(kName),
          .summary = "real discrete Fourier transforms, many at once",
          .sizes = {64, 256, 1024, 4096, 16384, 65536},
          .batches = {1, 8, 64, 512},
          .make_trial = [](Device device, int size, int batch) -> std::unique_ptr<backend::Trial> {
            return std::make_unique<FftTrial>(device, size, batch);
          }};
}

int fast_fft_size(int least) noexcept {
  for (int size = std::max(least, 1);; ++size) {
    int rest = size;
    for (const int prime : {2, 3, 5, 7})
      while (rest % prime == 0) rest /= prime;
    if (rest == 1) return size;
  }
}

}  // namespace ringwave::dsp

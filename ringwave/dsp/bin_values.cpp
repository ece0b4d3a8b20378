// SPDX-License-Identifier: Apache-2.0
#include "ringwave/dsp/bin_values.hpp"

#include <limits>
#include <string>
#include <utility>

#include "ringwave/backend/prepare.hpp"
#include "ringwave/backend/trial_memory.hpp"
#include "ringwave/core/error.hpp"
#include "ringwave/core/trace.hpp"
#include "ringwave/dsp/bin_values_twins.hpp"

namespace ringwave::dsp {
namespace {

constexpr std::size_t kMostBins = std::size_t{1} << 32;
constexpr float kLeastFloorDb = -370;  // the power of the smallest normal float is -379 dB

void check(const BinValues::Spec& spec) {
  if (spec.max_bins < 1 || spec.max_bins > kMostBins)
    throw InvalidArgument("bin_values was asked for at most " + std::to_string(spec.max_bins) +
                          " bins; use 1 to 2^32");
  if (!(spec.floor_db >= kLeastFloorDb && spec.floor_db <= 0))
    throw InvalidArgument("bin_values was asked for a floor of " + std::to_string(spec.floor_db) +
                          " dB; use -370 to 0");
}

/// The routing table counts in ints.
int as_size(std::size_t count) {
  return static_cast<int>(std::min<std::size_t>(count, std::numeric_limits<int>::max()));
}

/// Decibels of noise.
class BinValuesTrial final : public backend::Trial {
 public:
  BinValuesTrial(Device device, std::size_t bins)
      : op_(device, {.quantity = BinValues::Quantity::decibels, .max_bins = bins}),
        memory_(3 * bins),
        bins_(reinterpret_cast<Complex*>(memory_.samples().data()), bins),
        values_(memory_.samples().last(bins)) {
    backend::fill_with_noise(memory_.samples().first(2 * bins));
  }
  Status run() noexcept override { return op_.process(bins_, values_); }

 private:
  BinValues op_;
  backend::TrialMemory memory_;
  std::span<const Complex> bins_;
  std::span<float> values_;
};

}  // namespace

BinValues::BinValues(Device device, const Spec& spec) : spec_(spec) {
  check(spec);
  auto prepared = backend::prepare<BinValues>(device, {std::string(kName), as_size(spec.max_bins), 1}, spec_);
  device_ = prepared.device;
  twin_ = std::move(prepared.twin);
}

BinValues::~BinValues() = default;
BinValues::BinValues(BinValues&&) noexcept = default;
BinValues& BinValues::operator=(BinValues&&) noexcept = default;

Status BinValues::process(std::span<const Complex> bins, std::span<float> values) noexcept {
  const trace::Span span("bin values");
  if (bins.size() > spec_.max_bins || values.size() < bins.size()) return Status::wrong_shape;
  return bins.empty() ? Status::ok : twin_->process(bins.data(), values.data(), bins.size());
}

Status BinValues::enqueue(Queue& queue, const Complex* bins, float* values, std::size_t count) noexcept {
  if (count > spec_.max_bins) return Status::wrong_shape;
  return count == 0 ? Status::ok : twin_->enqueue(queue, bins, values, count);
}

backend::OpInfo BinValues::info() {
  return {.name = std::string(kName),
          .summary = "magnitude, power, phase or decibels of bins",
          .sizes = {256, 4096, 65536, 1048576},
          .batches = {1, 8},
          .make_trial = [](Device device, int size, int batch) -> std::unique_ptr<backend::Trial> {
            return std::make_unique<BinValuesTrial>(
                device, static_cast<std::size_t>(size) * static_cast<std::size_t>(batch));
          }};
}

}  // namespace ringwave::dsp

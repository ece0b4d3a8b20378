// SPDX-License-Identifier: Apache-2.0
#include "ringwave/dsp/bin_values_math.hpp"
#include "ringwave/dsp/bin_values_twins.hpp"

namespace ringwave::dsp {
namespace {

class BinValuesCpu final : public BinValuesTwin {
 public:
  explicit BinValuesCpu(const BinValues::Spec& spec)
      : quantity_(spec.quantity), least_power_(power_at(spec.floor_db)) {}

  Status process(const Complex* bins, float* values, std::size_t count) noexcept override {
    with_quantity(quantity_, [&](auto quantity) {
      for (std::size_t i = 0; i < count; ++i)
        values[i] = bin_value<quantity()>(bins[i].real(), bins[i].imag(), least_power_);
    });
    return Status::ok;
  }

  Status enqueue(Queue& queue, const Complex* bins, float* values, std::size_t count) noexcept override {
    return queue.try_submit(
        [this, bins, values, count](NativeQueue) noexcept { (void)process(bins, values, count); });
  }

 private:
  BinValues::Quantity quantity_;
  float least_power_;
};

}  // namespace

std::unique_ptr<BinValuesTwin> make_bin_values_cpu(Device /*device*/, const BinValues::Request& request) {
  return std::make_unique<BinValuesCpu>(request);
}

}  // namespace ringwave::dsp

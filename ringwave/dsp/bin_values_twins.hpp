// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>

#include "ringwave/core/queue.hpp"
#include "ringwave/core/realtime.hpp"
#include "ringwave/core/status.hpp"
#include "ringwave/dsp/bin_values.hpp"

namespace ringwave::dsp {

/// What both twins implement. The public op has checked the shapes.
class BinValuesTwin {
 public:
  virtual ~BinValuesTwin() = default;

  /// Host memory to host memory, done on return. [audio]
  RW_REALTIME virtual Status process(const Complex* bins, float* values, std::size_t count) noexcept = 0;
  /// The same in `queue`'s order. [audio]
  RW_REALTIME virtual Status enqueue(Queue& queue, const Complex* bins, float* values,
                                     std::size_t count) noexcept = 0;
};

[[nodiscard]] std::unique_ptr<BinValuesTwin> make_bin_values_cpu(Device device,
                                                                 const BinValues::Request& request);
[[nodiscard]] std::unique_ptr<BinValuesTwin> make_bin_values_cuda(Device device,
                                                                  const BinValues::Request& request);

}  // namespace ringwave::dsp

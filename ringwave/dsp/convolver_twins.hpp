// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>

#include "ringwave/backend/block_op.hpp"
#include "ringwave/dsp/convolver.hpp"

namespace ringwave::dsp {

/// What both twins of a convolver implement. The public op has checked the shapes, the routes and the taps.
class ConvolverTwin : public backend::BlockOp {
 public:
  /// Goes over to other responses; `taps` by route. [setup]
  virtual void set_responses(std::span<const Convolver::Path> paths) = 0;
  [[nodiscard]] virtual bool changing() const noexcept = 0;
  /// How it works; never `automatic`. [any]
  [[nodiscard]] virtual Convolver::Mode mode() const noexcept = 0;
};

[[nodiscard]] std::unique_ptr<ConvolverTwin> make_convolver_cpu(Device device,
                                                                const Convolver::Request& request);
[[nodiscard]] std::unique_ptr<ConvolverTwin> make_convolver_cuda(Device device,
                                                                 const Convolver::Request& request);
[[nodiscard]] bool convolver_cuda_supports(Device device, const Convolver::Request& request) noexcept;

/// The length of the first parts for blocks of `block_frames`: an even one that transforms like. [any]
[[nodiscard]] int convolver_part_frames(int block_frames) noexcept;

}  // namespace ringwave::dsp

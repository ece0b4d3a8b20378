// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "ringwave/core/aligned_floats.hpp"
#include "ringwave/core/block_view.hpp"
#include "ringwave/core/device.hpp"
#include "ringwave/core/realtime.hpp"
#include "ringwave/core/status.hpp"
#include "ringwave/dsp/fft.hpp"
#include "ringwave/dsp/window.hpp"

namespace ringwave::dsp {

/// A running signal taken apart into spectra and put together again, with whatever is done to the spectra in
/// between. Every `hop` frames the newest `size` are windowed and transformed, edited, transformed back,
/// windowed and added up, divided by the sum of the squares of the windows: left alone, the signal comes out
/// as it went in, `size` frames later.
///
/// The result does not depend on how the signal is cut into blocks. Every hop-th frame does the work of a
/// whole spectrum. A NaN or an infinity is gone `size` frames after it has come out.
class StftStream {
 public:
  struct Spec {
    int channels = 2;
    int size = 2048;  ///< of a spectrum, in points
    int hop = 512;
    Window window{};
  };

  /// Plans, allocates and warms up. Throws InvalidArgument for a shape out of range and for a hop that loses
  /// samples (see Overlap), DeviceUnavailable, OutOfMemory. [setup]
  StftStream(Device device, const Spec& spec);

  /// Takes and gives a block of any number of frames; `in` and `out` may be the same. Calls
  /// `edit(std::span<Complex> bins)`, which must not throw, for each spectrum: the bins of channel c from
  /// c * bin_count() on. `wrong_shape`, and nothing done, for another number of channels. [audio]
  template <class Edit>
  RW_REALTIME Status process(BlockView<const float> in, BlockView<float> out, Edit&& edit) noexcept {
    if (!fits(in, out)) return Status::wrong_shape;
    for (int done = 0; done < in.frames();) {
      done += exchange(in, out, done);
      if (!is_due()) continue;
      if (const Status status = analyse(); status != Status::ok) return status;
      edit(std::span<Complex>(bins_));
      if (const Status status = synthesise(); status != Status::ok) return status;
    }
    return Status::ok;
  }

  /// Forgets the past. [audio]
  RW_REALTIME void reset() noexcept;

  /// Frames from the input to the output: the size. [any]
  [[nodiscard]] int latency_frames() const noexcept { return spec_.size; }
  /// Bins of one channel: size/2 + 1. [any]
  [[nodiscard]] int bin_count() const noexcept { return spec_.size / 2 + 1; }
  [[nodiscard]] const Spec& spec() const noexcept { return spec_; }
  /// Where its transforms run; never `auto`. [any]
  [[nodiscard]] Device device() const noexcept { return fft_.device(); }

 private:
  [[nodiscard]] bool fits(BlockView<const float> in, BlockView<float> out) const noexcept;
  /// Takes and gives frames from `first` on, up to where a spectrum is due; how many.
  int exchange(BlockView<const float> in, BlockView<float> out, int first) noexcept;
  [[nodiscard]] bool is_due() const noexcept { return since_spectrum_ == spec_.hop; }
  Status analyse() noexcept;
  Status synthesise() noexcept;

  Spec spec_;
  Fft fft_;
  std::vector<float> analysis_;
  std::vector<float> synthesis_;  // the window over the sum of the squares, with the factor of the transform
  AlignedFloats frames_;          // [channel][point], for the transform
  std::vector<Complex> bins_;     // [channel][bin]
  std::vector<float> past_;       // [channel][ring of the newest frames]
  std::vector<float> sums_;       // [channel][ring of what comes out next]
  int place_ = 0;                 // in both rings
  int since_spectrum_ = 0;
};

}  // namespace ringwave::dsp

// SPDX-License-Identifier: Apache-2.0
#include "ringwave/dsp/spectral_lines_cpu.hpp"

#include <algorithm>

namespace ringwave::dsp {

SpectralLines spectra_of(SplitFft& fft, std::span<const float> taps, std::size_t parts) {
  SpectralLines spectra(fft.chunks(), fft.radix(), parts);
  const std::size_t frames = fft.points() / 2;
  const float scale = 1.0F / static_cast<float>(fft.points());
  AlignedFloats signal(fft.points());
  AlignedFloats small(2 * fft.small_values());
  auto* const values = reinterpret_cast<Complex*>(small.data());
  for (std::size_t part = 0; part < parts; ++part) {
    signal.clear();
    const std::size_t first = std::min(part * frames, taps.size());
    const std::size_t count = std::min(frames, taps.size() - first);
    for (std::size_t t = 0; t < count; ++t) signal.data()[fft.place(t)] = scale * taps[first + t];
    for (std::size_t row = 0; row < fft.radix(); ++row) fft.forward_row(row, signal.data(), values);
    for (std::size_t chunk = 0; chunk < fft.chunks(); ++chunk)
      fft.forward_chunk(chunk, values, spectra.part(chunk, part));
  }
  return spectra;
}

}  // namespace ringwave::dsp

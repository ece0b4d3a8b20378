// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "ringwave/synth/render_header.hpp"
#include "ringwave/synth/renderer_twins.hpp"

namespace ringwave::synth {

/// All that is on the device, which the kernels take as it is.
struct RenderArrays {
  StationRule::Rates rates{};
  const VoiceRule::Constants* patches = nullptr;
  int slots = 0;              ///< voices of a station
  std::ptrdiff_t floats = 0;  ///< of a station's memory
  RenderHeader* header = nullptr;
  VoiceEvent* events = nullptr;
  std::uint8_t* playing = nullptr;              // [station]
  StationRule::Constants* constants = nullptr;  // [station]
  StationRule::State* states = nullptr;         // [station]
  float* memory = nullptr;                      // [station][float]
  VoiceRule::State* voices = nullptr;           // [station][slot]
  std::uint8_t* patch_numbers = nullptr;        // [station][slot]
  int* first_events = nullptr;                  // [station][slot]; -1 for none
  BusFrame* bus = nullptr;                      // [station][frame], of the block's frames
};

/// What the host hands over for a block, in memory that the device can read.
struct RenderOrders {
  const RenderHeader* header = nullptr;
  const VoiceEvent* events = nullptr;
  const StationCommand* commands = nullptr;
};

/// Stations from `first` on, `count` of them.
struct StationRange {
  int first = 0;
  int count = 0;
};

/// Brings the orders to the device: starts, changes and ends stations, and finds each voice's first event.
/// [audio]
cudaError_t obey_orders(cudaStream_t stream, const RenderArrays& arrays, const RenderOrders& orders) noexcept;

/// The voices of some stations, summed and with their tone, on the bus. [audio]
cudaError_t play_voices(cudaStream_t stream, const RenderArrays& arrays, StationRange range) noexcept;

/// From the bus to the output, which is [station][frame][side]. [audio]
cudaError_t shape_stations(cudaStream_t stream, const RenderArrays& arrays, StationRange range,
                           Renderer::Format format, void* output) noexcept;

/// How loud they were, for the gain of the blocks after. [audio]
cudaError_t measure_loudness(cudaStream_t stream, const RenderArrays& arrays, StationRange range) noexcept;

}  // namespace ringwave::synth

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "bench/case.hpp"
#include "ringwave/core/device.hpp"

/// Every bench, one file each, named like the type or op that it measures. A new one is declared here and has
/// its line in table.cpp. Each lists its cases on the given devices; what belongs to the host is a case of
/// the CPU.
namespace ringwave::bench {

using Devices = std::span<const Device>;

std::vector<Case> biquad_cases(Devices devices);
std::vector<Case> biquad_file_cases(Devices devices);
std::vector<Case> convolver_batch_cases(Devices devices);
std::vector<Case> convolver_file_cases(Devices devices);
std::vector<Case> convolver_cases(Devices devices);
std::vector<Case> copy_cases(Devices devices);
std::vector<Case> dynamics_cases(Devices devices);
std::vector<Case> fft_cases(Devices devices);
std::vector<Case> fft_device_cases(Devices devices);
std::vector<Case> fir_cases(Devices devices);
std::vector<Case> gain_cases(Devices devices);
std::vector<Case> live_cases(Devices devices);
std::vector<Case> live_stations_cases(Devices devices);
std::vector<Case> note_batch_cases(Devices devices);
std::vector<Case> queue_cases(Devices devices);
std::vector<Case> realtime_pool_cases(Devices devices);
std::vector<Case> renderer_cases(Devices devices);
std::vector<Case> resampler_cases(Devices devices);
std::vector<Case> ring_cases(Devices devices);
std::vector<Case> router_cases(Devices devices);
std::vector<Case> space_cases(Devices devices);
std::vector<Case> spsc_ring_cases(Devices devices);
std::vector<Case> startup_cases(Devices devices);
std::vector<Case> stft_cases(Devices devices);
std::vector<Case> stream_encoder_cases(Devices devices);
std::vector<Case> synth_cases(Devices devices);
std::vector<Case> trace_cases(Devices devices);

/// All of them, in the order of the table. [setup]
[[nodiscard]] std::vector<Case> list_cases(Devices devices);

/// True where the CPU is among `devices`. [any]
[[nodiscard]] inline bool has_cpu(Devices devices) noexcept {
  for (const Device device : devices)
    if (device.kind() == DeviceKind::cpu) return true;
  return false;
}

}  // namespace ringwave::bench

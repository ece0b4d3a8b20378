// SPDX-License-Identifier: Apache-2.0
#include "bench/table.hpp"

#include <algorithm>
#include <iterator>

namespace ringwave::bench {
namespace {

using ListCases = std::vector<Case> (*)(Devices devices);

constexpr ListCases kBenches[] = {
    startup_cases,        realtime_pool_cases, spsc_ring_cases,      trace_cases,
    queue_cases,          copy_cases,          gain_cases,           biquad_cases,
    biquad_file_cases,    fir_cases,           convolver_cases,      convolver_batch_cases,
    convolver_file_cases, fft_cases,           fft_device_cases,     stft_cases,
    resampler_cases,      dynamics_cases,      space_cases,          synth_cases,
    note_batch_cases,     renderer_cases,      router_cases,         ring_cases,
    live_cases,           live_stations_cases, stream_encoder_cases,
};

}  // namespace

std::vector<Case> list_cases(Devices devices) {
  std::vector<Case> cases;
  for (const ListCases list : kBenches) {
    std::vector<Case> listed = list(devices);
    std::move(listed.begin(), listed.end(), std::back_inserter(cases));
  }
  return cases;
}

}  // namespace ringwave::bench

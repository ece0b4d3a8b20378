// SPDX-License-Identifier: Apache-2.0
#include "bench/scipy.hpp"

#include <limits>
#include <nlohmann/json.hpp>

#include "bench/biquad_reference.hpp"
#include "bench/noise.hpp"
#include "ringwave/core/error.hpp"

namespace ringwave::bench {
namespace {

using Json = nlohmann::json;

/// Float memory cannot do much better over a minute; less than this is another filter.
constexpr double kLeastPeerDb = 60;

/// The noise is that of noise.hpp. Each answer has the time and the last samples of the first channel.
constexpr const char* kProgram = R"python(
import json, sys, time
import numpy as np
from scipy.signal import sosfilt

request = json.loads(sys.argv[1])
golden = np.uint32(0x9e3779b1)

def noise(seed, count):
    bits = (np.arange(count, dtype=np.uint32) + np.uint32(seed * 0x10001)) * golden
    bits = (bits ^ (bits >> np.uint32(15))) * golden
    bits = (bits ^ (bits >> np.uint32(13))) * golden
    bits ^= bits >> np.uint32(16)
    return (bits >> np.uint32(8)).astype(np.float32) * np.float32(2.0**-24) - np.float32(0.5)

shape = (request["channels"], request["frames"])
inputs = [noise(seed, shape[0] * shape[1]).reshape(shape) for seed in range(request["sets"])]
sections = {"single": np.array(request["sos"], np.float32), "double": np.array(request["sos"], np.float64)}
print("ready", flush=True)
for line in sys.stdin:
    precision, which = line.split()
    x = inputs[int(which)]
    begin = time.perf_counter_ns()
    y = sosfilt(sections[precision], x, axis=-1).astype(np.float32, copy=False)
    elapsed = time.perf_counter_ns() - begin
    print(json.dumps({"ns": elapsed, "tail": y[0, -64:].astype(float).tolist()}), flush=True)
)python";

std::string request_for(int channels, int frames, std::span<const dsp::Section> sections, std::size_t sets) {
  Json request{{"channels", channels}, {"frames", frames}, {"sets", sets}, {"sos", Json::array()}};
  for (const dsp::Section& s : sections) request["sos"].push_back({s.b0, s.b1, s.b2, 1.0, s.a1, s.a2});
  return request.dump();
}

}  // namespace

Scipy::Scipy(int channels, int frames, std::span<const dsp::Section> sections, std::size_t sets)
    : frames_(frames),
      sets_(sets),
      sections_(sections.begin(), sections.end()),
      python_({"/usr/bin/python3", "-c", kProgram, request_for(channels, frames, sections, sets)},
              {"OMP_NUM_THREADS=1", "OPENBLAS_NUM_THREADS=1"}) {
  if (python_.read_line() != "ready")
    throw InvalidState("scipy.signal is absent: install python3-scipy to have it as a peer");
}

double Scipy::filter(Precision precision, std::size_t round) {
  constexpr double kDied = std::numeric_limits<double>::quiet_NaN();
  last_set_ = round % sets_;
  const char* const name = precision == Precision::single ? "single " : "double ";
  if (!python_.write_line(name + std::to_string(last_set_))) return kDied;
  const Json answer = Json::parse(python_.read_line(), nullptr, false);
  if (!answer.is_object()) return kDied;
  tail_ = answer.at("tail").get<std::vector<float>>();
  return answer.at("ns").get<double>();
}

Check Scipy::check() const {
  BiquadReference reference(sections_);
  Parity parity;
  const std::size_t first = static_cast<std::size_t>(frames_) - tail_.size();
  for (std::size_t i = 0; i < static_cast<std::size_t>(frames_); ++i) {
    const auto x = noise(static_cast<std::uint32_t>(last_set_), static_cast<std::uint32_t>(i));
    const double y = reference.step(static_cast<double>(x));
    if (i >= first) parity.add(y, static_cast<double>(tail_[i - first]));
  }
  return parity.check(kLeastPeerDb);
}

}  // namespace ringwave::bench

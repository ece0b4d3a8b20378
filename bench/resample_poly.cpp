// SPDX-License-Identifier: Apache-2.0
#include "bench/resample_poly.hpp"

#include <limits>
#include <nlohmann/json.hpp>

#include "ringwave/core/error.hpp"

namespace ringwave::bench {
namespace {

using Json = nlohmann::json;

/// The noise is that of noise.hpp. A float32 input has float32 coefficients in scipy: no cast is in its time.
constexpr const char* kProgram = R"python(
import json, sys, time
import numpy as np
from scipy.signal import resample_poly

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
print("ready", flush=True)
for line in sys.stdin:
    x = inputs[int(line)]
    begin = time.perf_counter_ns()
    y = resample_poly(x, request["up"], request["down"], axis=-1).astype(np.float32, copy=False)
    elapsed = time.perf_counter_ns() - begin
    print(json.dumps({"ns": elapsed, "tail": y[0, -64:].astype(float).tolist()}), flush=True)
)python";

}  // namespace

ResamplePoly::ResamplePoly(int channels, int frames, int up, int down, std::size_t sets)
    : sets_(sets),
      python_({"/usr/bin/python3", "-c", kProgram,
               Json{{"channels", channels}, {"frames", frames}, {"up", up}, {"down", down}, {"sets", sets}}
                   .dump()},
              {"OMP_NUM_THREADS=1", "OPENBLAS_NUM_THREADS=1"}) {
  if (python_.read_line() != "ready")
    throw InvalidState("scipy.signal is absent: install python3-scipy to have it as a peer");
}

double ResamplePoly::resample(std::size_t round) {
  constexpr double kDied = std::numeric_limits<double>::quiet_NaN();
  if (!python_.write_line(std::to_string(round % sets_))) return kDied;
  const Json answer = Json::parse(python_.read_line(), nullptr, false);
  if (!answer.is_object()) return kDied;
  tail_ = answer.at("tail").get<std::vector<float>>();
  return answer.at("ns").get<double>();
}

}  // namespace ringwave::bench

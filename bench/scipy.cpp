// SPDX-License-Identifier: Apache-2.0
#include "bench/scipy.hpp"

#include <limits>
#include <nlohmann/json.hpp>

#include "ringwave/core/error.hpp"

namespace ringwave::bench {
namespace {

using Json = nlohmann::json;

/// The noise is that of noise.hpp. Each answer has the time and the last values of the first row.
constexpr const char* kProgram = R"python(
import json, sys, time
import numpy as np
from scipy import signal

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
names = {"np": np, "signal": signal, "noise": noise}
exec(request["setup"], names)
works = [eval("lambda x: " + work, names) for work in request["works"]]
print("ready", flush=True)
for line in sys.stdin:
    work, which = map(int, line.split())
    begin = time.perf_counter_ns()
    y = works[work](inputs[which])
    elapsed = time.perf_counter_ns() - begin
    row = np.ascontiguousarray(y[0].reshape(-1)[-64:])
    row = row.view(np.float32 if row.dtype == np.complex64 else row.dtype)
    print(json.dumps({"ns": elapsed, "tail": row.astype(float).tolist()}), flush=True)
)python";

std::string request_for(const Scipy::Job& job) {
  return Json{{"channels", job.channels},
              {"frames", job.frames},
              {"sets", job.sets},
              {"setup", job.setup},
              {"works", job.works}}
      .dump();
}

}  // namespace

Scipy::Scipy(const Job& job)
    : sets_(job.sets),
      python_({"/usr/bin/python3", "-c", kProgram, request_for(job)},
              {"OMP_NUM_THREADS=1", "OPENBLAS_NUM_THREADS=1"}) {
  if (python_.read_line() != "ready")
    throw InvalidState("scipy.signal is absent: install python3-scipy to have it as a peer");
}

double Scipy::run(std::size_t work, std::size_t round) {
  constexpr double kDied = std::numeric_limits<double>::quiet_NaN();
  last_set_ = round % sets_;
  if (!python_.write_line(std::to_string(work) + " " + std::to_string(last_set_))) return kDied;
  const Json answer = Json::parse(python_.read_line(), nullptr, false);
  if (!answer.is_object()) return kDied;
  tail_ = answer.at("tail").get<std::vector<float>>();
  return answer.at("ns").get<double>();
}

}  // namespace ringwave::bench

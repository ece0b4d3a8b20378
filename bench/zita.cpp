// SPDX-License-Identifier: Apache-2.0
#include "bench/zita.hpp"

#include <algorithm>
#include <vector>

#if __has_include(<zita-convolver.h>)
#include <sched.h>
#include <zita-convolver.h>
#define RW_BENCH_ZITA 1
#endif

namespace ringwave::bench {

#ifdef RW_BENCH_ZITA
struct Zita::Engine {
  Convproc convolver;
};

std::unique_ptr<Zita> Zita::try_make(int block_frames, std::span<const float> taps) {
  auto engine = std::make_unique<Engine>();
  Convproc& zita = engine->convolver;
  std::vector<float> copy(taps.begin(), taps.end());
  const auto block = static_cast<std::uint32_t>(block_frames);
  const auto size = static_cast<std::uint32_t>(taps.size());
  zita.set_options(Convproc::OPT_FFTW_MEASURE | Convproc::OPT_VECTOR_MODE);
  const bool ready = zita.configure(1, 1, size, block, block, Convproc::MAXPART, 0) == 0 &&
                     zita.impdata_create(0, 0, 1, copy.data(), 0, static_cast<int>(size)) == 0 &&
                     zita.start_process(0, SCHED_OTHER) == 0;
  if (!ready) return nullptr;
  return std::unique_ptr<Zita>(new Zita(block_frames, std::move(engine)));
}

Zita::~Zita() {
  engine_->convolver.stop_process();
  while (!engine_->convolver.check_stop()) {
  }
}

void Zita::process(const float* in, float* out) {
  std::copy_n(in, block_frames_, engine_->convolver.inpdata(0));
  engine_->convolver.process(true);
  std::copy_n(engine_->convolver.outdata(0), block_frames_, out);
}
#else
struct Zita::Engine {};

std::unique_ptr<Zita> Zita::try_make(int /*block_frames*/, std::span<const float> /*taps*/) {
  return nullptr;
}

Zita::~Zita() = default;

void Zita::process(const float* /*in*/, float* /*out*/) {}
#endif

Zita::Zita(int block_frames, std::unique_ptr<Engine> engine)
    : block_frames_(block_frames), engine_(std::move(engine)) {}

}  // namespace ringwave::bench

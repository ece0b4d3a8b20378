// SPDX-License-Identifier: Apache-2.0
#include "ringwave/dsp/fftw_plan.hpp"

#include <fftw3.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <mutex>
#include <string>

#include "ringwave/core/atomic_file.hpp"
#include "ringwave/core/cache_folder.hpp"
#include "ringwave/core/error.hpp"
#include "ringwave/core/read_file.hpp"

namespace ringwave::dsp {
namespace {

constexpr double kPlanningSeconds = 0.5;  // for one plan; then the best found so far is taken
constexpr std::size_t kLargestWisdom = std::size_t{4} << 20;

/// FFTW's planner is one for the whole process and for one thread at a time.
std::mutex& planner() {
  static std::mutex mutex;
  return mutex;
}

std::filesystem::path wisdom_path() {
  return cache_folder() / "fftw-wisdom";
}

/// What earlier processes measured. FFTW refuses what it did not write itself.
void import_wisdom() {
  try {
    const std::string text = read_file(wisdom_path(), kLargestWisdom + 1);
    if (text.size() <= kLargestWisdom) (void)fftwf_import_wisdom_from_string(text.c_str());
  } catch (const BadFile&) {  // none yet, as a rule
  }
}

std::string wisdom() {
  const std::unique_ptr<char, decltype(&fftwf_free)> text(fftwf_export_wisdom_to_string(), fftwf_free);
  return text == nullptr ? "" : text.get();
}

/// A cache that cannot be written costs the next process some planning, and nothing else.
void export_wisdom(const std::string& text) {
  try {
    std::error_code ignored;
    std::filesystem::create_directories(cache_folder(), ignored);
    AtomicFile file(wisdom_path());
    file.stream() << text;
    file.commit();
  } catch (const BadFile&) {
  }
}

using Plan = fftwf_plan;

/// The least power of two whose multiples FFTW calls aligned.
std::uintptr_t alignment() {
  std::uintptr_t bytes = sizeof(float);
  while (bytes < 4096 && fftwf_alignment_of(reinterpret_cast<float*>(bytes)) != 0) bytes *= 2;
  return bytes;
}

struct Scratch {
  explicit Scratch(std::size_t floats) : data(fftwf_alloc_real(std::max<std::size_t>(floats, 1))) {
    if (data == nullptr)
      throw OutOfMemory("planning a transform needs " + std::to_string(floats * sizeof(float)) +
                        " bytes, and the system refused them; use a smaller size or batch");
    std::fill_n(data, floats, 0.0F);
  }
  ~Scratch() { fftwf_free(data); }
  Scratch(const Scratch&) = delete;  // one owner
  Scratch& operator=(const Scratch&) = delete;
  float* data;
};

std::size_t extent(int elements, int batch, int stride, int distance) {
  return static_cast<std::size_t>(elements - 1) * static_cast<std::size_t>(stride) +
         static_cast<std::size_t>(batch - 1) * static_cast<std::size_t>(distance) + 1;
}

Plan make_plan(const FftwProblem& p, float* in, float* out) {
  // Buffered plans allocate while they run. Arrays that lie badly are rare, and not worth a measurement.
  const unsigned flags =
      FFTW_DESTROY_INPUT | FFTW_NO_BUFFERING | (p.aligned ? FFTW_MEASURE : FFTW_ESTIMATE | FFTW_UNALIGNED);
  auto* const complex_in = reinterpret_cast<fftwf_complex*>(in);
  auto* const complex_out = reinterpret_cast<fftwf_complex*>(out);
  if (!p.real)
    return fftwf_plan_many_dft(1, &p.size, p.batch, complex_in, nullptr, p.in_stride, p.in_distance,
                               complex_out, nullptr, p.out_stride, p.out_distance,
                               p.forward ? FFTW_FORWARD : FFTW_BACKWARD, flags);
  if (p.forward)
    return fftwf_plan_many_dft_r2c(1, &p.size, p.batch, in, nullptr, p.in_stride, p.in_distance, complex_out,
                                   nullptr, p.out_stride, p.out_distance, flags);
  return fftwf_plan_many_dft_c2r(1, &p.size, p.batch, complex_in, nullptr, p.in_stride, p.in_distance, out,
                                 nullptr, p.out_stride, p.out_distance, flags);
}

// Not noexcept, though nothing throws: so the call is a jump. FFTW writes to its input only where the problem
// allows it: in place, or a real inverse.
void run_complex(void* plan, const float* in, float* out) {
  fftwf_execute_dft(static_cast<Plan>(plan), reinterpret_cast<fftwf_complex*>(const_cast<float*>(in)),
                    reinterpret_cast<fftwf_complex*>(out));
}
void run_real_forward(void* plan, const float* in, float* out) {
  fftwf_execute_dft_r2c(static_cast<Plan>(plan), const_cast<float*>(in),
                        reinterpret_cast<fftwf_complex*>(out));
}
void run_real_inverse(void* plan, const float* in, float* out) {
  fftwf_execute_dft_c2r(static_cast<Plan>(plan), reinterpret_cast<fftwf_complex*>(const_cast<float*>(in)),
                        out);
}

auto runner_of(const FftwProblem& problem) noexcept {
  if (!problem.real) return run_complex;
  return problem.forward ? run_real_forward : run_real_inverse;
}

}  // namespace

FftwPlan::FftwPlan(const FftwProblem& problem) : run_(runner_of(problem)), misalignment_(alignment() - 1) {
  const int bins = problem.real ? problem.size / 2 + 1 : problem.size;
  const int in_elements = problem.forward ? problem.size : bins;
  const int out_elements = problem.forward ? bins : problem.size;
  const std::size_t in_floats =
      extent(in_elements, problem.batch, problem.in_stride, problem.in_distance) * 2;
  const std::size_t out_floats =
      extent(out_elements, problem.batch, problem.out_stride, problem.out_distance) * 2;
  const Scratch in(problem.in_place ? std::max(in_floats, out_floats) : in_floats);
  const Scratch out(problem.in_place ? 0 : out_floats);
  plan_ = make_plan(problem, in.data, problem.in_place ? in.data : out.data);
}

FftwPlan::~FftwPlan() {
  if (plan_ == nullptr) return;
  const std::lock_guard lock(planner());
  fftwf_destroy_plan(static_cast<Plan>(plan_));
}

std::shared_ptr<const FftwPlan> FftwPlan::of(const FftwProblem& problem) {
  static std::map<FftwProblem, std::weak_ptr<const FftwPlan>> plans;
  static std::string known;
  std::unique_ptr<FftwPlan> made;  // outlives the lock, which its destructor would take
  const std::lock_guard lock(planner());
  if (known.empty()) {
    fftwf_set_timelimit(kPlanningSeconds);
    import_wisdom();
    known = wisdom();
  }
  if (auto plan = plans[problem].lock()) return plan;
  made.reset(new FftwPlan(problem));
  if (made->plan_ == nullptr) return nullptr;
  if (std::string now = wisdom(); now != known) {
    known = std::move(now);
    export_wisdom(known);
  }
  std::shared_ptr<const FftwPlan> plan(std::move(made));
  plans[problem] = plan;
  return plan;
}

}  // namespace ringwave::dsp

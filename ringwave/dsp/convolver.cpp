// SPDX-License-Identifier: Apache-2.0
#include "ringwave/dsp/convolver.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <string>
#include <utility>

#include "ringwave/backend/block_check.hpp"
#include "ringwave/backend/block_trial.hpp"
#include "ringwave/backend/prepare.hpp"
#include "ringwave/core/error.hpp"
#include "ringwave/core/trace.hpp"
#include "ringwave/dsp/convolver_twins.hpp"
#include "ringwave/dsp/fft.hpp"

namespace ringwave::dsp {
namespace {

constexpr std::array<std::pair<Convolver::Mode, std::string_view>, 4> kModes{
    {{Convolver::Mode::automatic, "automatic"},
     {Convolver::Mode::direct, "direct"},
     {Convolver::Mode::fft, "fft"},
     {Convolver::Mode::partitioned, "partitioned"}}};

void require_taps(std::span<const Convolver::Path> paths, int most) {
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const std::string which = "the response of path " + std::to_string(i);
    if (paths[i].taps.size() > static_cast<std::size_t>(most))
      throw InvalidArgument(which + " has " + std::to_string(paths[i].taps.size()) +
                            " taps, and there is room for " + std::to_string(most) +
                            "; ask for more max_taps, or shorten it");
    for (std::size_t k = 0; k < paths[i].taps.size(); ++k)
      if (!std::isfinite(paths[i].taps[k]))
        throw InvalidArgument(which + " has a tap that is not finite, at " + std::to_string(k) +
                              "; repair the file it came from");
  }
}

Convolver::Spec checked(Convolver::Spec spec, std::span<const Convolver::Path> paths) {
  backend::require_shape(Convolver::kName, std::max(spec.inputs, spec.outputs), spec.max_block_frames);
  backend::require_shape(Convolver::kName, std::min(spec.inputs, spec.outputs), spec.max_block_frames);
  if (spec.max_taps < 0 || spec.max_taps > Convolver::kMostTaps || spec.fade_frames < 0)
    throw InvalidArgument("convolver was asked for with room for " + std::to_string(spec.max_taps) +
                          " taps and a fade of " + std::to_string(spec.fade_frames) +
                          " frames; use at most " + std::to_string(Convolver::kMostTaps) +
                          " taps and 0 frames or more");
  if (paths.empty())
    throw InvalidArgument("convolver was asked for without a path; give it one response at least");
  for (const Convolver::Path& path : paths)
    if (path.route.input < 0 || path.route.input >= spec.inputs || path.route.output < 0 ||
        path.route.output >= spec.outputs)
      throw InvalidArgument("a path leads from input " + std::to_string(path.route.input) + " to output " +
                            std::to_string(path.route.output) + ", and there are " +
                            std::to_string(spec.inputs) + " inputs and " + std::to_string(spec.outputs) +
                            " outputs, counted from 0");
  require_taps(paths, spec.max_taps == 0 ? Convolver::kMostTaps : spec.max_taps);
  if (spec.max_taps == 0)
    for (const Convolver::Path& path : paths)
      spec.max_taps = std::max({spec.max_taps, static_cast<int>(path.taps.size()), 1});
  return spec;
}

std::vector<Convolver::Path> one_each(int channels, std::span<const float> taps) {
  std::vector<Convolver::Path> paths;
  paths.reserve(static_cast<std::size_t>(std::max(channels, 0)));
  for (int channel = 0; channel < channels; ++channel) paths.push_back({{channel, channel}, taps});
  return paths;
}

}  // namespace

Convolver::Convolver(Device device, const Spec& spec, std::span<const Path> paths)
    : spec_(checked(spec, paths)) {
  for (const Path& path : paths) routes_.push_back(path.route);
  auto prepared = backend::prepare<Convolver>(
      device, {std::string(kName), spec_.max_block_frames, static_cast<int>(paths.size())},
      {spec_, {paths.begin(), paths.end()}});
  device_ = prepared.device;
  twin_ = std::move(prepared.twin);
  spec_.mode = twin_->mode();
}

Convolver::Convolver(Device device, int channels, int max_block_frames, std::span<const float> taps)
    : Convolver(device, {.inputs = channels, .outputs = channels, .max_block_frames = max_block_frames},
                one_each(channels, taps)) {}

Convolver::~Convolver() = default;
Convolver::Convolver(Convolver&&) noexcept = default;
Convolver& Convolver::operator=(Convolver&&) noexcept = default;

Status Convolver::check(BlockView<const float> in, BlockView<float> out) const noexcept {
  const bool fits = in.channels() == spec_.inputs && out.channels() == spec_.outputs &&
                    in.frames() == out.frames() && in.frames() >= 0 && in.frames() <= spec_.max_block_frames;
  return fits ? Status::ok : Status::wrong_shape;
}

Status Convolver::process(BlockView<const float> in, BlockView<float> out) noexcept {
  const trace::Span span("convolver");
  Status status = check(in, out);
  if (status == Status::ok && in.frames() > 0) status = twin_->process(in, out);
  if (status != Status::ok) backend::silence(out);
  return status;
}

Status Convolver::enqueue(Queue& queue, BlockView<const float> in, BlockView<float> out) noexcept {
  const Status status = check(in, out);
  return status == Status::ok && in.frames() > 0 ? twin_->enqueue(queue, in, out) : status;
}

void Convolver::set_responses(std::span<const Path> paths) {
  const bool same = std::equal(paths.begin(), paths.end(), routes_.begin(), routes_.end(),
                               [](const Path& path, const Route& route) {
                                 return path.route.input == route.input && path.route.output == route.output;
                               });
  if (!same)
    throw InvalidArgument(
        "convolver was given responses on other routes than it was made with; make another one");
  require_taps(paths, spec_.max_taps);
  twin_->set_responses(paths);
}

bool Convolver::changing() const noexcept {
  return twin_->changing();
}

void Convolver::reset() noexcept {
  twin_->reset();
}

Status Convolver::enqueue_reset(Queue& queue) noexcept {
  return twin_->enqueue_reset(queue);
}

std::uint64_t Convolver::nonfinite_samples() const {
  return twin_->nonfinite_samples();
}

backend::OpInfo Convolver::info() {
  return {.name = std::string(kName),
          .summary = "impulse responses of a second each, one a channel",
          .sizes = {64, 256, 1024},
          .batches = {1, 8, 64},
          .make_trial = [](Device device, int size, int batch) {
            constexpr std::size_t kTaps = 48'000;
            std::vector<float> taps(kTaps);
            for (std::size_t k = 0; k < kTaps; ++k)
              taps[k] = (k % 2 == 0 ? 1e-2F : -1e-2F) * std::exp(-5.0F * static_cast<float>(k) / kTaps);
            return backend::make_block_trial(
                Convolver(
                    device,
                    {.inputs = batch, .outputs = batch, .max_block_frames = size, .mode = Mode::partitioned},
                    one_each(batch, taps)),
                batch, size);
          }};
}

int convolver_part_frames(int block_frames) noexcept {
  const int least = std::max(16, block_frames);
  const bool likes = least % 2 == 0 && fast_fft_size(least) == least;
  return likes ? least : static_cast<int>(std::bit_floor(static_cast<unsigned>(least)));
}

std::string_view to_string(Convolver::Mode mode) noexcept {
  for (const auto& [value, word] : kModes)
    if (value == mode) return word;
  return "unknown";
}

Convolver::Mode convolver_mode(std::string_view word) {
  for (const auto& [value, name] : kModes)
    if (name == word) return value;
  throw InvalidArgument("'" + std::string(word) +
                        "' is no way to convolve; use automatic, direct, fft or partitioned");
}

}  // namespace ringwave::dsp

// SPDX-License-Identifier: Apache-2.0
#include "ringwave/dsp/resampler_stream.hpp"

#include <algorithm>
#include <atomic>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "ringwave/backend/block_check.hpp"
#include "ringwave/core/error.hpp"
#include "ringwave/core/worker_crew.hpp"
#include "ringwave/dsp/rate_converter.hpp"
#include "ringwave/dsp/resampler.hpp"

namespace ringwave::dsp {
namespace {

constexpr auto kQuality = ResamplerQuality::finest;
constexpr std::int64_t kMostTaps = std::int64_t{1} << 21;  // about a second of design
constexpr int kPieceSamples = 1 << 18;                     // about, of the longer side of a piece
constexpr int kLeastPieceFrames = 4096;
constexpr int kPeriods = 4;       // that a twin may take for one: pieces are cut between them
constexpr int kMostWorkers = 16;  // each has memory for a piece

RateConverter::Spec converter_spec(const ResamplerStream::Spec& spec) noexcept {
  return {.channels = spec.channels, .from_hz = spec.from_hz, .to_hz = spec.to_hz};
}

/// How the signal is cut: pieces of `body` inputs, whole periods, with what their filters reach around them.
struct Cut {
  explicit Cut(const ResamplerStream::Spec& spec)
      : up(spec.to_hz / std::gcd(spec.from_hz, spec.to_hz)),
        down(spec.from_hz / std::gcd(spec.from_hz, spec.to_hz)),
        behind(static_cast<int>(resampler_filter_taps(up, down, kQuality) / 2 / up) + 2),
        before((behind + kPeriods * down - 1) / (kPeriods * down) * kPeriods * down) {
    const int frames =
        spec.is_live ? kLeastPieceFrames : std::max(kLeastPieceFrames, kPieceSamples / spec.channels);
    body = std::max(1, frames / std::max(up, down) / kPeriods) * kPeriods * down;
  }

  [[nodiscard]] int outputs(int whole_periods_of_inputs) const noexcept {
    return static_cast<int>(std::int64_t{whole_periods_of_inputs} / down * up);
  }

  int up;
  int down;
  int behind;  // inputs behind a piece that its outputs need
  int before;  // and before it, of whole periods
  int body;
};

}  // namespace

class ResamplerStream::Pieces {
 public:
  Pieces(Device device, const Spec& spec) : spec_(spec), cut_(spec) {
    const std::vector<double> taps = resampler_filter(cut_.up, cut_.down, kQuality);
    const Resampler::Spec piece{.from_hz = spec.from_hz,
                                .to_hz = spec.to_hz,
                                .channels = spec.channels,
                                .max_frames = cut_.before + cut_.body + cut_.behind,
                                .quality = kQuality};
    workers_.push_back({Resampler(device, piece, taps), {}});
    const bool is_cpu = workers_.front().op.device().kind() == DeviceKind::cpu;
    const int wanted = is_cpu && !spec.is_live ? std::min(kMostWorkers, WorkerCrew::one_a_core()) : 1;
    while (static_cast<int>(workers_.size()) < wanted)
      workers_.push_back({Resampler(workers_.front().op.device(), piece, taps), {}});
    for (Worker& worker : workers_) worker.made.resize(samples(worker.op.output_frames(piece.max_frames)));
    const auto pieces = static_cast<int>(workers_.size());
    room_ = cut_.before + pieces * cut_.body + cut_.behind;
    in_.resize(samples(room_));
    out_.resize(samples(pieces * cut_.outputs(cut_.body)));
    filled_ = cut_.before;  // the silence before the first frame
  }

  BlockView<const float> process(BlockView<const float> in) {
    if (in.channels() != spec_.channels || in.frames() > block_frames())
      throw InvalidArgument("the rate of blocks of " + std::to_string(spec_.channels) +
                            " channels and up to " + std::to_string(block_frames()) +
                            " frames is converted, and one has " + std::to_string(in.channels()) + " and " +
                            std::to_string(in.frames()));
    if (ended_) throw InvalidState("more input came to a conversion of the rate that was finished");
    const int first = std::min(in.frames(), room_ - filled_);
    append(in.slice(0, first));
    if (filled_ < room_) return {};
    const int made = run(static_cast<int>(workers_.size()), out().frames());
    keep_last(cut_.before + cut_.behind);
    append(in.slice(first, in.frames() - first));
    return out().slice(0, made);
  }

  BlockView<const float> finish() {
    ended_ = true;
    const std::int64_t left = RateConverter::output_frames(taken_, spec_.from_hz, spec_.to_hz) - made_;
    if (left <= 0) return {};
    // Where the last frames lie behind the last piece that there is room for, one more call makes the rest.
    const int inputs = std::min(filled_ - cut_.before, block_frames());
    const int pieces = (inputs + cut_.body - 1) / cut_.body;
    const int made = run(pieces, static_cast<int>(std::min<std::int64_t>(left, out().frames())));
    keep_last(filled_ - inputs);
    return out().slice(0, made);
  }

  [[nodiscard]] int block_frames() const noexcept { return static_cast<int>(workers_.size()) * cut_.body; }
  [[nodiscard]] Device device() const noexcept { return workers_.front().op.device(); }
  [[nodiscard]] std::int64_t nonfinite() const noexcept { return nonfinite_; }

 private:
  struct Worker {
    Resampler op;
    std::vector<float> made;
  };

  [[nodiscard]] std::size_t samples(int frames) const noexcept {
    return static_cast<std::size_t>(spec_.channels) * static_cast<std::size_t>(frames);
  }
  [[nodiscard]] BlockView<float> in() noexcept { return {in_.data(), spec_.channels, room_}; }
  [[nodiscard]] BlockView<float> out() noexcept {
    return {out_.data(), spec_.channels, static_cast<int>(out_.size()) / spec_.channels};
  }

  void append(BlockView<const float> block) {
    for (int channel = 0; channel < spec_.channels; ++channel) {
      float* to = in().channel(channel).data() + filled_;
      for (const float sample : block.channel(channel)) {
        const auto bad = backend::is_nonfinite(sample);
        nonfinite_ += bad;
        *to++ = bad != 0 ? 0.0F : sample;
      }
    }
    filled_ += block.frames();
    taken_ += block.frames();
  }

  void keep_last(int frames) {
    for (int channel = 0; channel < spec_.channels; ++channel) {
      float* const line = in().channel(channel).data();
      std::copy(line + filled_ - frames, line + filled_, line);
    }
    filled_ = frames;
  }

  /// So many pieces, side by side; at most `most` outputs. How many there are.
  int run(int pieces, int most) {
    std::atomic<Status> status{Status::ok};
    const int whole = cut_.outputs(cut_.body);
    const int made = std::min(most, pieces * whole);
    const auto make = [&](int piece) noexcept {
      const Status found = run_piece(workers_[static_cast<std::size_t>(piece)], piece * cut_.body,
                                     out().slice(piece * whole, std::clamp(made - piece * whole, 0, whole)));
      if (found != Status::ok) status = found;
    };
    {
      // Threads of their own: a piece takes much longer than a thread's beginning, and nobody spins
      // meanwhile.
      std::vector<std::jthread> others;
      for (int piece = 1; piece < pieces; ++piece) others.emplace_back(make, piece);
      make(0);
    }
    if (status != Status::ok)
      throw DeviceLost("the conversion of a rate stopped because of the device: " +
                       std::string(to_string(status)) + "; try again with the CPU");
    made_ += made;
    return made;
  }

  Status run_piece(Worker& worker, int begin, BlockView<float> to) noexcept {
    const int frames = std::min(cut_.before + cut_.body + cut_.behind, filled_ - begin);
    const BlockView<float> made(worker.made.data(), spec_.channels, worker.op.output_frames(frames));
    const Status status = worker.op.process(in().slice(begin, frames), made);
    for (int channel = 0; channel < spec_.channels; ++channel)
      std::ranges::copy(made.slice(cut_.outputs(cut_.before), to.frames()).channel(channel),
                        to.channel(channel).begin());
    return status;
  }

  Spec spec_;
  Cut cut_;
  std::vector<Worker> workers_;
  int room_ = 0;
  int filled_ = 0;         // frames of what follows
  std::vector<float> in_;  // [channel][room_]: what a piece needs from before it, pieces, what is behind them
  std::vector<float> out_;  // [channel][outputs of as many pieces]
  std::int64_t taken_ = 0;
  std::int64_t made_ = 0;
  std::int64_t nonfinite_ = 0;
  bool ended_ = false;
};

bool ResamplerStream::fits(const Spec& spec) noexcept {
  if (spec.from_hz < 1 || spec.to_hz < 1) return false;
  const int common = std::gcd(spec.from_hz, spec.to_hz);
  return resampler_filter_taps(spec.to_hz / common, spec.from_hz / common, kQuality) <= kMostTaps;
}

ResamplerStream::ResamplerStream(Device device, const Spec& spec) {
  RateConverter::require_valid(converter_spec(spec));
  if (!fits(spec))
    throw InvalidArgument("the filter from " + std::to_string(spec.from_hz) + " to " +
                          std::to_string(spec.to_hz) + " Hz would have more than " +
                          std::to_string(kMostTaps) + " coefficients; use a RateConverter");
  pieces_ = std::make_unique<Pieces>(device, spec);
}

ResamplerStream::~ResamplerStream() = default;
ResamplerStream::ResamplerStream(ResamplerStream&&) noexcept = default;
ResamplerStream& ResamplerStream::operator=(ResamplerStream&&) noexcept = default;

BlockView<const float> ResamplerStream::process(BlockView<const float> in) {
  return pieces_->process(in);
}

BlockView<const float> ResamplerStream::finish() {
  return pieces_->finish();
}

int ResamplerStream::block_frames() const noexcept {
  return pieces_->block_frames();
}

Device ResamplerStream::device() const noexcept {
  return pieces_->device();
}

std::int64_t ResamplerStream::nonfinite_samples() const noexcept {
  return pieces_->nonfinite();
}

}  // namespace ringwave::dsp

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "ringwave/core/device.hpp"
#include "ringwave/synth/renderer.hpp"
#include "ringwave/synth/station_math.hpp"
#include "ringwave/synth/voice_math.hpp"

namespace ringwave::synth {

/// What begins, changes or ends before a block.
struct StationCommand {
  enum class Kind : std::uint8_t { start, set, end };
  int station = 0;
  Kind kind = Kind::start;
  StationRule::Constants constants{};
};

struct RendererRequest {
  int stations = 1;
  int voices = 1;
  int max_block_frames = 1;
  int max_events = 1;
  Renderer::Format format = Renderer::Format::float32;
  int threads = 1;       ///< on the CPU
  bool as_graph = true;  ///< on a GPU
  StationRule::Rates rates{};
  std::vector<VoiceRule::Constants> patches{};
};

/// One block.
struct RenderJob {
  std::span<const VoiceEvent> events{};  ///< by station, then by voice, then in time
  std::span<const StationCommand> commands{};
  int frames = 0;
  std::int64_t clock = 0;
  int stations = 0;  ///< those from here on do not play
};

/// What the twins of the renderer implement. The public class has checked all that comes in.
class RendererTwin {
 public:
  virtual ~RendererTwin() = default;

  /// Begins a block; at most Renderer::kBlocksInFlight are. [audio]
  RW_REALTIME virtual Status submit(const RenderJob& job) noexcept = 0;
  /// Waits for the oldest. [audio]
  RW_REALTIME virtual Status fetch() noexcept = 0;
  /// Where the block that was fetched last begins: of each station one after the other, `frames` pairs of
  /// floats or 16-bit numbers. [audio]
  [[nodiscard]] virtual const void* output() const noexcept = 0;
};

[[nodiscard]] std::unique_ptr<RendererTwin> make_renderer_cpu(Device device, const RendererRequest& request);
[[nodiscard]] std::unique_ptr<RendererTwin> make_renderer_cuda(Device device, const RendererRequest& request);

}  // namespace ringwave::synth

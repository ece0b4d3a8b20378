// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <utility>

#include "ringwave/live/stations_port.hpp"

namespace ringwave::live {

/// Blocks by the device's own twin of the renderer, whose graph or launches are waited for; on the CPU a
/// call. There is no deadline: what was begun there cannot be taken back.
class CalledStations final : public StationsPort {
 public:
  explicit CalledStations(std::unique_ptr<synth::RendererTwin> twin) : twin_(std::move(twin)) {}

  RW_REALTIME Status submit(const synth::RenderJob& job) noexcept override {
    // Of a block that failed nobody knows how far it came: what would come after it is not what was played.
    Status status = is_lost_ ? Status::device_lost : twin_->submit(job);
    if (status == Status::ok) status = twin_->fetch();
    if (status == Status::ok) return status;
    is_lost_ = true;
    note_miss(ring::Delivery::failed);
    return Status::device_lost;
  }
  [[nodiscard]] const void* output() const noexcept override { return twin_->output(); }

 private:
  std::unique_ptr<synth::RendererTwin> twin_;
  bool is_lost_ = false;
};

}  // namespace ringwave::live

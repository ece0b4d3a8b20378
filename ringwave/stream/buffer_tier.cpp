// SPDX-License-Identifier: Apache-2.0
#include "ringwave/stream/buffer_tier.hpp"

namespace ringwave::stream {

std::string_view to_string(BufferTier tier) noexcept {
  switch (tier) {
    case BufferTier::minimal:
      return "minimal";
    case BufferTier::normal:
      return "normal";
    case BufferTier::stable:
      return "stable";
    case BufferTier::defensive:
      break;
  }
  return "defensive";
}

double target_seconds(BufferTier tier) noexcept {
  return 0.5 * (1 + static_cast<int>(tier));
}

bool BufferControl::report(const Report& report) noexcept {
  const bool has_underrun = report.underruns > last_.underruns;
  const int step = static_cast<int>(tier_);
  last_ = report;
  if (has_underrun || report.jitter_ms > kUnsteadyMs) {
    calm_ = 0;
    if (tier_ == BufferTier::defensive) return false;
    tier_ = static_cast<BufferTier>(step + 1);
    return true;
  }
  calm_ = report.jitter_ms < kCalmMs ? calm_ + 1 : 0;
  if (calm_ < kCalmReports) return false;
  calm_ = 0;
  if (tier_ == BufferTier::minimal) return false;
  tier_ = static_cast<BufferTier>(step - 1);
  return true;
}

}  // namespace ringwave::stream

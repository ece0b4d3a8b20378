// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace ringwave::stream {

/// How much sound a listener keeps in hand.
enum class BufferTier : unsigned char { minimal, normal, stable, defensive };

/// [any]
[[nodiscard]] std::string_view to_string(BufferTier tier) noexcept;
/// 0.5, 1, 1.5 or 2. [any]
[[nodiscard]] double target_seconds(BufferTier tier) noexcept;

/// Chooses a listener's tier by its own reports: a step up after an underrun or where packets come
/// unsteadily, a step down after a long calm. What the network did to one does not concern another.
class BufferControl {
 public:
  struct Report {
    double depth_seconds = 0;
    double jitter_ms = 0;
    std::uint64_t underruns = 0;  ///< all so far
  };

  static constexpr double kUnsteadyMs = 30;
  static constexpr double kCalmMs = 15;
  static constexpr int kCalmReports = 12;  ///< in a row, before it steps down: half a minute or more

  explicit BufferControl(BufferTier tier = BufferTier::minimal) noexcept : tier_(tier) {}

  /// True where the tier changed. [any]
  bool report(const Report& report) noexcept;

  [[nodiscard]] BufferTier tier() const noexcept { return tier_; }
  [[nodiscard]] const Report& last() const noexcept { return last_; }

 private:
  BufferTier tier_;
  Report last_{};
  int calm_ = 0;
};

}  // namespace ringwave::stream

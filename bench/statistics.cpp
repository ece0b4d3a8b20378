// SPDX-License-Identifier: Apache-2.0
#include "bench/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace ringwave::bench {
namespace {

constexpr std::size_t kStretches = 10;

std::vector<double> sorted(std::span<const double> samples) {
  std::vector<double> values(samples.begin(), samples.end());
  std::sort(values.begin(), values.end());
  return values;
}

/// The smallest value that at least this part of the samples does not exceed.
double quantile(const std::vector<double>& ascending, double part) {
  const double rank = std::ceil(part * static_cast<double>(ascending.size()));
  return ascending[static_cast<std::size_t>(std::max(rank, 1.0)) - 1];
}

double median(const std::vector<double>& ascending) {
  const std::size_t half = ascending.size() / 2;
  return ascending.size() % 2 == 1 ? ascending[half] : 0.5 * (ascending[half - 1] + ascending[half]);
}

/// With n independent samples the number below the true median is binomial, with a deviation of sqrt(n)/2.
void interval_of_ranks(const std::vector<double>& ascending, Summary& summary) {
  const auto n = static_cast<double>(ascending.size());
  const double reach = 1.96 * std::sqrt(n) / 2;
  const double low = std::floor(n / 2 - reach);
  const double high = std::ceil(n / 2 + reach);
  summary.ci_low = ascending[static_cast<std::size_t>(std::max(low, 0.0))];
  summary.ci_high = ascending[static_cast<std::size_t>(std::min(high, n - 1))];
}

/// All ten medians but one lie above, or below, the true one in 22 of 1024 draws: 97.9 %.
void interval_of_stretches(std::span<const double> in_time_order, Summary& summary) {
  std::vector<double> medians;
  const std::size_t length = in_time_order.size() / kStretches;
  for (std::size_t i = 0; i < kStretches; ++i)
    medians.push_back(median(sorted(in_time_order.subspan(i * length, length))));
  std::sort(medians.begin(), medians.end());
  summary.ci_low = std::min(medians[1], summary.median);
  summary.ci_high = std::max(medians[kStretches - 2], summary.median);
}

}  // namespace

Summary summarize(std::span<const double> in_time_order) {
  Summary summary;
  summary.samples = in_time_order.size();
  if (in_time_order.empty()) return summary;
  const std::vector<double> ascending = sorted(in_time_order);
  summary.median = median(ascending);
  summary.p99 = quantile(ascending, 0.99);
  summary.p999 = quantile(ascending, 0.999);
  summary.max = ascending.back();
  summary.mean =
      std::accumulate(ascending.begin(), ascending.end(), 0.0) / static_cast<double>(ascending.size());
  if (ascending.size() >= 10 * kStretches)
    interval_of_stretches(in_time_order, summary);
  else
    interval_of_ranks(ascending, summary);
  return summary;
}

}  // namespace ringwave::bench

// SPDX-License-Identifier: Apache-2.0
#include "ringwave/ring/telemetry_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace ringwave::ring {
namespace {

using testing::HasSubstr;

Telemetry some_kernel() {
  Telemetry t;
  t.kernel = "left \"hand\"\n\\";
  t.handler = "echo";
  t.device = "cuda:0";
  t.state = State::paused;
  t.counts.processed = 12;
  t.dropped_oldest = 3;
  t.depth = {0, 7, 0, 0};
  t.latency = {.count = 12, .min_ns = 900, .p50_ns = 1500, .p99_ns = 2500, .max_ns = 4000};
  return t;
}

TEST(TelemetryText, SaysWhatTheKernelCounted) {
  const std::vector<Telemetry> kernels{some_kernel()};
  const std::string text = prometheus_text(kernels);
  const std::string who = R"({kernel="left \"hand\"\n\\",handler="echo",device="cuda:0")";
  EXPECT_THAT(text, HasSubstr("ringwave_ring_processed_total" + who + "} 12\n"));
  EXPECT_THAT(text, HasSubstr("ringwave_ring_dropped_total" + who + ",reason=\"oldest\"} 3\n"));
  EXPECT_THAT(text, HasSubstr("ringwave_ring_inbox_messages" + who + ",band=\"normal\"} 7\n"));
  EXPECT_THAT(text, HasSubstr("ringwave_ring_latency_seconds" + who + ",quantile=\"0.5\"} 1.5e-06\n"));
  EXPECT_THAT(text, HasSubstr("ringwave_ring_state" + who + ",state=\"paused\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("ringwave_ring_state" + who + ",state=\"active\"} 0\n"));
}

TEST(TelemetryText, KernelsOfTheSameNameAreToldApartByTheirRuntimes) {
  std::vector<Telemetry> kernels{some_kernel(), some_kernel()};
  kernels[0].runtime = 1;
  kernels[1].runtime = 2;
  const std::string text = prometheus_text(kernels);
  EXPECT_THAT(text, HasSubstr(R"(device="cuda:0",runtime="1"} 12)"));
  EXPECT_THAT(text, HasSubstr(R"(device="cuda:0",runtime="2",band="normal"} 7)"));
}

/// Where a quoted label ends, from its first letter on; npos where it does not.
std::size_t end_of_quoted(const std::string& line, std::size_t at) {
  while (at < line.size() && line[at] != '"') at += line[at] == '\\' ? 2U : 1U;
  return at < line.size() ? at + 1 : std::string::npos;
}

TEST(TelemetryText, IsThePrometheusFormat) {
  const std::vector<Telemetry> kernels{some_kernel(), some_kernel()};
  std::istringstream lines(prometheus_text(kernels));
  std::set<std::string> families;
  std::string family;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("# HELP ")) {
      family = line.substr(7, line.find(' ', 7) - 7);
      EXPECT_TRUE(families.insert(family).second) << "a family stands once: " << family;
    } else if (!line.starts_with("# TYPE ")) {
      ASSERT_TRUE(line.starts_with(family + "{")) << line;
      std::size_t at = family.size();
      do {
        at = line.find("=\"", at + 1);
        ASSERT_NE(at, std::string::npos) << line;
        at = end_of_quoted(line, at + 2);
        ASSERT_NE(at, std::string::npos) << line;
      } while (line[at] == ',');
      ASSERT_EQ(line.substr(at, 2), "} ") << line;
      std::size_t used = 0;
      (void)std::stod(line.substr(at + 2), &used);
      EXPECT_EQ(at + 2 + used, line.size()) << line;
    }
  }
  EXPECT_GT(families.size(), 10U);
}

}  // namespace
}  // namespace ringwave::ring

// SPDX-License-Identifier: Apache-2.0
#include "apps/server/ring_metrics.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <thread>

#include "ringwave/ring/runtime.hpp"

namespace ringwave::server {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

/// The text, once it has this; what there is after longer than any machine is held up.
std::string text_with(const std::string& part) {
  const auto end = std::chrono::steady_clock::now() + 60s;
  while (std::chrono::steady_clock::now() < end) {
    if (std::string text = ring_metrics_text(); text.find(part) != std::string::npos) return text;
    std::this_thread::sleep_for(5ms);
  }
  return ring_metrics_text();
}

TEST(RingMetrics, AreOfTheRuntimesThatLive) {
  EXPECT_EQ(ring_metrics_text(), "");
  {
    ring::Runtime one({.device = Device::cpu()});
    ring::Runtime other({.device = Device::cpu()});
    const ring::KernelScope left(one.create({.name = "left", .handler = "echo"}));
    const ring::KernelScope right(other.create({.name = "right", .handler = "echo"}));
    ring::Letter reply;
    ASSERT_EQ(right->request(ring::Outgoing::of(0, 42), reply, 20s), ring::Delivery::ok);
    for (const std::string name : {"left", "right"}) {
      const std::string line =
          "ringwave_ring_processed_total{kernel=\"" + name + R"(",handler="echo",device="cpu",runtime=)";
      EXPECT_THAT(text_with(line), HasSubstr(line));
    }
    EXPECT_THAT(text_with("} 1\n"), HasSubstr("# TYPE ringwave_ring_processed_total counter\n"));
  }
  EXPECT_EQ(ring_metrics_text(), "");
}

}  // namespace
}  // namespace ringwave::server

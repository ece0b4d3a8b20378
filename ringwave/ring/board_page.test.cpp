// SPDX-License-Identifier: Apache-2.0
#include "ringwave/ring/board_page.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <string>

#include "ringwave/core/error.hpp"

namespace ringwave::ring {
namespace {

using testing::HasSubstr;

BoardPage some_page() {
  Telemetry t{.kernel = "left \"hand\"\n",
              .handler = "echo",
              .device = "cuda:0",
              .runtime = 3,
              .state = State::paused,
              .counts = {1, 2, 3, 4, 5, 6, 7, 8},
              .sent = 9,
              .rejected = 10,
              .dropped_newest = 11,
              .dropped_oldest = 12,
              .dropped_at_end = 13,
              .undelivered = 28,
              .restarts = 14,
              .depth = {15, 16, 17, 18},
              .peak = {19, 20, 21, 22},
              .uptime_s = 2.5,
              .busy_ratio = 0.25,
              .latency = {23, 24, 25, 26, 27},
              .last_error = "it broke"};
  return {.process = 17, .started = 99, .written_ns = 1234, .program = "tried", .kernels = {t, Telemetry{}}};
}

std::string fault_of(const std::string& bytes) {
  try {
    (void)read_board_page(bytes);
  } catch (const BadFile& fault) {
    return fault.what();
  }
  return "";
}

TEST(BoardPage, ComesBackAsItWas) {
  const BoardPage page = read_board_page(write_board_page(some_page()));
  EXPECT_EQ(page.process, 17);
  EXPECT_EQ(page.started, 99U);
  EXPECT_EQ(page.written_ns, 1234);
  EXPECT_EQ(page.program, "tried");
  EXPECT_EQ(page.left_out, 0U);
  ASSERT_EQ(page.kernels.size(), 2U);
  const Telemetry& t = page.kernels[0];
  const Telemetry was = some_page().kernels[0];
  EXPECT_EQ(t.kernel, was.kernel);
  EXPECT_EQ(t.handler, was.handler);
  EXPECT_EQ(t.device, was.device);
  EXPECT_EQ(t.runtime, was.runtime);
  EXPECT_EQ(t.state, was.state);
  EXPECT_EQ(std::memcmp(&t.counts, &was.counts, sizeof t.counts), 0);
  EXPECT_EQ(t.sent, was.sent);
  EXPECT_EQ(t.rejected, was.rejected);
  EXPECT_EQ(t.dropped_newest, was.dropped_newest);
  EXPECT_EQ(t.dropped_oldest, was.dropped_oldest);
  EXPECT_EQ(t.dropped_at_end, was.dropped_at_end);
  EXPECT_EQ(t.undelivered, was.undelivered);
  EXPECT_EQ(t.restarts, was.restarts);
  EXPECT_EQ(t.depth, was.depth);
  EXPECT_EQ(t.peak, was.peak);
  EXPECT_DOUBLE_EQ(t.uptime_s, was.uptime_s);
  EXPECT_DOUBLE_EQ(t.busy_ratio, was.busy_ratio);
  EXPECT_EQ(std::memcmp(&t.latency, &was.latency, sizeof t.latency), 0);
  EXPECT_EQ(t.last_error, was.last_error);
}

TEST(BoardPage, WhatIsTooLongIsCut) {
  BoardPage page = some_page();
  page.program = page.kernels[0].kernel = page.kernels[0].last_error = std::string(1000, 'x');
  page.kernels[0].busy_ratio = std::nan("");
  page.kernels[0].uptime_s = 1e300;
  page.kernels.resize(BoardPage::kMostKernels + 5);
  const std::string bytes = write_board_page(page);
  EXPECT_LE(bytes.size(), BoardPage::kMostBytes);
  const BoardPage back = read_board_page(bytes);
  EXPECT_EQ(back.kernels.size(), BoardPage::kMostKernels);
  EXPECT_EQ(back.left_out, 5U);
  EXPECT_EQ(back.program, std::string(31, 'x'));
  EXPECT_EQ(back.kernels[0].kernel, std::string(63, 'x'));
  EXPECT_EQ(back.kernels[0].last_error, std::string(255, 'x'));
  EXPECT_EQ(back.kernels[0].busy_ratio, 0);
  EXPECT_TRUE(std::isfinite(back.kernels[0].uptime_s));
}

TEST(BoardPage, EveryCutIsTorn) {
  const std::string bytes = write_board_page(some_page());
  for (std::size_t size = 0; size < bytes.size(); ++size) EXPECT_NE(fault_of(bytes.substr(0, size)), "");
  EXPECT_THAT(fault_of(bytes.substr(0, bytes.size() - 1)), HasSubstr("torn"));
  EXPECT_THAT(fault_of(bytes + "x"), HasSubstr("torn"));
}

TEST(BoardPage, ForeignBytesAreNamed) {
  const std::string bytes = write_board_page(some_page());
  const auto with = [&](std::size_t at, std::uint32_t value) {
    std::string changed = bytes;
    std::memcpy(changed.data() + at, &value, sizeof value);
    return fault_of(changed);
  };
  EXPECT_THAT(fault_of(std::string(2000, 'x')), HasSubstr("no board"));
  EXPECT_THAT(with(8, 1000), HasSubstr("another version"));
  EXPECT_THAT(with(12, 0xffffffff), HasSubstr("torn"));
  EXPECT_THAT(with(20, 0x80000000), HasSubstr("process"));  // the sign of its id
  const std::size_t head_bytes = write_board_page({.process = 1}).size();
  EXPECT_THAT(with(head_bytes + 148, 7), HasSubstr("state 7"));
}

}  // namespace
}  // namespace ringwave::ring

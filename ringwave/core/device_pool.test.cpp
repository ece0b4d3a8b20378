// SPDX-License-Identifier: Apache-2.0
#include "ringwave/core/device_pool.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <optional>
#include <thread>
#include <vector>

#include "ringwave/core/error.hpp"
#include "tests/gate.hpp"

namespace ringwave {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

class DevicePoolTest : public testing::Test {
 protected:
  Queue queue_{Device::cpu()};
  Queue other_{Device::cpu()};
  DevicePool pool_{Device::cpu(), {.budget_bytes = 10'240}};
};

TEST_F(DevicePoolTest, ABlockIsAtMostAQuarterLargerThanAskedFor) {
  DevicePool pool(Device::cpu(), {.budget_bytes = 1 << 20});
  for (std::size_t bytes = 1; bytes < 5000; bytes += 7) {
    const auto block = pool.allocate(queue_, bytes);
    ASSERT_TRUE(block);
    ASSERT_GE(block.bytes(), bytes);
    ASSERT_LE(block.bytes(), std::max<std::size_t>(256, bytes + bytes / 4));
    ASSERT_EQ(reinterpret_cast<std::uintptr_t>(block.data()) % 256, 0U);
  }
  EXPECT_EQ(pool.allocate(queue_, 0).bytes(), 256U);
  EXPECT_EQ(pool.allocate(queue_, 257).bytes(), 320U);
  EXPECT_EQ(pool.allocate(queue_, 512).bytes(), 512U);
  EXPECT_EQ(pool.allocate(queue_, 513).bytes(), 640U);
}

TEST_F(DevicePoolTest, CountsHitsMissesAndTheHighWater) {
  {
    const auto first = pool_.allocate(queue_, 1000);   // 1024
    const auto second = pool_.allocate(queue_, 1024);  // 1024
    EXPECT_NE(first.data(), second.data());
  }
  const auto again = pool_.allocate(queue_, 900);  // the class of 1024, too
  const auto small = pool_.allocate(queue_, 100);
  const auto statistics = pool_.statistics();
  EXPECT_EQ(statistics.hits, 1U);
  EXPECT_EQ(statistics.misses, 3U);
  EXPECT_EQ(statistics.in_use_bytes, 1024U + 256U);
  EXPECT_EQ(statistics.held_bytes, 2 * 1024U + 256U);
  EXPECT_EQ(statistics.high_water_bytes, 2 * 1024U);
  EXPECT_EQ(statistics.budget_bytes, 10'240U);
}

TEST_F(DevicePoolTest, ReservedBlocksAreHits) {
  pool_.reserve(queue_, 1024, 3);
  EXPECT_EQ(pool_.statistics().in_use_bytes, 0U);
  const auto a = pool_.allocate(queue_, 1024);
  const auto b = pool_.allocate(queue_, 1024);
  const auto c = pool_.allocate(queue_, 1024);
  EXPECT_EQ(pool_.statistics().hits, 3U);
  EXPECT_EQ(pool_.statistics().misses, 3U);
}

TEST_F(DevicePoolTest, AnExceededBudgetThrowsWithTheNumbersAndChangesNothing) {
  auto kept = pool_.allocate(queue_, 8192);
  const auto before = pool_.statistics();
  EXPECT_THAT([&] { (void)pool_.allocate(queue_, 4096); },
              ThrowsMessage<OutOfMemory>(AllOf(HasSubstr("4096"), HasSubstr("8192"), HasSubstr("10240"))));
  EXPECT_THROW((void)pool_.allocate(queue_, SIZE_MAX), OutOfMemory);
  EXPECT_THROW(pool_.reserve(queue_, 1024, 5), OutOfMemory);
  queue_.synchronize();
  (void)pool_.trim();
  const auto after = pool_.statistics();
  EXPECT_EQ(after.in_use_bytes, before.in_use_bytes);
  EXPECT_EQ(after.held_bytes, before.held_bytes);
  kept = {};
  EXPECT_EQ(pool_.statistics().in_use_bytes, 0U);
}

TEST_F(DevicePoolTest, ARequestThatCanNeverFitCostsNoFreeBlock) {
  pool_.reserve(queue_, 1024, 2);
  queue_.synchronize();
  EXPECT_THROW((void)pool_.allocate(queue_, 20'000), OutOfMemory);
  EXPECT_EQ(pool_.statistics().held_bytes, 2048U);
}

TEST_F(DevicePoolTest, FreeBlocksMakeRoomForAnotherSize) {
  { const auto block = pool_.allocate(queue_, 8192); }
  queue_.synchronize();
  const auto block = pool_.allocate(queue_, 5000);
  EXPECT_EQ(pool_.statistics().held_bytes, 5120U);
}

TEST_F(DevicePoolTest, ABlockGivenBackIsAtOnceGoodForItsOwnQueueButNotForAnother) {
  Gate gate;
  gate.close(queue_);
  auto block = pool_.allocate(queue_, 1000);
  void* const place = block.data();
  block = {};
  auto on_other = pool_.allocate(other_, 1000);
  EXPECT_NE(on_other.data(), place) << "the first queue is not through with it";
  auto on_same = pool_.allocate(queue_, 1000);
  EXPECT_EQ(on_same.data(), place) << "the queue's own order keeps the two users apart";
  on_same = {};
  gate.open();
  queue_.synchronize();
  const auto later = pool_.allocate(other_, 1000);
  EXPECT_EQ(later.data(), place) << "now the first queue is through";
}

TEST_F(DevicePoolTest, ANewQueueInTheOldOnesPlaceIsAnotherQueue) {
  Gate gate;
  gate.close(queue_);
  auto block = pool_.allocate(queue_, 1000);
  void* const place = block.data();
  block = {};
  Queue moved(std::move(queue_));
  queue_ = Queue(Device::cpu());
  EXPECT_NE(pool_.allocate(queue_, 1000).data(), place);
  gate.open();
  moved.synchronize();
  queue_.synchronize();
}

TEST_F(DevicePoolTest, TrimGivesBackWhatItsQueuesAreThroughWith) {
  Gate gate;
  auto busy = pool_.allocate(other_, 512);
  auto free = pool_.allocate(queue_, 1024);
  const auto used = pool_.allocate(queue_, 256);
  gate.close(other_);
  busy = {};
  free = {};
  queue_.synchronize();
  EXPECT_EQ(pool_.trim(), 1024U);
  EXPECT_EQ(pool_.statistics().held_bytes, 512U + 256U);
  gate.open();
  other_.synchronize();
  EXPECT_EQ(pool_.trim(), 512U);
  EXPECT_EQ(pool_.trim(), 0U);
  EXPECT_EQ(pool_.statistics().held_bytes, 256U);
}

TEST_F(DevicePoolTest, TrimsByItselfUnderMemoryPressureUntilItIsGone) {
  MemoryPressure pressure;
  auto pool = std::make_optional<DevicePool>(Device::cpu(), DevicePool::Spec{.budget_bytes = 4096});
  pool->listen_to(pressure);
  pool->reserve(queue_, 1024);
  queue_.synchronize();
  (void)pressure.report(50, 100);
  EXPECT_EQ(pool->statistics().held_bytes, 1024U);
  (void)pressure.report(85, 100);
  EXPECT_EQ(pool->statistics().held_bytes, 0U);
  pool->reserve(queue_, 1024);
  queue_.synchronize();
  (void)pressure.report(0, 100);
  EXPECT_EQ(pool->statistics().held_bytes, 1024U);
  pool.reset();
  EXPECT_EQ(pressure.report(99, 100), PressureLevel::critical);
}

TEST_F(DevicePoolTest, TellsHowFullItsBudgetIs) {
  std::vector<PressureLevel> heard;
  const auto subscription = pool_.pressure().subscribe([&](PressureLevel level) { heard.push_back(level); });
  auto most = pool_.allocate(queue_, 8192);
  const auto rest = pool_.allocate(queue_, 2048);
  most = {};
  EXPECT_THAT(heard,
              testing::ElementsAre(PressureLevel::warning, PressureLevel::critical, PressureLevel::normal));
  EXPECT_EQ(pool_.pressure().level(), PressureLevel::normal);
}

TEST_F(DevicePoolTest, ASubscriberToItsPressureMayUseThePool) {
  pool_.listen_to(pool_.pressure());
  std::optional<DevicePool::Block> cache(pool_.allocate(queue_, 1024));
  const auto subscription = pool_.pressure().subscribe([&](PressureLevel level) {
    if (level != PressureLevel::normal) cache.reset();
  });
  const auto most = pool_.allocate(queue_, 8192);
  EXPECT_FALSE(cache.has_value());
  EXPECT_EQ(pool_.statistics().in_use_bytes, 8192U);
  EXPECT_EQ(pool_.pressure().level(), PressureLevel::warning);
}

TEST_F(DevicePoolTest, AMovedBlockIsGivenBackOnce) {
  auto first = pool_.allocate(queue_, 1000);
  auto second = std::move(first);
  EXPECT_FALSE(first);  // NOLINT(bugprone-use-after-move): what is left is the point
  auto third = pool_.allocate(queue_, 2000);
  third = std::move(second);
  EXPECT_EQ(pool_.statistics().in_use_bytes, 1024U);
  third = {};
  EXPECT_EQ(pool_.statistics().in_use_bytes, 0U);
}

TEST_F(DevicePoolTest, WithoutABudgetItTakesAShareOfWhatIsFree) {
  const DevicePool pool(Device::cpu());
  EXPECT_GT(pool.statistics().budget_bytes, 0U);
  EXPECT_LT(pool.statistics().budget_bytes, Device::cpu().profile().memory_bytes);
  EXPECT_THROW(DevicePool(Device{}), InvalidArgument);
}

/// Each thread has its own queue, whose tasks write the thread's number into a block and look for others'.
TEST_F(DevicePoolTest, ManyThreadsNeverShareABlock) {
  constexpr int kThreads = 4;
  constexpr int kRounds = 500;
  std::atomic<int> shared{0};
  DevicePool pool(Device::cpu(), {.budget_bytes = 1 << 20});
  std::vector<std::thread> threads;
  for (int id = 1; id <= kThreads; ++id)
    threads.emplace_back([&, id] {
      Queue queue(Device::cpu());
      for (int round = 0; round < kRounds; ++round) {
        const auto block = pool.allocate(queue, 64 * sizeof(int));
        int* data = static_cast<int*>(block.data());
        queue.submit([data, id](NativeQueue) noexcept { std::fill_n(data, 64, id); });
        queue.submit([data, id, &shared](NativeQueue) noexcept {
          for (int i = 0; i < 64; ++i)
            if (data[i] != id) ++shared;
        });
        if (round % 50 == 0) (void)pool.trim();
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(shared, 0);
  const auto statistics = pool.statistics();
  EXPECT_EQ(statistics.in_use_bytes, 0U);
  EXPECT_EQ(statistics.hits + statistics.misses, static_cast<std::uint64_t>(kThreads) * kRounds);
  (void)pool.trim();
  EXPECT_EQ(pool.statistics().held_bytes, 0U);
}

}  // namespace
}  // namespace ringwave

// SPDX-License-Identifier: Apache-2.0
#include "ringwave/core/realtime_pool.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <set>
#include <thread>
#include <vector>

#include "ringwave/core/error.hpp"

namespace ringwave {
namespace {

using Release = RealtimePool::Release;

TEST(RealtimePool, HandsOutEveryBlockOnceAndThenSaysExhausted) {
  // 130 blocks: two whole words of bits and a part of a third.
  RealtimePool pool({.block_bytes = 100, .blocks = 130});
  std::vector<RealtimePool::Handle> handles;
  std::set<const std::byte*> places;
  for (int i = 0; i < 130; ++i) {
    handles.push_back(pool.acquire());
    ASSERT_TRUE(handles.back());
    places.insert(handles.back().bytes().data());
  }
  EXPECT_EQ(places.size(), 130U);
  EXPECT_EQ(pool.in_use(), 130U);
  EXPECT_FALSE(pool.acquire());
  EXPECT_FALSE(pool.acquire());
  EXPECT_EQ(pool.statistics().exhausted, 2U);
  for (const auto& handle : handles) EXPECT_EQ(pool.release(handle), Release::ok);
  EXPECT_EQ(pool.in_use(), 0U);
  EXPECT_TRUE(pool.acquire());
}

TEST(RealtimePool, BlocksAreAlignedZeroedAndApart) {
  RealtimePool pool({.block_bytes = 65, .blocks = 5});
  std::vector<RealtimePool::Handle> handles;
  for (int i = 0; i < 5; ++i) {
    const auto handle = handles.emplace_back(pool.acquire());
    ASSERT_EQ(handle.bytes().size(), 65U);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(handle.bytes().data()) % 64, 0U);
    EXPECT_TRUE(std::ranges::all_of(handle.bytes(), [](std::byte byte) { return byte == std::byte{0}; }));
    std::ranges::fill(handle.bytes(), static_cast<std::byte>(i + 1));
  }
  for (std::size_t i = 0; i < 5; ++i)
    for (const std::byte byte : handles[i].bytes()) ASSERT_EQ(byte, static_cast<std::byte>(i + 1));
}

TEST(RealtimePool, AForeignBlockChangesNothing) {
  RealtimePool pool({.block_bytes = 64, .blocks = 2});
  RealtimePool other({.block_bytes = 64, .blocks = 2});
  const auto mine = pool.acquire();
  const auto theirs = other.acquire();
  EXPECT_EQ(pool.release(theirs), Release::foreign_block);
  EXPECT_EQ(pool.release(RealtimePool::Handle{}), Release::foreign_block);
  EXPECT_EQ(pool.in_use(), 1U);
  EXPECT_EQ(other.in_use(), 1U);
  EXPECT_EQ(pool.statistics().foreign_blocks, 2U);
  EXPECT_EQ(other.release(theirs), Release::ok);
  EXPECT_EQ(pool.release(mine), Release::ok);
}

TEST(RealtimePool, ABlockReleasedTwiceStaysFreeOnce) {
  RealtimePool pool({.block_bytes = 64, .blocks = 2});
  const auto handle = pool.acquire();
  EXPECT_EQ(pool.release(handle), Release::ok);
  EXPECT_EQ(pool.release(handle), Release::released_twice);
  EXPECT_EQ(pool.statistics().released_twice, 1U);
  EXPECT_TRUE(pool.acquire());
  EXPECT_TRUE(pool.acquire());
  EXPECT_FALSE(pool.acquire());
}

TEST(RealtimePool, AStaleHandleCannotTakeTheBlockFromItsNextUser) {
  RealtimePool pool({.block_bytes = 64, .blocks = 1});
  const auto stale = pool.acquire();
  EXPECT_EQ(pool.release(stale), Release::ok);
  const auto fresh = pool.acquire();
  ASSERT_TRUE(fresh);
  EXPECT_EQ(pool.release(stale), Release::released_twice);
  EXPECT_EQ(pool.in_use(), 1U);
  EXPECT_EQ(pool.release(fresh), Release::ok);
}

TEST(RealtimePool, RefusesAShapeThatCannotBe) {
  EXPECT_THROW(RealtimePool({.block_bytes = 0, .blocks = 1}), InvalidArgument);
  EXPECT_THROW(RealtimePool({.block_bytes = 1, .blocks = 0}), InvalidArgument);
  EXPECT_THROW(RealtimePool({.block_bytes = 1, .blocks = (std::size_t{1} << 31) + 1}), InvalidArgument);
  EXPECT_THROW(RealtimePool({.block_bytes = (std::size_t{1} << 31) + 1, .blocks = 1}), InvalidArgument);
}

/// Each thread writes its own number all over a block and looks whether anybody else wrote there.
TEST(RealtimePool, TwoThreadsNeverShareABlockAndLoseNone) {
  constexpr int kRounds = 50'000;
  RealtimePool pool({.block_bytes = 64, .blocks = 3});
  std::atomic<int> shared{0};
  std::atomic<int> refused{0};
  const auto work = [&](std::byte id) {
    for (int round = 0; round < kRounds; ++round) {
      const auto first = pool.acquire();
      const auto second = pool.acquire();
      for (const auto& handle : {first, second}) {
        std::ranges::fill(handle.bytes(), id);
        if (round % 16 == 0) std::this_thread::yield();
        if (!std::ranges::all_of(handle.bytes(), [&](std::byte byte) { return byte == id; })) ++shared;
        if (handle && pool.release(handle) != Release::ok) ++refused;
      }
    }
  };
  std::thread other(work, std::byte{1});
  work(std::byte{2});
  other.join();
  EXPECT_EQ(shared, 0);
  EXPECT_EQ(refused, 0);
  EXPECT_EQ(pool.in_use(), 0U);
  std::set<const std::byte*> places;
  for (int i = 0; i < 3; ++i) places.insert(pool.acquire().bytes().data());
  EXPECT_EQ(places.size(), 3U);
  EXPECT_FALSE(places.contains(nullptr));
}

/// The other thread gives every block back a second time, now before, now after and now while it is on loan
/// again.
TEST(RealtimePool, ALoanEndsOnceHoweverManyThreadsReleaseIt) {
  constexpr std::uint64_t kLoans = 100'000;
  RealtimePool pool({.block_bytes = 64, .blocks = 1});
  std::atomic<std::uint64_t> ended{0};
  std::atomic<bool> stop{false};
  SpscRing<RealtimePool::Handle> lent(64);
  std::thread other([&] {
    RealtimePool::Handle handle;
    while (!stop)
      if (lent.try_pop(handle) && pool.release(handle) == Release::ok) ++ended;
  });
  std::uint64_t loans = 0;
  for (std::uint64_t attempt = 0; attempt < kLoans; ++attempt) {
    const auto handle = pool.acquire();
    if (!handle) continue;
    ++loans;
    (void)lent.try_push(handle);
    if (pool.release(handle) == Release::ok) ++ended;
  }
  stop = true;
  other.join();
  EXPECT_EQ(ended, loans);
  EXPECT_EQ(pool.in_use(), 0U);
  EXPECT_EQ(pool.statistics().foreign_blocks, 0U);
}

}  // namespace
}  // namespace ringwave

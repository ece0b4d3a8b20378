// SPDX-License-Identifier: Apache-2.0
#include "ringwave/stream/broadcast.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <thread>
#include <vector>

#include "ringwave/core/error.hpp"
#include "ringwave/stream/listener.hpp"

namespace ringwave::stream {
namespace {

using Gap = Broadcast::Gap;

Packet packet(int value) {
  return {.sample_time = 960 * value, .bytes = {static_cast<std::byte>(value)}};
}

void publish(Broadcast& broadcast, int first, int count) {
  for (int i = first; i < first + count; ++i) broadcast.publish(packet(i));
}

std::unique_ptr<Listener> listener_of(const std::shared_ptr<Broadcast>& sound, std::size_t behind) {
  return std::make_unique<Listener>(
      Listener::Spec{.sound = sound, .news = std::make_shared<Broadcast>(1), .packets_behind = behind});
}

std::vector<std::uint64_t> take_all(Listener& listener) {
  std::vector<std::uint64_t> sequences;
  std::array<PacketPtr, 3> packets;
  while (const std::size_t count = listener.take(packets))
    for (std::size_t i = 0; i < count; ++i) sequences.push_back(packets[i]->sequence);
  return sequences;
}

TEST(Broadcast, KeepsTheNewestPackets) {
  Broadcast broadcast(4);
  EXPECT_EQ(broadcast.begin(), 0U);
  publish(broadcast, 0, 6);
  EXPECT_EQ(broadcast.begin(), 2U);
  EXPECT_EQ(broadcast.end(), 6U);
  std::array<PacketPtr, 8> packets;
  EXPECT_EQ(broadcast.read(6, packets, Gap::to_newest).count, 0U) << "it is not there yet";
  EXPECT_FALSE(broadcast.has(6));
  EXPECT_TRUE(broadcast.has(5));
  const auto [first, count] = broadcast.read(2, packets, Gap::to_newest);
  EXPECT_EQ(first, 2U);
  ASSERT_EQ(count, 4U);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(packets[i]->sample_time, 960 * (2 + static_cast<int>(i)));
}

TEST(Broadcast, WhoseNextPacketIsGoneGoesOnWhereItIsWished) {
  Broadcast broadcast(4);
  publish(broadcast, 0, 6);
  std::array<PacketPtr, 8> packets;
  const auto oldest = broadcast.read(1, packets, Gap::to_oldest);
  EXPECT_EQ(oldest.first, 2U);
  EXPECT_EQ(oldest.count, 4U);
  const auto newest = broadcast.read(1, packets, Gap::to_newest);
  EXPECT_EQ(newest.first, 5U);
  EXPECT_EQ(newest.count, 1U);
}

TEST(Broadcast, WhereNothingIsKeptAReaderGoesToTheEnd) {
  for (const Gap gap : {Gap::to_oldest, Gap::to_newest}) {
    Broadcast broadcast(4);
    publish(broadcast, 0, 6);
    broadcast.forget();
    EXPECT_FALSE(broadcast.has(1));
    std::array<PacketPtr, 8> packets;
    const auto reading = broadcast.read(1, packets, gap);
    EXPECT_EQ(reading.first, 6U);
    EXPECT_EQ(reading.count, 0U);
  }
}

TEST(Broadcast, ForgetsWhatAStationPlayedBeforeItStopped) {
  Broadcast broadcast(4);
  publish(broadcast, 0, 3);
  broadcast.forget();
  EXPECT_EQ(broadcast.begin(), broadcast.end());
  publish(broadcast, 3, 1);
  EXPECT_EQ(broadcast.begin(), 3U) << "the sequence goes on";
}

TEST(Broadcast, RefusesToKeepNothing) {
  EXPECT_THROW(Broadcast(0), InvalidArgument);
}

TEST(Listener, BeginsBehindTheNewestAsFarAsThereIsSomething) {
  const auto sound = std::make_shared<Broadcast>(4);
  EXPECT_EQ(take_all(*listener_of(sound, 2)), (std::vector<std::uint64_t>{}));
  publish(*sound, 0, 3);
  EXPECT_EQ(take_all(*listener_of(sound, 0)), (std::vector<std::uint64_t>{}));
  EXPECT_EQ(take_all(*listener_of(sound, 2)), (std::vector<std::uint64_t>{1, 2}));
  EXPECT_EQ(take_all(*listener_of(sound, 99)), (std::vector<std::uint64_t>{0, 1, 2}));
}

TEST(Listener, HearsEverythingOnceInOrder) {
  const auto sound = std::make_shared<Broadcast>(4);
  const auto listener = listener_of(sound, 0);
  publish(*sound, 0, 2);
  EXPECT_TRUE(listener->has_packets());
  EXPECT_EQ(take_all(*listener), (std::vector<std::uint64_t>{0, 1}));
  EXPECT_FALSE(listener->has_packets());
  publish(*sound, 2, 4);
  EXPECT_EQ(take_all(*listener), (std::vector<std::uint64_t>{2, 3, 4, 5}));
  EXPECT_EQ(listener->skipped(), 0U);
  EXPECT_EQ(listener->taken(), 6U);
}

TEST(Listener, WhoIsTooSlowGoesOnWithTheNewestAndTheGapIsCounted) {
  const auto sound = std::make_shared<Broadcast>(4);
  const auto slow = listener_of(sound, 0);
  const auto good = listener_of(sound, 0);
  for (int i = 0; i < 10; ++i) {
    publish(*sound, i, 1);
    EXPECT_EQ(take_all(*good).size(), 1U);
  }
  EXPECT_EQ(take_all(*slow), (std::vector<std::uint64_t>{9}));
  EXPECT_EQ(slow->skipped(), 9U);
  EXPECT_EQ(good->skipped(), 0U);
}

TEST(Listener, WhoIsBehindWhenTheStationStopsHasNothingToTakeAndTheGapIsCounted) {
  const auto sound = std::make_shared<Broadcast>(4);
  const auto listener = listener_of(sound, 0);
  publish(*sound, 0, 3);
  sound->forget();
  EXPECT_FALSE(listener->has_packets());
  EXPECT_EQ(take_all(*listener), (std::vector<std::uint64_t>{}));
  EXPECT_EQ(listener->skipped(), 3U);
  publish(*sound, 3, 2);
  EXPECT_TRUE(listener->has_packets());
  EXPECT_EQ(take_all(*listener), (std::vector<std::uint64_t>{3, 4})) << "the station plays again";
  EXPECT_EQ(listener->skipped(), 3U);
}

TEST(Listener, NewsThatCameTooFastAreHeardFromTheOldestOn) {
  const auto news = std::make_shared<Broadcast>(2);
  Listener listener({.sound = std::make_shared<Broadcast>(1), .news = news});
  publish(*news, 0, 5);
  EXPECT_TRUE(listener.has_news());
  std::array<PacketPtr, 4> taken;
  ASSERT_EQ(listener.take_news(taken), 2U);
  EXPECT_EQ(taken[0]->sequence, 3U);
  EXPECT_FALSE(listener.has_news());
}

TEST(Listener, LeavesOnce) {
  int left = 0;
  {
    const Listener listener({.sound = std::make_shared<Broadcast>(1),
                             .news = std::make_shared<Broadcast>(1),
                             .leave = [&left](const Listener&) { ++left; }});
    EXPECT_EQ(left, 0);
  }
  EXPECT_EQ(left, 1);
}

TEST(Listener, ManyThreadsHearTheSameWhileItIsPublished) {
  constexpr int kPackets = 20000;
  const auto sound = std::make_shared<Broadcast>(64);
  std::atomic<int> ready{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i)
    threads.emplace_back([&] {
      const auto listener = listener_of(sound, 0);
      ++ready;
      std::uint64_t heard = 0;
      while (heard + listener->skipped() < kPackets) heard += take_all(*listener).size();
      EXPECT_EQ(heard, listener->taken());
    });
  while (ready < 3) std::this_thread::yield();
  publish(*sound, 0, kPackets);
  for (std::thread& thread : threads) thread.join();
}

/// A station that plays, stops and plays again while others listen, each as fast or as slow as it likes.
TEST(Listener, TakesWhereItHasPacketsThoughTheStationStopsAtAnyMoment) {
  constexpr int kPackets = 20000;
  const auto sound = std::make_shared<Broadcast>(8);
  std::atomic<int> ready{0};
  std::atomic<bool> is_over{false};
  std::vector<std::thread> threads;
  for (int pause = 0; pause < 3; ++pause)
    threads.emplace_back([&, pause] {
      const auto listener = listener_of(sound, 0);
      ++ready;
      std::uint64_t next = 0;
      std::array<PacketPtr, 3> packets;
      while (!is_over || listener->has_packets()) {
        const std::size_t count = listener->take(packets);
        for (std::size_t i = 0; i < count; ++i) {
          EXPECT_GE(packets[i]->sequence, next);
          next = packets[i]->sequence + 1;
        }
        EXPECT_EQ(next, count == 0 ? next : listener->taken() + listener->skipped());
        for (int i = 0; i < pause; ++i) std::this_thread::yield();
      }
      (void)listener->take(packets);
      EXPECT_EQ(listener->taken() + listener->skipped(), static_cast<std::uint64_t>(kPackets));
    });
  while (ready < 3) std::this_thread::yield();
  for (int i = 0; i < kPackets; ++i) {
    publish(*sound, i, 1);
    if (i % 7 == 0) sound->forget();
  }
  is_over = true;
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace ringwave::stream

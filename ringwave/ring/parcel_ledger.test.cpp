// SPDX-License-Identifier: Apache-2.0
#include "ringwave/ring/parcel_ledger.hpp"

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

namespace ringwave::ring {
namespace {

constexpr std::size_t kCapacity = 16;

class ParcelLedgerTest : public testing::Test {
 protected:
  ~ParcelLedgerTest() override {
    ledger_.reset();
    for (ParcelBlock* block : blocks_) block->release(ParcelBlock::kHandle);
    bin_->close();
  }

  ParcelBlock& block() {
    blocks_.push_back(new ParcelBlock(bin_, nullptr, {}, true));
    return *blocks_.back();
  }
  void hold(std::size_t band, std::uint64_t index, ParcelBlock& block) {
    block.hold(ParcelBlock::kMessage);
    ledger_->hold(band, index, &block);
  }

  std::shared_ptr<ParcelBin> bin_ = std::make_shared<ParcelBin>();
  std::vector<ParcelBlock*> blocks_;
  std::optional<ParcelLedger> ledger_{std::in_place, kCapacity};
};

TEST_F(ParcelLedgerTest, LetsGoOfWhatIsSettled) {
  ParcelBlock& one = block();
  for (const std::uint64_t index : {0U, 2U, 3U}) hold(1, index, one);
  hold(2, 0, one);
  ledger_->sweep(1, 0);
  EXPECT_EQ(one.messages(), 4U);
  ledger_->sweep(1, 3);
  EXPECT_EQ(one.messages(), 2U) << "the last of the band waits, and another band";
  ledger_->sweep(1, 3);
  EXPECT_EQ(one.messages(), 2U);
  ledger_->release_below(1, 4);
  EXPECT_EQ(one.messages(), 1U);
}

TEST_F(ParcelLedgerTest, ASlotLetsGoOfItsLastMessage) {
  ParcelBlock& one = block();
  ParcelBlock& other = block();
  hold(0, 5, one);
  hold(0, 5 + kCapacity, other);
  EXPECT_EQ(one.messages(), 0U);
  ledger_->sweep(0, 6);
  EXPECT_EQ(other.messages(), 1U) << "it is not settled";
  ledger_->sweep(0, 6 + kCapacity);
  EXPECT_EQ(other.messages(), 0U);
}

TEST_F(ParcelLedgerTest, ASweepMayComeAfterManyLaps) {
  ParcelBlock& one = block();
  std::uint64_t index = 0;
  for (int lap = 0; lap < 5; ++lap)
    for (std::size_t slot = 0; slot < kCapacity; ++slot) hold(3, index++, one);
  EXPECT_EQ(one.messages(), kCapacity);
  ledger_->sweep(3, index);
  EXPECT_EQ(one.messages(), 0U);
}

TEST_F(ParcelLedgerTest, WhoeverIsALapLateHoldsNothing) {
  ParcelBlock& one = block();
  ParcelBlock& late = block();
  hold(0, 5 + kCapacity, one);
  hold(0, 5, late);
  EXPECT_EQ(late.messages(), 0U);
  EXPECT_EQ(one.messages(), 1U);
}

TEST_F(ParcelLedgerTest, AWordThatComesAfterTheSweepIsFoundInTheEnd) {
  ParcelBlock& one = block();
  ledger_->sweep(0, 10);
  hold(0, 5, one);
  ledger_->sweep(0, 11);
  EXPECT_EQ(one.messages(), 1U);
  ledger_->release_below(0, 11);
  EXPECT_EQ(one.messages(), 0U);
}

TEST_F(ParcelLedgerTest, GoesWithAllThatItHolds) {
  ParcelBlock& one = block();
  for (std::size_t band = 0; band < kBands; ++band) hold(band, 1000 + band, one);
  ledger_.reset();
  EXPECT_EQ(one.messages(), 0U);
}

TEST_F(ParcelLedgerTest, SendersAndSweepersLetGoOnce) {
  constexpr std::uint64_t kEach = 20'000;
  std::array<ParcelBlock*, 2> mine{&block(), &block()};
  std::atomic<std::uint64_t> tail{0};
  std::atomic<std::uint64_t> settled{0};
  std::array<std::atomic<std::uint64_t>, kCapacity> written{};
  std::vector<std::thread> threads;
  threads.reserve(mine.size() + 1);
  for (ParcelBlock* const one : mine)
    threads.emplace_back([&, one] {
      for (std::uint64_t sent = 0; sent < kEach; ++sent) {
        std::uint64_t index = tail.load();
        while (index >= settled.load() + kCapacity || !tail.compare_exchange_weak(index, index + 1)) {
          std::this_thread::yield();
          index = tail.load();
        }
        hold(0, index, *one);
        EXPECT_GT(one->messages(), 0U) << "its own is not settled";
        written[index % kCapacity].store(index + 1);
      }
    });
  threads.emplace_back([&] {  // the kernel
    for (std::uint64_t index = 0; index < 2 * kEach; ++index) {
      while (written[index % kCapacity].load() != index + 1) std::this_thread::yield();
      settled.store(index + 1);
    }
  });
  while (settled.load() < 2 * kEach) ledger_->sweep(0, settled.load());
  for (std::thread& thread : threads) thread.join();
  ledger_->sweep(0, settled.load());
  for (const ParcelBlock* const one : mine) EXPECT_EQ(one->messages(), 0U);
}

}  // namespace
}  // namespace ringwave::ring

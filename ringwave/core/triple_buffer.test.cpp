// SPDX-License-Identifier: Apache-2.0
#include "ringwave/core/triple_buffer.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <thread>

namespace ringwave {
namespace {

TEST(TripleBuffer, StartsWithTheInitialValueAndNothingNew) {
  TripleBuffer<int> buffer(7);
  EXPECT_FALSE(buffer.update());
  EXPECT_EQ(buffer.read_slot(), 7);
}

TEST(TripleBuffer, GivesTheNewestOfSeveralValuesOnce) {
  TripleBuffer<int> buffer(0);
  for (int value = 1; value <= 5; ++value) {
    buffer.write_slot() = value;
    buffer.publish();
  }
  EXPECT_TRUE(buffer.update());
  EXPECT_EQ(buffer.read_slot(), 5);
  EXPECT_FALSE(buffer.update());
  EXPECT_EQ(buffer.read_slot(), 5);
}

TEST(TripleBuffer, AValueThatIsNotPublishedIsNotSeen) {
  TripleBuffer<int> buffer(1);
  buffer.write_slot() = 2;
  EXPECT_FALSE(buffer.update());
  EXPECT_EQ(buffer.read_slot(), 1);
  buffer.publish();
  buffer.write_slot() = 3;
  EXPECT_TRUE(buffer.update());
  EXPECT_EQ(buffer.read_slot(), 2);
}

TEST(TripleBuffer, TheWriterNeverGetsTheSlotThatIsRead) {
  TripleBuffer<int> buffer(0);
  for (int value = 1; value <= 20; ++value) {
    buffer.write_slot() = value;
    buffer.publish();
    EXPECT_NE(&buffer.write_slot(), &buffer.read_slot());
    if (value % 3 == 0) {
      EXPECT_TRUE(buffer.update());
    }
    EXPECT_NE(&buffer.write_slot(), &buffer.read_slot());
  }
}

TEST(TripleBuffer, AReaderOnAnotherThreadSeesWholeValuesThatOnlyGetNewer) {
  using Value = std::array<std::uint64_t, 32>;
  constexpr std::uint64_t kValues = 50'000;
  TripleBuffer<Value> buffer;
  std::thread writer([&] {
    for (std::uint64_t value = 1; value <= kValues; ++value) {
      buffer.write_slot().fill(value);
      buffer.publish();
      if (value % 64 == 0) std::this_thread::yield();
    }
  });
  std::uint64_t last = 0;
  int torn = 0;
  int older = 0;
  while (last != kValues) {
    if (!buffer.update()) {
      std::this_thread::yield();
      continue;
    }
    const Value& value = buffer.read_slot();
    for (const std::uint64_t element : value) torn += element != value.front() ? 1 : 0;
    older += value.front() <= last ? 1 : 0;
    last = value.front();
  }
  writer.join();
  EXPECT_EQ(torn, 0);
  EXPECT_EQ(older, 0);
}

}  // namespace
}  // namespace ringwave

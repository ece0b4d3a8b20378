// SPDX-License-Identifier: Apache-2.0
#include "ringwave/backend/trial_memory.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>

#include "ringwave/core/error.hpp"

namespace ringwave::backend {
namespace {

TEST(TrialMemory, HoldsZerosFromAHugePagesEdgeOn) {
  for (const std::size_t samples : {std::size_t{1}, std::size_t{524'288}, std::size_t{524'289}}) {
    const TrialMemory memory(samples);
    ASSERT_EQ(memory.samples().size(), samples);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory.samples().data()) % (std::size_t{2} << 20), 0U);
    EXPECT_TRUE(std::all_of(memory.samples().begin(), memory.samples().end(),
                            [](float sample) { return sample == 0.0F; }));
    std::fill(memory.samples().begin(), memory.samples().end(), 1.0F);  // all of it is there
  }
}

TEST(TrialMemory, RefusesWhatTheSystemDoesNotHave) {
  EXPECT_THROW(TrialMemory(std::size_t{1} << 59), OutOfMemory);
}

}  // namespace
}  // namespace ringwave::backend

// SPDX-License-Identifier: Apache-2.0
#include "ringwave/core/realtime.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace ringwave {
namespace {

#if defined(__SSE2__)
TEST(FlushSubnormals, SubnormalsAreZeroInItsScopeAndOnlyThere) {
  volatile float tiny = std::numeric_limits<float>::denorm_min();
  volatile float normal = std::numeric_limits<float>::min();
  EXPECT_NE(tiny * 2.0F, 0.0F);
  {
    const FlushSubnormals flush;
    EXPECT_EQ(tiny * 2.0F, 0.0F);    // a subnormal that comes in
    EXPECT_EQ(normal * 0.5F, 0.0F);  // one that would come out
    { const FlushSubnormals inner; }
    EXPECT_EQ(normal * 0.5F, 0.0F);
  }
  EXPECT_NE(normal * 0.5F, 0.0F);
}
#endif

}  // namespace
}  // namespace ringwave

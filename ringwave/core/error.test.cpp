// SPDX-License-Identifier: Apache-2.0
#include "ringwave/core/error.hpp"

#include <gtest/gtest.h>

#include <type_traits>

namespace ringwave {
namespace {

template <class Kind>
class ErrorKinds : public testing::Test {};
using Kinds = testing::Types<InvalidArgument, InvalidState, DeviceUnavailable, DeviceLost, OutOfMemory,
                             BadFile, Interrupted>;
TYPED_TEST_SUITE(ErrorKinds, Kinds);

TYPED_TEST(ErrorKinds, IsCaughtAsErrorAndKeepsItsSentence) {
  try {
    throw TypeParam("what was asked, what was found, what to do");
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "what was asked, what was found, what to do");
    EXPECT_NE(dynamic_cast<const TypeParam*>(&error), nullptr);
  }
}

TYPED_TEST(ErrorKinds, IsNotMistakenForAnotherKind) {
  const TypeParam error("");
  const Error* base = &error;
  const int kinds = (dynamic_cast<const InvalidArgument*>(base) != nullptr ? 1 : 0) +
                    (dynamic_cast<const InvalidState*>(base) != nullptr ? 1 : 0) +
                    (dynamic_cast<const DeviceUnavailable*>(base) != nullptr ? 1 : 0) +
                    (dynamic_cast<const DeviceLost*>(base) != nullptr ? 1 : 0) +
                    (dynamic_cast<const OutOfMemory*>(base) != nullptr ? 1 : 0) +
                    (dynamic_cast<const BadFile*>(base) != nullptr ? 1 : 0) +
                    (dynamic_cast<const Interrupted*>(base) != nullptr ? 1 : 0);
  EXPECT_EQ(kinds, 1);
}

}  // namespace
}  // namespace ringwave

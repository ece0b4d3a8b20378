// SPDX-License-Identifier: Apache-2.0
#include "apps/server/rights.hpp"

#include <gtest/gtest.h>

#include "ringwave/core/sha256.hpp"
#include "ringwave/stream/refusal.hpp"

namespace ringwave::server {
namespace {

TEST(Rights, AreThoseOfWhoKnowsTheSecret) {
  Rights rights;
  EXPECT_FALSE(rights.owns(sha256_hex("one")));
  rights.show("one");
  EXPECT_TRUE(rights.owns(sha256_hex("one")));
  EXPECT_FALSE(rights.owns(sha256_hex("two")));
  EXPECT_FALSE(rights.owns("one")) << "the hash that is kept is not the secret";
  EXPECT_THROW(rights.require_to_own(sha256_hex("two"), "station a"), stream::Refusal);
}

TEST(Rights, OverWhatIsNobodysAreAnAdministratorsAlone) {
  Rights rights;
  rights.show("");
  rights.show("x");
  EXPECT_FALSE(rights.owns(""));
  EXPECT_FALSE(rights.owns(sha256_hex("")));
  rights.is_administrator = true;
  EXPECT_TRUE(rights.owns(""));
  EXPECT_TRUE(rights.owns(sha256_hex("anything")));
}

TEST(Rights, RememberAFewSecretsAlone) {
  Rights rights;
  for (int i = 0; i < 100; ++i) rights.show("secret " + std::to_string(i));
  EXPECT_TRUE(rights.owns(sha256_hex("secret 99")));
  EXPECT_TRUE(rights.owns(sha256_hex("secret 98")));
  EXPECT_FALSE(rights.owns(sha256_hex("secret 0")));
}

TEST(Rights, SecretsAreLongAndDiffer) {
  EXPECT_EQ(make_secret().size(), 32U);
  EXPECT_NE(make_secret(), make_secret());
}

TEST(Rights, CompareSecretsToTheLastLetter) {
  EXPECT_TRUE(is_same_secret("0123456789abcdef", "0123456789abcdef"));
  EXPECT_FALSE(is_same_secret("0123456789abcdef", "0123456789abcdeg"));
  EXPECT_FALSE(is_same_secret("abab", "ab"));
  EXPECT_FALSE(is_same_secret("ab", "abab"));
  EXPECT_FALSE(is_same_secret("ab", ""));
  EXPECT_FALSE(is_same_secret("", "a"));
}

}  // namespace
}  // namespace ringwave::server

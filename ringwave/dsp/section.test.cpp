// SPDX-License-Identifier: Apache-2.0
#include "ringwave/dsp/section.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "ringwave/core/error.hpp"

namespace ringwave::dsp {
namespace {

using testing::AllOf;
using testing::HasSubstr;

/// A section with poles at r e^(±iw).
Section with_poles(double radius, double angle) {
  return {1, 0, 0, -2 * radius * std::cos(angle), radius * radius};
}

/// What require_stable() says; empty where it is content.
std::string complaint(const std::vector<Section>& sections) {
  try {
    require_stable(sections);
    return {};
  } catch (const InvalidArgument& error) {
    return error.what();
  }
}

TEST(Section, KnowsItsPoleRadius) {
  EXPECT_NEAR(pole_radius(with_poles(0.9, 1.0)), 0.9, 1e-15);
  EXPECT_NEAR(pole_radius(with_poles(1.5, 3.0)), 1.5, 1e-15);
  EXPECT_NEAR(pole_radius({1, 0, 0, -0.7, 0.1}), 0.5, 1e-15) << "real poles at 0.5 and 0.2";
  EXPECT_NEAR(pole_radius({1, 0, 0, 0.7, 0.1}), 0.5, 1e-15) << "and at -0.5 and -0.2";
  EXPECT_NEAR(pole_radius({1, 0, 0, -0.3, 0}), 0.3, 1e-15) << "a first-order section";
  EXPECT_EQ(pole_radius({}), 0.0);
}

TEST(Section, StableOnesPass) {
  EXPECT_EQ(complaint({{}, with_poles(0.999999, 0.001), {1, 0, 0, 0.999, 0}}), "");
}

TEST(Section, IsStableSaysWhatRequireStableDoes) {
  EXPECT_TRUE(is_stable(with_poles(0.999999, 0.001)));
  EXPECT_FALSE(is_stable(with_poles(1.0, 0.5)));
  EXPECT_FALSE(is_stable({std::numeric_limits<double>::quiet_NaN(), 0, 0, 0, 0}));
}

TEST(Section, AnUnstableOneIsNamedWithItsPole) {
  EXPECT_THAT(complaint({{}, {}, with_poles(1.25, 0.5)}), AllOf(HasSubstr("section 2"), HasSubstr("1.25")));
  EXPECT_THAT(complaint({{1, 0, 0, -2.5, 1}}), AllOf(HasSubstr("section 0"), HasSubstr("2.0")));
}

TEST(Section, APoleOnTheCircleIsNotInside) {
  EXPECT_THAT(complaint({with_poles(1.0, 0.5)}), HasSubstr("section 0"));
  EXPECT_THAT(complaint({{1, 0, 0, -1, 0}}), HasSubstr("section 0")) << "an integrator";
}

TEST(Section, ACoefficientThatIsNoNumberIsNamed) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_THAT(complaint({{}, {nan, 0, 0, 0, 0}}), AllOf(HasSubstr("section 1"), HasSubstr("not finite")));
  EXPECT_THAT(complaint({{1, 0, -infinity, 0, 0}}), HasSubstr("not finite"));
  EXPECT_THAT(complaint({{1, 0, 0, 0, nan}}), HasSubstr("not finite"));
  // Finite, but too large for the formula of its poles.
  EXPECT_THAT(complaint({{1, 0, 0, 1e200, 1e308}}), HasSubstr("section 0"));
}

}  // namespace
}  // namespace ringwave::dsp

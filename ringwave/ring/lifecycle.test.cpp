// SPDX-License-Identifier: Apache-2.0
#include "ringwave/ring/lifecycle.hpp"

#include <gtest/gtest.h>

#include <set>
#include <utility>

namespace ringwave::ring {
namespace {

constexpr State kAll[] = {State::created,     State::launched,   State::active, State::paused,
                          State::terminating, State::terminated, State::failed};

TEST(Lifecycle, AllowsTheseStepsAndNoOthers) {
  using enum State;
  const std::set<std::pair<State, State>> legal{
      {created, launched},   {failed, launched},     {launched, active},        {paused, active},
      {active, paused},      {created, terminating}, {launched, terminating},   {active, terminating},
      {paused, terminating}, {failed, terminating},  {terminating, terminated}, {launched, failed},
      {active, failed},      {paused, failed},       {terminating, failed},
  };
  for (const State from : kAll)
    for (const State to : kAll)
      EXPECT_EQ(is_legal(from, to), legal.contains({from, to})) << to_string(from) << " to " << to_string(to);
}

TEST(Lifecycle, AWrongStepNamesTheKernelAndBothStates) {
  try {
    require_legal("filter", State::terminated, State::active);
    FAIL() << "the dead do not walk";
  } catch (const InvalidState& error) {
    const std::string text = error.what();
    for (const char* word : {"filter", "terminated", "active"})
      EXPECT_NE(text.find(word), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace ringwave::ring

// SPDX-License-Identifier: Apache-2.0
#include "ringwave/ring/handlers.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>

#include "ringwave/core/error.hpp"
#include "ringwave/ring/echo.hpp"

namespace ringwave::ring {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

struct alignas(64) Counter {
  std::int64_t next = 7;
  void on_message(Context& context, const Message& /*message*/) { context.reply(next++); }
};

/// As if nvcc had compiled it.
HandlerEntry with_cuda(HandlerEntry entry) {
  entry.cuda.launch = [](const ResidentArguments&, int, void*) { return 0; };
  return entry;
}

TEST(Handlers, AreFoundByTheirNames) {
  Handlers handlers;
  handlers.add(handler<Counter>("counter"));
  handlers.add(handler<Echo>("echo"));
  const HandlerEntry found = handlers.find("counter");
  EXPECT_EQ(found.name, "counter");
  EXPECT_EQ(found.state_bytes, sizeof(Counter));
  EXPECT_EQ(found.state_alignment, 64U);
  EXPECT_EQ(handlers.all().size(), 2U);
  EXPECT_THAT([&] { (void)handlers.find("nobody"); },
              ThrowsMessage<InvalidArgument>(AllOf(HasSubstr("nobody"), HasSubstr("counter, echo"))));
}

TEST(Handlers, BeginAsTheirDefault) {
  const HandlerEntry entry = handler<Counter>("counter");
  ASSERT_EQ(entry.initial().size(), sizeof(Counter));
  Counter counter{.next = 0};
  std::memcpy(&counter, entry.initial().data(), sizeof counter);
  EXPECT_EQ(counter.next, 7);
}

TEST(Handlers, ATakenNameIsRefused) {
  Handlers handlers;
  EXPECT_THROW(handlers.add(handler<Counter>("")), InvalidArgument);
  handlers.add(handler<Counter>("counter"));
  EXPECT_THROW(handlers.add(handler<Counter>("counter")), InvalidArgument) << "of the same size";
  EXPECT_THROW(handlers.add(handler<Echo>("counter")), InvalidArgument);
  EXPECT_THROW(handlers.add(with_cuda(handler<Echo>("counter"))), InvalidArgument) << "another's CUDA part";
}

TEST(Handlers, TwoCompilersMakeOneHandler) {
  Handlers handlers;
  handlers.add(handler<Counter>("here first"));
  handlers.add(with_cuda(handler<Counter>("here first")));
  EXPECT_NE(handlers.find("here first").cuda.launch, nullptr);
  EXPECT_THROW(handlers.add(with_cuda(handler<Counter>("here first"))), InvalidArgument);

  handlers.add(with_cuda(handler<Counter>("there first")));
  handlers.add(handler<Counter>("there first"));
  EXPECT_NE(handlers.find("there first").cuda.launch, nullptr);
  EXPECT_EQ(handlers.all().size(), 2U);
}

}  // namespace
}  // namespace ringwave::ring

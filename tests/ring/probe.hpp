// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#if !defined(__CUDA_ARCH__)
#include <stdexcept>
#endif

#include "ringwave/ring/context.hpp"
#include "ringwave/ring/message.hpp"

namespace ringwave::ring {

/// A handler that does what the message's type asks for, to try a host with.
struct Probe {
  static constexpr const char* kName = "probe";

  enum Type : std::uint32_t {
    kEcho,          // replies with the payload
    kAdd,           // adds the payload, an int64, to the sum and replies with it
    kTell,          // emits the payload
    kFail,          // fails with the argument
    kOverrun,       // writes behind its reply
    kUntilStopped,  // returns when the kernel is to end
    kSilent,        // does not reply
    kUnknown,       // refuses
    kTwice,         // replies twice and emits what became of the second
    kForward,       // hands the request on to the first target, as kEcho
    kSend,          // sends kTell to the kernel whose number is the argument; replies with what became of it
    kThrow,         // on the CPU
    kEmitMany,      // emits as many messages as the argument says; replies with how many went
    kDouble,        // replies with twice the floats, by all lanes
    kNap,           // handles for as many microseconds as the argument says; replies with the payload
    kFan,           // sends the payload as kTell to every target, with its own priority
    kNote,          // emits the payload and, if that went, replies with it
    kCount,         // replies with how many lanes there are, as their blocks have counted them, twice
    kShare,         // all lanes reckon with what the first one has; replies with the result
    kFailOne,       // the last lane fails with the argument
    kRefuseOne,     // the last lane refuses
    kOverrunOne,    // the last lane reads behind the payload
    kSum,           // replies with the sum of the payload's int64, which all lanes add up
    kRelay,         // hands the request on to the first target, as kForward
    kPass,          // hands the request on to the kernel whose number is the argument, as kNote
  };

  static constexpr int kMostBlocks = 16;

  std::int64_t sum = 0;
  std::int64_t counts[kMostBlocks]{};
  std::int64_t total = 0;

  RW_HOST_DEVICE void on_message(Context& context, const Message& message) {
    switch (message.type()) {
      case kEcho:
        context.reply(message.data(), message.bytes());
        break;
      case kAdd: {
        const std::int64_t value = message.view<std::int64_t>()[0];
        context.sync();  // all lanes have read it; then all lanes write the same
        const std::int64_t next = sum + value;
        context.sync();
        if (context.lane() == 0) sum = next;
        context.sync();
        context.reply(next);
        break;
      }
      case kTell:
        context.emit(message.argument(), message.data(), message.bytes());
        break;
      case kFail:
        context.fail(message.argument());
        break;
      case kOverrun: {
        auto view = context.reply_view<std::int32_t>(4);
        view[4] = 1;
        break;
      }
      case kUntilStopped:
        while (!context.stopping()) {
        }
        break;
      case kTwice: {
        context.reply(message.data(), message.bytes());
        const auto second = static_cast<std::uint32_t>(context.reply(message.data(), message.bytes()));
        context.emit(second, nullptr, 0);
        break;
      }
      case kForward:
        context.forward(context.target(0), kEcho, message.data(), message.bytes());
        break;
      case kRelay:
        context.forward(context.target(0), kForward, message.data(), message.bytes());
        break;
      case kPass:
        context.forward(static_cast<std::uint16_t>(message.argument()), kNote, message.data(),
                        message.bytes());
        break;
      case kSend:
        context.reply(static_cast<std::uint32_t>(context.send(static_cast<std::uint16_t>(message.argument()),
                                                              kTell, message.data(), message.bytes())));
        break;
      case kThrow:
#if !defined(__CUDA_ARCH__)
        throw std::runtime_error("as it was told to");
#endif
        break;
      case kEmitMany: {
        std::uint32_t sent = 0;
        for (std::uint32_t i = 0; i < message.argument(); ++i)
          sent += context.emit(i, &i, sizeof i) == Delivery::ok ? 1U : 0U;
        context.reply(sent);
        break;
      }
      case kDouble: {
        auto in = message.view<float>();
        auto out = context.reply_view<float>(in.size());
        for (auto i = static_cast<std::size_t>(context.lane()); i < out.size();
             i += static_cast<std::size_t>(context.lanes()))
          out[i] = 2 * in[i];
        context.send_reply();
        break;
      }
      case kNap: {
        const std::int64_t end = context.now_ns() + std::int64_t{1000} * message.argument();
        while (context.now_ns() < end) {
        }
        context.reply(message.data(), message.bytes());
        break;
      }
      case kFan:
        for (int i = 0; i < context.targets(); ++i)
          context.send(context.target(i), kTell, message.data(), message.bytes(), message.priority());
        break;
      case kNote:
        if (context.emit(0, message.data(), message.bytes()) == Delivery::ok)
          context.reply(message.data(), message.bytes());
        break;
      case kCount: {
        auto times = message.view<std::int64_t>();
        const std::int64_t turn = times[0];
        std::int64_t found = 0;
        for (int i = 0; i < 2; ++i) {
          if (context.block_lane() == 0) counts[context.block()] = turn + i + context.block_lanes();
          context.sync();
          found = 0;
          for (int block = 0; block < context.blocks(); ++block) found += counts[block] - turn - i;
          context.sync();
        }
        context.reply(found == context.lanes() ? found : -1);
        break;
      }
      case kShare: {
        std::int64_t value = message.view<std::int64_t>()[0];
        for (std::int64_t i = 0; i < 4; ++i) {
          const std::int64_t first = context.from_first(value + context.lane());
          if (first != value) context.fail(1);
          value = 3 * first + i;
        }
        context.reply(value);
        break;
      }
      case kFailOne:
        if (is_last(context)) context.fail(message.argument());
        break;
      case kRefuseOne:
        if (is_last(context)) context.refuse();
        break;
      case kOverrunOne: {
        auto view = message.view<std::int64_t>();
        if (is_last(context) && view[view.size()] != 0) context.fail(0);
        break;
      }
      case kSum: {
        auto values = message.view<std::int64_t>();
        std::int64_t mine = 0;
        for (auto i = static_cast<std::size_t>(context.lane()); i < values.size();
             i += static_cast<std::size_t>(context.lanes()))
          mine += values[i];
        if (context.lane() == 0) total = 0;
        context.sync();
        add_to_total(mine);
        context.sync();
        const std::int64_t all = const_cast<const volatile std::int64_t&>(total);
        context.reply(all);
        break;
      }
      case kSilent:
        break;
      default:
        context.refuse();
    }
  }

 private:
  [[nodiscard]] RW_HOST_DEVICE static bool is_last(const Context& context) {
    return context.lane() == context.lanes() - 1;
  }

  RW_HOST_DEVICE void add_to_total(std::int64_t value) {
#if defined(__CUDA_ARCH__)
    atomicAdd(reinterpret_cast<unsigned long long*>(&total), static_cast<unsigned long long>(value));
#else
    total += value;
#endif
  }
};

/// Makes it known. [setup]
void register_probe();

}  // namespace ringwave::ring

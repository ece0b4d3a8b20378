// SPDX-License-Identifier: Apache-2.0
// Three ring kernels in a row: a gain, a one-pole low-pass and a meter. A block goes in at the first, each
// hands it on to the next, and the last answers whoever sent it. Between two blocks nothing is launched.
#include <cmath>
#include <cstdio>
#include <vector>

#include "ringwave/ring/handlers.hpp"
#include "ringwave/ring/runtime.hpp"

using namespace ringwave;

constexpr int kFrames = 128;
struct Block {
  float samples[kFrames];
};

struct Gain {
  float factor = 0.5F;

  RW_HOST_DEVICE void on_message(ring::Context& context, const ring::Message& message) {
    Block block = message.view<Block>()[0];
    for (float& sample : block.samples) sample *= factor;
    context.forward(context.target(0), 0, &block, sizeof block);
  }
};

struct LowPass {
  float coefficient = 0.25F;
  float last = 0;

  RW_HOST_DEVICE void on_message(ring::Context& context, const ring::Message& message) {
    Block block = message.view<Block>()[0];
    float y = last;
    for (float& sample : block.samples) sample = y += coefficient * (sample - y);
    context.sync();  // all lanes have read where it was
    if (context.lane() == 0) last = y;
    context.forward(context.target(0), 0, &block, sizeof block);
  }
};

struct Meter {
  RW_HOST_DEVICE void on_message(ring::Context& context, const ring::Message& message) {
    const Block block = message.view<Block>()[0];
    float peak = 0;
    for (const float sample : block.samples) peak = sample > peak ? sample : -sample > peak ? -sample : peak;
    context.reply(peak);
  }
};

int main() {
  auto& handlers = ring::Handlers::instance();
  handlers.add(ring::handler<Gain>("example gain"));
  handlers.add(ring::handler<LowPass>("example low-pass"));
  handlers.add(ring::handler<Meter>("example meter"));

  ring::Runtime runtime;
  const auto make = [&](const char* handler) {
    return runtime.create({.handler = handler, .inbox_capacity = 64, .max_payload_bytes = sizeof(Block)});
  };
  const ring::Kernel gain = make("example gain");
  const ring::Kernel low_pass = make("example low-pass");
  const ring::Kernel meter = make("example meter");
  gain.connect(low_pass);
  low_pass.connect(meter);
  for (const ring::Kernel& kernel : {gain, low_pass, meter}) {
    kernel.launch();
    kernel.activate();
  }

  // A step of 1 comes out as a curve that approaches 0.5.
  Block step{};
  for (float& sample : step.samples) sample = 1;
  ring::Letter reply;
  for (int i = 0; i < 3; ++i) {
    if (gain.request(ring::Outgoing::of(0, step), reply) != ring::Delivery::ok) return 1;
    std::printf("%s: block %d peaks at %.6f\n", gain.device().c_str(), i,
                static_cast<double>(reply.as<float>()));
  }
  return std::abs(reply.as<float>() - 0.5F) < 1e-6F ? 0 : 1;
}

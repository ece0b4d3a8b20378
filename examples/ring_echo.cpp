// SPDX-License-Identifier: Apache-2.0
// A ring kernel: code that stays where it runs and is spoken to by messages. It counts how often it was
// asked, and answers. The same source runs on a thread and, compiled by nvcc, on a GPU.
#include <chrono>
#include <cstdio>

#include "ringwave/ring/handlers.hpp"
#include "ringwave/ring/runtime.hpp"

using namespace ringwave;

struct Question {
  float value;
};
struct Answer {
  float squared;
  int asked;
};

/// The handler is the kernel's state: it lives as long as the kernel does.
struct Squarer {
  int asked = 0;

  RW_HOST_DEVICE void on_message(ring::Context& context, const ring::Message& message) {
    const float value = message.view<Question>()[0].value;
    const Answer answer{value * value, asked + 1};
    context.sync();                    // on a GPU all lanes have read the count,
    if (context.lane() == 0) ++asked;  // and one of them raises it
    context.reply(answer);
  }
};

int main() {
  ring::Handlers::instance().add(ring::handler<Squarer>("squarer"));
  ring::Runtime runtime;  // on the first GPU, or on the CPU
  const ring::KernelScope squarer(runtime.create({.handler = "squarer"}));

  ring::Letter reply;
  for (int i = 1; i <= 3; ++i) {
    const Question question{static_cast<float>(i)};
    const ring::Delivery delivery = squarer->request(ring::Outgoing::of(0, question), reply);
    if (delivery != ring::Delivery::ok) {
      std::fprintf(stderr, "no answer: %s\n", std::string(to_string(delivery)).c_str());
      return 1;
    }
    const Answer answer = reply.as<Answer>();
    std::printf("%s: %d squared is %.0f, asked %d times\n", squarer->device().c_str(), i,
                static_cast<double>(answer.squared), answer.asked);
    if (answer.squared != static_cast<float>(i * i) || answer.asked != i) return 1;
  }
  const ring::Telemetry telemetry = squarer->telemetry();
  std::printf("half of the messages waited less than %lld ns\n",
              static_cast<long long>(telemetry.latency.p50_ns));
}

// SPDX-License-Identifier: Apache-2.0
#include "ringwave/core/queue.hpp"

#include <string>
#include <utility>

#include "ringwave/core/device_runtime.hpp"
#include "ringwave/core/error.hpp"

namespace ringwave {
namespace {

std::unique_ptr<QueueRuntime> make_runtime(Device device, Queue::Spec spec) {
  if (device.is_automatic())
    throw InvalidArgument(
        "a queue was asked for on 'auto', which names no device; use Device::cpu() or Device::find()");
  if (spec.depth < 1 || spec.depth > 256)
    throw InvalidArgument("a queue depth of " + std::to_string(spec.depth) + " was asked for; use 1 to 256");
  return device.runtime().make_queue(spec.depth);
}

}  // namespace

Event::Event(Queue& queue) : runtime_(queue.runtime_->make_event()) {}
Event::~Event() = default;
Event::Event(Event&&) noexcept = default;
Event& Event::operator=(Event&&) noexcept = default;

bool Event::done() const noexcept {
  return runtime_->done();
}

void Event::wait() const {
  runtime_->wait();
}

double Event::milliseconds_since(const Event& earlier) const {
  return runtime_->milliseconds_since(*earlier.runtime_);
}

Graph::Graph(std::unique_ptr<GraphRuntime> runtime) : runtime_(std::move(runtime)) {}
Graph::~Graph() = default;
Graph::Graph(Graph&&) noexcept = default;
Graph& Graph::operator=(Graph&&) noexcept = default;

std::size_t Graph::nodes() const noexcept {
  return runtime_->nodes();
}

Queue::Queue(Device device, Spec spec) : device_(device), runtime_(make_runtime(device, spec)) {}
Queue::~Queue() = default;
Queue::Queue(Queue&&) noexcept = default;
Queue& Queue::operator=(Queue&&) noexcept = default;

void Queue::submit(const Task& task) {
  runtime_->submit(task);
}

Status Queue::try_submit(const Task& task) noexcept {
  return runtime_->try_submit(task);
}

void Queue::copy(void* to, const void* from, std::size_t bytes) {
  runtime_->copy(to, from, bytes);
}

void Queue::fill(void* to, std::byte value, std::size_t bytes) {
  runtime_->fill(to, value, bytes);
}

void Queue::record(Event& event) {
  runtime_->record(*event.runtime_);
}

void Queue::wait_for(const Event& event) {
  runtime_->wait_for(*event.runtime_);
}

void Queue::synchronize() {
  runtime_->synchronize();
}

Status Queue::launch(const Graph& graph) noexcept {
  return runtime_->launch(*graph.runtime_);
}

NativeQueue Queue::native() const noexcept {
  return runtime_->native();
}

Status Queue::status() const noexcept {
  return runtime_->status();
}

void Queue::begin_capture() {
  runtime_->begin_capture();
}

Graph Queue::end_capture() {
  return Graph(runtime_->end_capture());
}

void Queue::abandon_capture() noexcept {
  try {
    (void)runtime_->end_capture();
  } catch (const Error&) {
    // The work's own exception is on its way and says more.
  }
}

}  // namespace ringwave

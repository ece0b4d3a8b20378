// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/interruption.hpp"

#include "ringwave/core/error.hpp"

namespace ringwave::cli {
namespace {

std::atomic<bool> interrupted{false};
std::atomic<int> last_signal{0};
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free,
              "a signal handler sets them");

extern "C" void note_signal(int number) {
  last_signal.store(number);
  interrupted.store(true);
}

}  // namespace

Interruption::Interruption() {
  interrupted.store(false);
  last_signal.store(0);
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    struct sigaction action {};
    action.sa_handler = note_signal;
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    sigaction(kSignals[i], nullptr, &before_[i]);
    const bool ignored = before_[i].sa_handler == SIG_IGN;  // nohup's wish is kept
    if (!ignored) sigaction(kSignals[i], &action, nullptr);
  }
}

Interruption::~Interruption() {
  for (std::size_t i = 0; i < kSignals.size(); ++i) sigaction(kSignals[i], &before_[i], nullptr);
}

int Interruption::signal() noexcept {
  return last_signal.load();
}

const std::atomic<bool>* Interruption::flag() noexcept {
  return &interrupted;
}

void Interruption::check() {
  if (interrupted.load()) throw Interrupted("stopped by a signal; nothing has been written under its name");
}

}  // namespace ringwave::cli

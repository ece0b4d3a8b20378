// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/keyboard.hpp"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <thread>

namespace ringwave::cli {

Keyboard::Keyboard() {
  if (isatty(STDIN_FILENO) == 0 || isatty(STDOUT_FILENO) == 0) return;
  // A program in the background must leave the terminal as it is.
  if (tcgetpgrp(STDIN_FILENO) != getpgrp() || tcgetattr(STDIN_FILENO, &before_) != 0) return;
  termios keys = before_;
  keys.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
  keys.c_cc[VMIN] = 0;
  keys.c_cc[VTIME] = 0;
  is_heard_ = tcsetattr(STDIN_FILENO, TCSANOW, &keys) == 0;
}

Keyboard::~Keyboard() {
  if (is_heard_) tcsetattr(STDIN_FILENO, TCSANOW, &before_);
}

bool Keyboard::wait_for_end(std::chrono::duration<double> time, const std::atomic<bool>& stop) {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::milliseconds kTurn{50};
  const auto end = Clock::now() + std::chrono::duration_cast<Clock::duration>(time);
  while (!stop.load() && Clock::now() < end) {
    const auto turn = std::min<Clock::duration>(kTurn, end - Clock::now());
    if (!is_heard_) {
      std::this_thread::sleep_for(turn);
      continue;
    }
    pollfd keys{.fd = STDIN_FILENO, .events = POLLIN, .revents = 0};
    const auto turn_ms = std::chrono::ceil<std::chrono::milliseconds>(turn).count();
    if (poll(&keys, 1, static_cast<int>(std::max<std::int64_t>(1, turn_ms))) <= 0) continue;
    char key = 0;
    constexpr char kCtrlD = 4;
    const ssize_t count = read(STDIN_FILENO, &key, 1);
    if (count == 1 && (key == 'q' || key == 'Q' || key == kCtrlD)) return true;
    if (count <= 0 && (keys.revents & (POLLHUP | POLLERR)) != 0) return true;  // the terminal is gone
  }
  return false;
}

}  // namespace ringwave::cli

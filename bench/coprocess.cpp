// SPDX-License-Identifier: Apache-2.0
#include "bench/coprocess.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <utility>

#include "ringwave/core/error.hpp"

extern char** environ;  // NOLINT: POSIX declares it nowhere

namespace ringwave::bench {
namespace {

std::vector<char*> pointers_to(const std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  pointers.reserve(texts.size() + 1);  // a null goes at the end
  for (const std::string& text : texts) pointers.push_back(const_cast<char*>(text.c_str()));
  return pointers;
}

pid_t spawn(const std::vector<std::string>& command, const std::vector<std::string>& environment,
            int socket) {
  std::vector<char*> arguments = pointers_to(command);
  arguments.push_back(nullptr);
  std::vector<char*> variables = pointers_to(environment);  // first: the first of two equal names counts
  for (char** variable = environ; *variable != nullptr; ++variable) variables.push_back(*variable);
  variables.push_back(nullptr);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, socket, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, socket, STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t process = -1;
  const int error =
      posix_spawn(&process, command.front().c_str(), &actions, nullptr, arguments.data(), variables.data());
  posix_spawn_file_actions_destroy(&actions);
  return error == 0 ? process : -1;
}

}  // namespace

Coprocess::Coprocess(const std::vector<std::string>& command, const std::vector<std::string>& environment) {
  // A socket and not two pipes: writing to one whose reader died is an error and not a signal.
  std::array<int, 2> ends{-1, -1};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    throw InvalidState("no socket can be made to talk to " + command.front());
  process_ = spawn(command, environment, ends[1]);
  close(ends[1]);
  if (process_ < 0) {
    close(ends[0]);
    throw InvalidState(command.front() + " cannot be started");
  }
  socket_ = ends[0];
}

Coprocess::~Coprocess() {
  finish();
}

bool Coprocess::write_line(const std::string& line) noexcept {
  for (std::string_view rest : {std::string_view(line), std::string_view("\n")})
    while (!rest.empty()) {
      const ssize_t sent = send(socket_, rest.data(), rest.size(), MSG_NOSIGNAL);
      if (sent < 0 && errno == EINTR) continue;
      if (sent <= 0) return false;
      rest.remove_prefix(static_cast<std::size_t>(sent));
    }
  return true;
}

std::string Coprocess::read_line() {
  std::size_t end = unread_.find('\n');
  while (end == std::string::npos) {
    std::array<char, 4096> bytes{};
    const ssize_t got = recv(socket_, bytes.data(), bytes.size(), 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return {};
    unread_.append(bytes.data(), static_cast<std::size_t>(got));
    end = unread_.find('\n');
  }
  std::string line = unread_.substr(0, end);
  unread_.erase(0, end + 1);
  return line;
}

int Coprocess::finish() noexcept {
  if (process_ < 0) return -1;
  close(socket_);
  int status = 0;
  pid_t waited = -1;
  do {
    waited = waitpid(process_, &status, 0);
  } while (waited < 0 && errno == EINTR);
  socket_ = -1;
  process_ = -1;
  return waited >= 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace ringwave::bench

// SPDX-License-Identifier: Apache-2.0
#include "apps/server/token_text.hpp"

#include <cstddef>

#include "ringwave/core/error.hpp"

namespace ringwave::server {
namespace {

constexpr std::size_t kLeastTokenLetters = 16;

}  // namespace

void require_token_text(const std::string& token) {
  if (token.size() < kLeastTokenLetters)
    throw InvalidArgument("a token has " + std::to_string(token.size()) +
                          " letters, which can be guessed; use " + std::to_string(kLeastTokenLetters) +
                          " or more, as `openssl rand -hex 16` makes them");
  for (const char letter : token)
    if (letter <= ' ' || letter > '~')
      throw InvalidArgument("a token has a letter that is no visible one of ASCII; use letters and digits");
}

}  // namespace ringwave::server

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace ringwave::server {

/// Throws InvalidArgument for a token that could be guessed, or has other letters than visible ones of ASCII.
/// [setup]
void require_token_text(const std::string& token);

}  // namespace ringwave::server

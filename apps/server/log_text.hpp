// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace ringwave::server {

/// A text as a log may show it: what is no UTF-8, every control character, and what turns the direction of
/// writing or takes no room, stands as \xHH, byte by byte. Who reads the log on a terminal sees one line that
/// says what it seems to say. [any]
[[nodiscard]] std::string printable(std::string_view text);

/// The target of a request without what members of its query called token or secret hold. [any]
[[nodiscard]] std::string without_secrets(std::string_view target);

}  // namespace ringwave::server

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace ringwave {

/// SHA-256 of FIPS 180-4, as 64 small letters of hex: what is kept of a secret, so that who reads it does not
/// know the secret. It is for secrets with many random bits; passwords that people choose need a slow
/// function. [any]
[[nodiscard]] std::string sha256_hex(std::string_view bytes);

}  // namespace ringwave

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "ringwave/core/error.hpp"

namespace ringwave::stream {

/// What a client can do wrong, or a server cannot do for it. The names are the protocol's.
enum class RefusalCode : unsigned char {
  bad_json,
  unknown_type,
  unknown_member,
  wrong_type,
  out_of_range,
  unknown_name,
  not_found,
  exists,
  forbidden,
  unauthorized,
  too_large,
  rate_limited,
  limit_reached,
  overloaded,
  unsupported,
  gone,
  internal,
};

/// [any]
[[nodiscard]] std::string_view to_string(RefusalCode code) noexcept;

/// A client's wish that is not fulfilled: a code for its program, a sentence for its user.
class Refusal : public Error {
 public:
  /// A NUL in the message, which clients can bring into it, would end what() there: it stands as "\\0".
  Refusal(RefusalCode code, const std::string& message);

  [[nodiscard]] RefusalCode code() const noexcept { return code_; }

 private:
  RefusalCode code_;
};

}  // namespace ringwave::stream

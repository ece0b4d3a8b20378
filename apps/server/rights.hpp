// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ringwave::server {

/// What somebody may do besides listening, by what was shown. Of a secret a hash is held, never the secret.
class Rights {
 public:
  bool is_administrator = false;  ///< showed an administrator's token
  bool is_local = false;          ///< comes from this machine itself, and through no proxy
  bool sees_all = false;          ///< may know of all stations, and of the machine

  /// Takes what may be the secret of a station or a preset. It remembers the last few. [any]
  void show(std::string_view secret);

  /// Administrators own everything, and what is nobody's is theirs alone. [any]
  [[nodiscard]] bool owns(const std::string& secret_hash) const;

  /// Throws Refusal, forbidden, which says what to send. `what` is "station night". [any]
  void require_to_own(const std::string& secret_hash, const std::string& what) const;
  void require_to_see_all() const;

 private:
  std::vector<std::string> hashes_;
};

/// A secret that nobody guesses: 160 random bits. [any]
[[nodiscard]] std::string make_secret();

/// Looks at every letter of both, equal or not. [any]
[[nodiscard]] bool is_same_secret(std::string_view a, std::string_view b) noexcept;

}  // namespace ringwave::server

// SPDX-License-Identifier: Apache-2.0
#include "apps/server/rights.hpp"

#include "ringwave/core/sha256.hpp"
#include "ringwave/stream/random_identifier.hpp"
#include "ringwave/stream/refusal.hpp"

namespace ringwave::server {
namespace {

using stream::Refusal;
using stream::RefusalCode;

constexpr std::size_t kSecretLetters = 32;  // of 5 bits
constexpr std::size_t kMostShown = 2;

}  // namespace

void Rights::show(std::string_view secret) {
  if (secret.empty()) return;
  if (hashes_.size() == kMostShown) hashes_.erase(hashes_.begin());
  hashes_.push_back(sha256_hex(secret));
}

bool Rights::owns(const std::string& secret_hash) const {
  bool is_known = is_administrator;
  if (!secret_hash.empty())
    for (const std::string& shown : hashes_) is_known |= is_same_secret(secret_hash, shown);
  return is_known;
}

void Rights::require_to_own(const std::string& secret_hash, const std::string& what) const {
  if (!owns(secret_hash))
    throw Refusal(RefusalCode::forbidden,
                  what +
                      " is another's; send its secret or an administrator's token as Authorization: Bearer "
                      "SECRET, or as X-Ringwave-Secret beside a token of the server");
}

void Rights::require_to_see_all() const {
  if (!sees_all)
    throw Refusal(RefusalCode::forbidden,
                  "this is for administrators; send a token of theirs as Authorization: Bearer TOKEN");
}

std::string make_secret() {
  return stream::random_identifier(kSecretLetters);
}

bool is_same_secret(std::string_view a, std::string_view b) noexcept {
  bool is_same = a.size() == b.size();
  for (std::size_t i = 0; i < b.size(); ++i) is_same &= b[i] == (a.empty() ? '\0' : a[i % a.size()]);
  return is_same;
}

}  // namespace ringwave::server

// SPDX-License-Identifier: Apache-2.0
#include "apps/server/log_text.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

#include "apps/server/origin.hpp"
#include "apps/server/request.hpp"

namespace ringwave::server {
namespace {

struct Letter {
  std::uint32_t code = 0;
  std::size_t bytes = 0;  ///< 0: it is no UTF-8
};

/// The letter that a text begins with. Longer forms than needed and halves of pairs are none.
Letter first_letter(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text.front());
  if (lead < 0x80) return {lead, 1};
  const std::size_t bytes = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < bytes) return {};
  std::uint32_t code = lead & (0xffU >> (bytes + 1));
  for (const char each : text.substr(1, bytes - 1)) {
    const auto byte = static_cast<unsigned char>(each);
    if ((byte & 0xc0U) != 0x80) return {};
    code = code << 6U | (byte & 0x3fU);
  }
  constexpr std::array<std::uint32_t, 5> kLeast{0, 0, 0x80, 0x800, 0x10000};
  const bool is_half = code >= 0xd800 && code < 0xe000;
  if (code < kLeast.at(bytes) || code > 0x10ffff || is_half) return {};
  return {code, bytes};
}

bool is_visible(std::uint32_t code) {
  struct Range {
    std::uint32_t first, last;
  };
  // Controls; the soft hyphen; marks of direction; what has no width; ends of lines; fillers; tags.
  static constexpr std::array kHidden{Range{0x00, 0x1f},     Range{0x7f, 0x9f},     Range{0xad, 0xad},
                                      Range{0x61c, 0x61c},   Range{0x180e, 0x180e}, Range{0x200b, 0x200f},
                                      Range{0x2028, 0x202e}, Range{0x2060, 0x206f}, Range{0xfeff, 0xfeff},
                                      Range{0xfff0, 0xfffb}, Range{0xfffe, 0xffff}, Range{0xe0000, 0xe0fff}};
  return std::ranges::none_of(kHidden,
                              [&](const Range& range) { return code >= range.first && code <= range.last; });
}

bool is_secret(std::string_view name) {
  const std::string plain = in_small_letters(percent_decoded(name).value_or(std::string(name)));
  return plain.find("token") != std::string::npos || plain.find("secret") != std::string::npos;
}

}  // namespace

std::string printable(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string made;
  while (!text.empty()) {
    const Letter letter = first_letter(text);
    const std::string_view bytes = text.substr(0, std::max<std::size_t>(1, letter.bytes));
    text.remove_prefix(bytes.size());
    if (letter.bytes > 0 && is_visible(letter.code)) {
      made += bytes;
      continue;
    }
    for (const char each : bytes) {
      const auto byte = static_cast<unsigned char>(each);
      made += {'\\', 'x', kDigits[byte >> 4U], kDigits[byte & 0xfU]};
    }
  }
  return made;
}

std::string without_secrets(std::string_view target) {
  const std::size_t mark = std::min(target.find('?'), target.size());
  std::string made(target.substr(0, mark));
  std::string_view rest = target.substr(mark);
  while (!rest.empty()) {
    made += rest.front();  // ? or &
    rest.remove_prefix(1);
    const std::string_view member = rest.substr(0, rest.find('&'));
    rest.remove_prefix(member.size());
    const std::string_view name = member.substr(0, member.find('='));
    made += name;
    if (name.size() < member.size()) made += is_secret(name) ? "=***" : member.substr(name.size());
  }
  return made;
}

}  // namespace ringwave::server

// SPDX-License-Identifier: Apache-2.0
#include "ringwave/core/sha256.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace ringwave {
namespace {

using Words = std::array<std::uint32_t, 8>;

constexpr std::size_t kBlockBytes = 64;
constexpr std::size_t kLengthBytes = 8;

// The fractions of the square roots of the first 8 primes, and of the cube roots of the first 64: 32 bits
// each.
constexpr Words kBegin{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                       0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
constexpr std::array<std::uint32_t, 64> kRound{
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

std::uint32_t small_sigma(std::uint32_t x, int a, int b, int shift) {
  return std::rotr(x, a) ^ std::rotr(x, b) ^ (x >> static_cast<unsigned>(shift));
}

std::uint32_t large_sigma(std::uint32_t x, int a, int b, int c) {
  return std::rotr(x, a) ^ std::rotr(x, b) ^ std::rotr(x, c);
}

std::uint32_t word_at(std::string_view bytes, std::size_t at) {
  std::uint32_t word = 0;
  for (std::size_t i = 0; i < 4; ++i) word = word << 8U | static_cast<unsigned char>(bytes[at + i]);
  return word;
}

std::array<std::uint32_t, 64> schedule_of(std::string_view block) {
  std::array<std::uint32_t, 64> w{};
  for (std::size_t t = 0; t < 16; ++t) w[t] = word_at(block, 4 * t);
  for (std::size_t t = 16; t < w.size(); ++t)
    w[t] = small_sigma(w[t - 2], 17, 19, 10) + w[t - 7] + small_sigma(w[t - 15], 7, 18, 3) + w[t - 16];
  return w;
}

void add_block(Words& hash, std::string_view block) {
  const auto w = schedule_of(block);
  auto [a, b, c, d, e, f, g, h] = hash;
  for (std::size_t t = 0; t < w.size(); ++t) {
    const std::uint32_t first = h + large_sigma(e, 6, 11, 25) + ((e & f) ^ (~e & g)) + kRound[t] + w[t];
    const std::uint32_t second = large_sigma(a, 2, 13, 22) + ((a & b) ^ (a & c) ^ (b & c));
    h = g;
    g = f;
    f = e;
    e = d + first;
    d = c;
    c = b;
    b = a;
    a = first + second;
  }
  const Words mixed{a, b, c, d, e, f, g, h};
  for (std::size_t i = 0; i < hash.size(); ++i) hash[i] += mixed[i];
}

/// What does not fill a block, a bit that is set, zeros, and the length in bits.
std::string padded(std::string_view rest, std::size_t all_bytes) {
  std::string made(rest);
  made += '\x80';
  while (made.size() % kBlockBytes != kBlockBytes - kLengthBytes) made += '\0';
  const std::uint64_t bits = std::uint64_t{8} * all_bytes;
  for (unsigned shift = 64; shift > 0; shift -= 8) made += static_cast<char>(bits >> (shift - 8) & 0xffU);
  return made;
}

}  // namespace

std::string sha256_hex(std::string_view bytes) {
  Words hash = kBegin;
  const std::size_t whole = bytes.size() - bytes.size() % kBlockBytes;
  for (std::size_t at = 0; at < whole; at += kBlockBytes) add_block(hash, bytes.substr(at, kBlockBytes));
  const std::string last = padded(bytes.substr(whole), bytes.size());
  for (std::size_t at = 0; at < last.size(); at += kBlockBytes)
    add_block(hash, std::string_view(last).substr(at, kBlockBytes));
  std::string hex;
  for (const std::uint32_t word : hash)
    for (unsigned shift = 32; shift > 0; shift -= 4) hex += "0123456789abcdef"[word >> (shift - 4) & 0xfU];
  return hex;
}

}  // namespace ringwave

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>

#include "ringwave/core/host_device.hpp"

/// Functions that libm and a GPU compute differently, from sums and products alone, so that both twins of an
/// op get the same to the rounding of double. Each bound is tested against libm.
namespace ringwave::dsp::approx {

/// log2(x) for positive normal x, to 1e-10 absolute. With x = 2^e m and m around 1 it is e + 2 artanh(t) / ln
/// 2, t = (m - 1) / (m + 1), of which the series up to t^11 is taken: |t| <= 0.172.
[[nodiscard]] RW_HOST_DEVICE inline double log2(double x) {
  constexpr std::uint64_t kSqrtHalf = 0x3fe6a09e667f3bcdU;  // the mantissa is cut at sqrt(1/2)
  const auto bits = std::bit_cast<std::uint64_t>(x) - kSqrtHalf;
  const auto exponent = static_cast<double>(static_cast<std::int64_t>(bits) >> 52);
  const double m = std::bit_cast<double>((bits & 0xfffffffffffffU) + kSqrtHalf);
  const double t = (m - 1) / (m + 1);
  const double u = t * t;
  const double series = 1 + u * (1 / 3. + u * (1 / 5. + u * (1 / 7. + u * (1 / 9. + u * (1 / 11.)))));
  return exponent + 2.885390081777926815 * t * series;  // 2 / ln 2
}

/// 2^x to 1e-11 of itself, for x from -1000 to 1000; beyond them it is what it is there. The fraction, from
/// -1/2 to 1/2, goes through the series of e^(x ln 2) up to the ninth power.
[[nodiscard]] RW_HOST_DEVICE inline double exp2(double x) {
  x = x < -1000 ? -1000 : (x > 1000 ? 1000 : x);
  const auto whole = static_cast<std::int64_t>(x + (x < 0 ? -0.5 : 0.5));
  const double f = (x - static_cast<double>(whole)) * 0.693147180559945309;
  double sum = 1 + f / 9;
  for (int k = 8; k >= 1; --k) sum = 1 + sum * f * (1. / k);
  return sum * std::bit_cast<double>(static_cast<std::uint64_t>(whole + 1023) << 52);
}

/// sin(2 pi turns) to 1e-11, for |turns| below 2^31: folded into a quarter of a turn, then the series up to
/// the fifteenth power.
[[nodiscard]] RW_HOST_DEVICE inline double sine(double turns) {
  double r = turns - static_cast<double>(static_cast<std::int64_t>(turns + (turns < 0 ? -0.5 : 0.5)));
  if (r > 0.25) r = 0.5 - r;
  if (r < -0.25) r = -0.5 - r;
  const double w = 6.283185307179586477 * r;
  const double u = w * w;
  double sum = 1;
  for (int k = 14; k >= 2; k -= 2) sum = 1 - sum * u * (1. / (k * (k + 1)));
  return w * sum;
}

/// tanh(x) to 1e-11:  (e - 1) / (e + 1)  with e = e^2x.
[[nodiscard]] RW_HOST_DEVICE inline double tanh(double x) {
  x = x < -30 ? -30 : (x > 30 ? 30 : x);
  const double e = exp2(x * 2.885390081777926815);
  return (e - 1) / (e + 1);
}

/// sin(2 pi phase / 2^32) to 2e-7, three roundings of a float: folded into a quarter of a turn by whole
/// numbers, then the odd polynomial of the ninth power whose greatest relative error, 5e-9, is the least.
[[nodiscard]] RW_HOST_DEVICE inline float sine_of_phase(std::uint32_t phase) {
  // From the zero at the nearest half turn: up before a quarter, down the same way after it.
  const auto half = static_cast<std::int32_t>(phase << 1U);
  const float u =
      static_cast<float>(half) * (phase >= 0x4000'0000U && phase < 0xc000'0000U ? -0x1p-31F : 0x1p-31F);
  const float v = u * u;
  return u * (1.57079632F +
              v * (-0.645963711F + v * (0.0796896789F + v * (-0.00467376661F + v * 0.000151485129F))));
}

/// 2^x to 2e-7 of itself, for x from -125 to 125; beyond them it is what it is there.
[[nodiscard]] RW_HOST_DEVICE inline float exp2(float x) {
  x = x < -125 ? -125 : (x > 125 ? 125 : x);
  const auto whole = static_cast<std::int32_t>(x + (x < 0 ? -0.5F : 0.5F));
  const float f = x - static_cast<float>(whole);
  const float power =
      1 + f * (0.693147206F +
               f * (0.240226469F +
                    f * (0.0555032878F + f * (0.00961848897F + f * (0.00133999312F + f * 0.000153458075F)))));
  return power * std::bit_cast<float>(static_cast<std::uint32_t>(whole + 127) << 23U);
}

/// tan(pi x) to 1e-6 of itself, for x from 0 to 0.49.
[[nodiscard]] RW_HOST_DEVICE inline float tangent(float x) {
  const auto phase = static_cast<std::uint32_t>(x * 0x1p31F);
  return sine_of_phase(phase) / sine_of_phase(phase + 0x4000'0000U);
}

}  // namespace ringwave::dsp::approx

// SPDX-License-Identifier: Apache-2.0
#include "ringwave/dsp/spectral_chunk_cpu.hpp"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ringwave/dsp/spectral_chunk_cpu.cpp"
#include <hwy/foreach_target.h>  // compiles the part between the two HWY marks once for each instruction set
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace ringwave::dsp::spectral::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::CappedTag<float, kLanes>;

/// re + i im += (ar + i ai) (br + i bi)
template <class Vector>
HWY_INLINE void AddProduct(Vector ar, Vector ai, Vector br, Vector bi, Vector& re, Vector& im) {
  re = hn::NegMulAdd(ai, bi, hn::MulAdd(ar, br, re));
  im = hn::MulAdd(ai, br, hn::MulAdd(ar, bi, im));
}

/// line *= (wr + i wi), lane by lane or with one factor; `sign` -1 conjugates it.
void TwiddleLine(float* HWY_RESTRICT line, const float* HWY_RESTRICT factor, float sign) {
  const Floats d;
  const auto s = hn::Set(d, sign);
  for (std::size_t i = 0; i < kLanes; i += hn::Lanes(d)) {
    auto re = hn::Zero(d);
    auto im = hn::Zero(d);
    AddProduct(hn::LoadU(d, line + i), hn::LoadU(d, line + kLanes + i), hn::LoadU(d, factor + i),
               hn::Mul(s, hn::LoadU(d, factor + kLanes + i)), re, im);
    hn::StoreU(re, d, line + i);
    hn::StoreU(im, d, line + kLanes + i);
  }
}

/// a, b = a + b, (a - b) w
void ButterflyDown(float* HWY_RESTRICT a, float* HWY_RESTRICT b, Complex w) {
  const Floats d;
  const auto wr = hn::Set(d, w.real());
  const auto wi = hn::Set(d, w.imag());
  for (std::size_t i = 0; i < kLanes; i += hn::Lanes(d)) {
    const auto ar = hn::LoadU(d, a + i);
    const auto ai = hn::LoadU(d, a + kLanes + i);
    const auto br = hn::LoadU(d, b + i);
    const auto bi = hn::LoadU(d, b + kLanes + i);
    auto re = hn::Zero(d);
    auto im = hn::Zero(d);
    AddProduct(hn::Sub(ar, br), hn::Sub(ai, bi), wr, wi, re, im);
    hn::StoreU(hn::Add(ar, br), d, a + i);
    hn::StoreU(hn::Add(ai, bi), d, a + kLanes + i);
    hn::StoreU(re, d, b + i);
    hn::StoreU(im, d, b + kLanes + i);
  }
}

/// a, b = a + b conj(w), a - b conj(w)
void ButterflyUp(float* HWY_RESTRICT a, float* HWY_RESTRICT b, Complex w) {
  const Floats d;
  const auto wr = hn::Set(d, w.real());
  const auto wi = hn::Set(d, -w.imag());
  for (std::size_t i = 0; i < kLanes; i += hn::Lanes(d)) {
    const auto ar = hn::LoadU(d, a + i);
    const auto ai = hn::LoadU(d, a + kLanes + i);
    auto re = hn::Zero(d);
    auto im = hn::Zero(d);
    AddProduct(hn::LoadU(d, b + i), hn::LoadU(d, b + kLanes + i), wr, wi, re, im);
    hn::StoreU(hn::Add(ar, re), d, a + i);
    hn::StoreU(hn::Add(ai, im), d, a + kLanes + i);
    hn::StoreU(hn::Sub(ar, re), d, b + i);
    hn::StoreU(hn::Sub(ai, im), d, b + kLanes + i);
  }
}

/// `count` complex values into a line, with zeros behind.
void Gather(const Complex* HWY_RESTRICT from, std::size_t count, float* HWY_RESTRICT line) {
  const Floats d;
  const auto* const x = reinterpret_cast<const float*>(from);
  if (count == kLanes) {
    for (std::size_t i = 0; i < kLanes; i += hn::Lanes(d)) {
      hn::Vec<Floats> re;
      hn::Vec<Floats> im;
      hn::LoadInterleaved2(d, x + 2 * i, re, im);
      hn::StoreU(re, d, line + i);
      hn::StoreU(im, d, line + kLanes + i);
    }
    return;
  }
  for (std::size_t i = 0; i < count; ++i) {
    line[i] = x[2 * i];
    line[kLanes + i] = x[2 * i + 1];
  }
  for (std::size_t i = count; i < kLanes; ++i) line[i] = line[kLanes + i] = 0;
}

/// The first `count` values of a line.
void Scatter(const float* HWY_RESTRICT line, std::size_t count, Complex* HWY_RESTRICT to) {
  const Floats d;
  auto* const y = reinterpret_cast<float*>(to);
  if (count == kLanes) {
    for (std::size_t i = 0; i < kLanes; i += hn::Lanes(d))
      hn::StoreInterleaved2(hn::LoadU(d, line + i), hn::LoadU(d, line + kLanes + i), d, y + 2 * i);
    return;
  }
  for (std::size_t i = 0; i < count; ++i) {
    y[2 * i] = line[i];
    y[2 * i + 1] = line[kLanes + i];
  }
}

void Forward(const Twiddles& t, const Complex* small, std::size_t stride, std::size_t count, Lines lines) {
  const auto line = [&](std::size_t j) { return lines.first + j * lines.step; };
  for (std::size_t j = 0; j < t.radix; ++j) {
    Gather(small + j * stride, count, line(j));
    if (j > 0) TwiddleLine(line(j), t.chunk + j * kLineFloats, 1);
  }
  for (std::size_t length = t.radix; length >= 2; length /= 2)
    for (std::size_t first = 0; first < t.radix; first += length)
      for (std::size_t j = 0; j < length / 2; ++j)
        ButterflyDown(line(first + j), line(first + j + length / 2), t.roots[j * (t.radix / length)]);
}

void Inverse(const Twiddles& t, Lines lines, Complex* small, std::size_t stride, std::size_t count) {
  const auto line = [&](std::size_t j) { return lines.first + j * lines.step; };
  for (std::size_t length = 2; length <= t.radix; length *= 2)
    for (std::size_t first = 0; first < t.radix; first += length)
      for (std::size_t j = 0; j < length / 2; ++j)
        ButterflyUp(line(first + j), line(first + j + length / 2), t.roots[j * (t.radix / length)]);
  for (std::size_t j = 0; j < t.radix; ++j) {
    if (j > 0) TwiddleLine(line(j), t.chunk + j * kLineFloats, -1);
    Scatter(line(j), count, small + j * stride);
  }
}

/// One line; the parts of x run backwards from `newest` on, and wrap once.
void MultiplyLine(const float* HWY_RESTRICT x, std::size_t newest, const float* HWY_RESTRICT h,
                  std::size_t parts, bool add, float* HWY_RESTRICT line) {
  const Floats d;
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t i = 0; i < kLanes; i += lanes) {
    auto re = add ? hn::LoadU(d, line + i) : hn::Zero(d);
    auto im = add ? hn::LoadU(d, line + kLanes + i) : hn::Zero(d);
    const float* hp = h + i;
    std::size_t left = newest + 1;
    std::size_t from = newest;
    for (int run = 0; run < 2; ++run, left = parts - left, from = parts - 1) {
      const float* xp = x + from * kLineFloats + i;
      for (std::size_t p = 0; p < left; ++p, xp -= kLineFloats, hp += kLineFloats)
        AddProduct(hn::LoadU(d, xp), hn::LoadU(d, xp + kLanes), hn::LoadU(d, hp), hn::LoadU(d, hp + kLanes),
                   re, im);
    }
    hn::StoreU(re, d, line + i);
    hn::StoreU(im, d, line + kLanes + i);
  }
}

void Multiply(const float* x, std::size_t newest, const float* h, std::size_t parts, std::size_t lines,
              bool add, float* out) {
  const std::size_t step = parts * kLineFloats;
  for (std::size_t line = 0; line < lines; ++line)
    MultiplyLine(x + line * step, newest, h + line * step, parts, add, out + line * kLineFloats);
}

}  // namespace ringwave::dsp::spectral::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ringwave::dsp::spectral {

HWY_EXPORT(Forward);
HWY_EXPORT(Inverse);
HWY_EXPORT(Multiply);

void forward(const Twiddles& twiddles, const Complex* small, std::size_t stride, std::size_t count,
             Lines lines) noexcept {
  HWY_DYNAMIC_DISPATCH(Forward)(twiddles, small, stride, count, lines);
}

void inverse(const Twiddles& twiddles, Lines lines, Complex* small, std::size_t stride,
             std::size_t count) noexcept {
  HWY_DYNAMIC_DISPATCH(Inverse)(twiddles, lines, small, stride, count);
}

void multiply(const float* x, std::size_t newest, const float* h, std::size_t parts, std::size_t lines,
              bool add, float* out) noexcept {
  HWY_DYNAMIC_DISPATCH(Multiply)(x, newest, h, parts, lines, add, out);
}

}  // namespace ringwave::dsp::spectral
#endif

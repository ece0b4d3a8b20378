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

/// line *= (wr + i wi), lane by lane or with one factor; `sign` -1 conjugates it.
void TwiddleLine(float* HWY_RESTRICT line, const float* HWY_RESTRICT factor, float sign) {
  const Floats d;
  const auto s = hn::Set(d, sign);
  for (std::size_t i = 0; i < kLanes; i += hn::Lanes(d)) {
    const auto re = hn::LoadU(d, line + i);
    const auto im = hn::LoadU(d, line + kLanes + i);
    const auto wr = hn::LoadU(d, factor + i);
    const auto wi = hn::Mul(s, hn::LoadU(d, factor + kLanes + i));
    hn::StoreU(hn::NegMulAdd(im, wi, hn::Mul(re, wr)), d, line + i);
    hn::StoreU(hn::MulAdd(im, wr, hn::Mul(re, wi)), d, line + kLanes + i);
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
    const auto dr = hn::Sub(ar, br);
    const auto di = hn::Sub(ai, bi);
    hn::StoreU(hn::Add(ar, br), d, a + i);
    hn::StoreU(hn::Add(ai, bi), d, a + kLanes + i);
    hn::StoreU(hn::NegMulAdd(di, wi, hn::Mul(dr, wr)), d, b + i);
    hn::StoreU(hn::MulAdd(di, wr, hn::Mul(dr, wi)), d, b + kLanes + i);
  }
}

/// a, b = a + b conj(w), a - b conj(w)
void ButterflyUp(float* HWY_RESTRICT a, float* HWY_RESTRICT b, Complex w) {
  const Floats d;
  const auto wr = hn::Set(d, w.real());
  const auto wi = hn::Set(d, w.imag());
  for (std::size_t i = 0; i < kLanes; i += hn::Lanes(d)) {
    const auto ar = hn::LoadU(d, a + i);
    const auto ai = hn::LoadU(d, a + kLanes + i);
    const auto br = hn::LoadU(d, b + i);
    const auto bi = hn::LoadU(d, b + kLanes + i);
    const auto tr = hn::MulAdd(bi, wi, hn::Mul(br, wr));
    const auto ti = hn::NegMulAdd(br, wi, hn::Mul(bi, wr));
    hn::StoreU(hn::Add(ar, tr), d, a + i);
    hn::StoreU(hn::Add(ai, ti), d, a + kLanes + i);
    hn::StoreU(hn::Sub(ar, tr), d, b + i);
    hn::StoreU(hn::Sub(ai, ti), d, b + kLanes + i);
  }
}

void Forward(const Twiddles& t, const Complex* small, std::size_t stride, std::size_t count, float* lines) {
  for (std::size_t j = 0; j < t.radix; ++j) {
    float* const line = lines + j * kLineFloats;
    const Complex* const x = small + j * stride;
    for (std::size_t i = 0; i < count; ++i) {
      line[i] = x[i].real();
      line[kLanes + i] = x[i].imag();
    }
    for (std::size_t i = count; i < kLanes; ++i) line[i] = line[kLanes + i] = 0;
    if (j > 0) TwiddleLine(line, t.chunk + j * kLineFloats, 1);
  }
  for (std::size_t length = t.radix; length >= 2; length /= 2)
    for (std::size_t first = 0; first < t.radix; first += length)
      for (std::size_t j = 0; j < length / 2; ++j)
        ButterflyDown(lines + (first + j) * kLineFloats, lines + (first + j + length / 2) * kLineFloats,
                      t.roots[j * (t.radix / length)]);
}

void Inverse(const Twiddles& t, float* lines, Complex* small, std::size_t stride, std::size_t count) {
  for (std::size_t length = 2; length <= t.radix; length *= 2)
    for (std::size_t first = 0; first < t.radix; first += length)
      for (std::size_t j = 0; j < length / 2; ++j)
        ButterflyUp(lines + (first + j) * kLineFloats, lines + (first + j + length / 2) * kLineFloats,
                    t.roots[j * (t.radix / length)]);
  for (std::size_t j = 0; j < t.radix; ++j) {
    float* const line = lines + j * kLineFloats;
    if (j > 0) TwiddleLine(line, t.chunk + j * kLineFloats, -1);
    Complex* const y = small + j * stride;
    for (std::size_t i = 0; i < count; ++i) y[i] = {line[i], line[kLanes + i]};
  }
}

/// line += sum of x[-p] h[p] for p below `count`.
void MultiplyRun(const float* HWY_RESTRICT x, const float* HWY_RESTRICT h, std::size_t count,
                 float* HWY_RESTRICT line) {
  const Floats d;
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t i = 0; i < kLanes; i += lanes) {
    auto re = hn::LoadU(d, line + i);
    auto im = hn::LoadU(d, line + kLanes + i);
    const float* xp = x + i;
    const float* hp = h + i;
    for (std::size_t p = 0; p < count; ++p, xp -= kLineFloats, hp += kLineFloats) {
      const auto xr = hn::LoadU(d, xp);
      const auto xi = hn::LoadU(d, xp + kLanes);
      const auto hr = hn::LoadU(d, hp);
      const auto hi = hn::LoadU(d, hp + kLanes);
      re = hn::NegMulAdd(xi, hi, hn::MulAdd(xr, hr, re));
      im = hn::MulAdd(xi, hr, hn::MulAdd(xr, hi, im));
    }
    hn::StoreU(re, d, line + i);
    hn::StoreU(im, d, line + kLanes + i);
  }
}

void MultiplyAdd(const float* x, std::size_t newest, const float* h, std::size_t count, float* line) {
  const std::size_t until_wrap = std::min(count, newest + 1);
  MultiplyRun(x + newest * kLineFloats, h, until_wrap, line);
  MultiplyRun(x + (count - 1) * kLineFloats, h + until_wrap * kLineFloats, count - until_wrap, line);
}

}  // namespace ringwave::dsp::spectral::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ringwave::dsp::spectral {

HWY_EXPORT(Forward);
HWY_EXPORT(Inverse);
HWY_EXPORT(MultiplyAdd);

void forward(const Twiddles& twiddles, const Complex* small, std::size_t stride, std::size_t count,
             float* lines) noexcept {
  HWY_DYNAMIC_DISPATCH(Forward)(twiddles, small, stride, count, lines);
}

void inverse(const Twiddles& twiddles, float* lines, Complex* small, std::size_t stride,
             std::size_t count) noexcept {
  HWY_DYNAMIC_DISPATCH(Inverse)(twiddles, lines, small, stride, count);
}

void multiply_add(const float* x, std::size_t newest, const float* h, std::size_t count,
                  float* line) noexcept {
  HWY_DYNAMIC_DISPATCH(MultiplyAdd)(x, newest, h, count, line);
}

}  // namespace ringwave::dsp::spectral
#endif

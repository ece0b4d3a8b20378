// SPDX-License-Identifier: Apache-2.0
#include "ringwave/io/palette.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "ringwave/core/error.hpp"

namespace ringwave::io {
namespace {

/// A way through the colours: lightness and hue from one end to the other, and the chroma in the middle.
struct Course {
  std::string_view name;
  double dark, bright;         // L*, 0 to 100
  double first_hue, last_hue;  // degrees
  double chroma;
};

constexpr std::array<Course, 4> kCourses{{{"ember", 3, 97, 285, 450, 72},
                                          {"lagoon", 3, 97, 295, 125, 36},
                                          {"grey", 2, 98, 0, 0, 0},
                                          {"ink", 100, 4, 0, 0, 0}}};

using Triple = std::array<double, 3>;

/// CIE L*C*h to linear sRGB under D65; components beyond 0 to 1 are colours that no screen has.
Triple linear_rgb(double lightness, double chroma, double hue_degrees) {
  const double hue = hue_degrees * std::numbers::pi / 180;
  const auto unfold = [](double t) { return t > 6.0 / 29 ? t * t * t : (t - 4.0 / 29) * 108 / 841; };
  const double y = (lightness + 16) / 116;
  const double white_x = 0.95047 * unfold(y + chroma * std::cos(hue) / 500);
  const double white_y = unfold(y);
  const double white_z = 1.08883 * unfold(y - chroma * std::sin(hue) / 200);
  return {3.2406 * white_x - 1.5372 * white_y - 0.4986 * white_z,
          -0.9689 * white_x + 1.8758 * white_y + 0.0415 * white_z,
          0.0557 * white_x - 0.2040 * white_y + 1.0570 * white_z};
}

bool is_on_screen(const Triple& rgb) {
  return std::ranges::all_of(rgb, [](double part) { return part > -1e-3 && part < 1 + 1e-3; });
}

/// The most chroma up to `wanted` that a screen has at this lightness and hue.
double chroma_on_screen(double lightness, double wanted, double hue) {
  if (is_on_screen(linear_rgb(lightness, wanted, hue))) return wanted;
  double inside = 0;
  double outside = wanted;
  for (int i = 0; i < 30; ++i) {
    const double middle = (inside + outside) / 2;
    (is_on_screen(linear_rgb(lightness, middle, hue)) ? inside : outside) = middle;
  }
  return inside;
}

std::uint8_t encoded(double linear) {
  const double part = std::clamp(linear, 0.0, 1.0);
  const double bent = part <= 0.0031308 ? 12.92 * part : 1.055 * std::pow(part, 1 / 2.4) - 0.055;
  return static_cast<std::uint8_t>(std::lround(255 * bent));
}

Rgb colour_of(const Course& course, double position) {
  const double lightness = std::lerp(course.dark, course.bright, position);
  const double hue = std::lerp(course.first_hue, course.last_hue, position);
  // Full in the middle and nothing at both ends, so that these are near black and white.
  const double wanted =
      course.chroma * std::pow(std::sin(std::numbers::pi * std::clamp(position, 0.0, 1.0)), 0.8);
  const Triple rgb = linear_rgb(lightness, chroma_on_screen(lightness, wanted, hue), hue);
  return {encoded(rgb[0]), encoded(rgb[1]), encoded(rgb[2])};
}

}  // namespace

Palette::Palette(std::string_view name) {
  const auto* const course = std::ranges::find(kCourses, name, &Course::name);
  if (course == kCourses.end())
    throw InvalidArgument("'" + std::string(name) + "' is no palette; use one of " + names());
  for (int i = 0; i < kColours; ++i) colours_.push_back(colour_of(*course, i / (kColours - 1.0)));
}

Rgb Palette::at(double position) const noexcept {
  const double place = position > 0 ? std::min(position, 1.0) : 0.0;
  return colours_[static_cast<std::size_t>(std::lround(place * (kColours - 1)))];
}

std::string Palette::names() {
  std::string all;
  for (const Course& course : kCourses) all += (all.empty() ? "" : ", ") + std::string(course.name);
  return all;
}

}  // namespace ringwave::io

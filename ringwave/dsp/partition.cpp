// SPDX-License-Identifier: Apache-2.0
#include "ringwave/dsp/partition.hpp"

#include <algorithm>

namespace ringwave::dsp {
namespace {

constexpr int kGrowth = 8;           // from one level to the next
constexpr int kLongestPart = 65536;  // a change of the response takes up to four of them: 5.5 s at 48 kHz
constexpr int kPiecePoints = 2048;   // of a small transform: some two microseconds
constexpr int kMostRadix = 32;

int radix_of(int points) {
  int radix = 1;
  while (radix < kMostRadix && points / radix > kPiecePoints && points / radix % 4 == 0) radix *= 2;
  return radix;
}

}  // namespace

std::vector<PartitionLevel> partition(int block_frames, int taps) {
  std::vector<PartitionLevel> levels;
  int frames = block_frames;
  int offset = 0;
  while (offset < taps) {
    const int next = frames <= kLongestPart / kGrowth ? frames * kGrowth : frames;
    const bool last = next == frames || 2 * next >= taps;
    const int end = last ? taps : 2 * next;
    const int count = (end - offset + frames - 1) / frames;
    levels.push_back({frames, offset, count, levels.empty() ? 1 : radix_of(2 * frames)});
    offset += count * frames;
    frames = next;
  }
  if (levels.empty()) levels.push_back({block_frames, 0, 1, 1});
  return levels;
}

}  // namespace ringwave::dsp

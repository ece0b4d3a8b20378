// SPDX-License-Identifier: Apache-2.0
// Any bytes are audio, or BadFile. What is read has the shape that was said, and not more frames than that;
// what it has for tags can be written into every format.
//
// Seeds are made here: the first byte of the input chooses a file of one format, the second how much of it is
// cut off, and every three that follow change one byte of its head. By the value 0 the input is the file
// itself.
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "ringwave/core/error.hpp"
#include "ringwave/io/audio_reader.hpp"
#include "ringwave/io/audio_writer.hpp"
#include "ringwave/io/tags/tag_blocks.hpp"
#include "ringwave/io/tags/wav_chunks.hpp"

namespace {

using ringwave::io::AudioReader;
using ringwave::io::AudioWriter;

constexpr std::size_t kHeadBytes = 4096;       // where headers and the first pages are
constexpr std::int64_t kMostFrames = 1 << 20;  // a header may promise centuries of silence

void require(bool holds) {
  if (!holds) std::abort();
}

/// A file in memory, with a path.
class MemoryFile {
 public:
  MemoryFile() : descriptor_(memfd_create("fuzz", MFD_CLOEXEC)) {}
  ~MemoryFile() { close(descriptor_); }
  MemoryFile(const MemoryFile&) = delete;  // it owns a descriptor
  MemoryFile& operator=(const MemoryFile&) = delete;

  void set(const std::string& bytes) const {
    require(ftruncate(descriptor_, 0) == 0);
    require(pwrite(descriptor_, bytes.data(), bytes.size(), 0) == static_cast<ssize_t>(bytes.size()));
  }
  [[nodiscard]] std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

 private:
  int descriptor_;
};

ringwave::io::AudioTags seed_tags() {
  const std::vector<std::byte> bytes(100, std::byte{7});
  ringwave::io::AudioTags tags;
  tags.texts = {{"TITLE", "Moon"}, {"ARTIST", "One"}, {"ARTIST", "Two"}, {"MY FIELD", "mine"}};
  tags.pictures = {{3, "image/png", "cover", bytes}};
  tags.cues = {{100, "verse"}, {500, "refrain"}};
  tags.loops = {{ringwave::io::AudioTags::Loop::Way::forward, 10, 500, 0}};
  tags.broadcast = bytes;
  return tags;
}

void write_tags(const AudioReader& reader) {
  using namespace ringwave::io;
  AudioTags tags = reader.tags();
  const int rate = reader.sample_rate_hz();
  for (const AudioFormat format : kAudioFormats) (void)tags.without_a_place_in(format);
  (void)wav_chunks(tags, rate);
  (void)tags_of_id3({.v2 = id3_tag(tags, rate), .v1 = {}}, rate);
  (void)tags_of_vorbis_comment(vorbis_comment(tags, rate, {}, true), rate);
  for (const AudioTags::Picture& picture : tags.pictures) require(picture.data.size() <= kMostTagBytes);
  tags.change_rate(rate, rate == 44100 ? 48000 : 44100);
  tags.drop_levels();
}

std::vector<std::string> make_seeds() {
  std::vector<std::string> seeds;
  const std::string path = "/tmp/ringwave-fuzz-seed-" + std::to_string(getpid());
  std::vector<float> samples(2000);
  for (std::size_t n = 0; n < samples.size(); ++n) samples[n] = static_cast<float>(n % 100) / 100 - 0.5F;
  for (const auto format : ringwave::io::kAudioFormats) {
    AudioWriter writer(path, {.channels = 2, .sample_rate_hz = 48000, .format = format, .tags = seed_tags()});
    writer.write({samples.data(), 2, 1000});
    writer.commit();
    std::ifstream file(path, std::ios::binary);
    seeds.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  unlink(path.c_str());
  return seeds;
}

std::string file_of(const std::uint8_t* data, std::size_t size) {
  static const std::vector<std::string> seeds = make_seeds();
  if (size < 2 || data[0] % (seeds.size() + 1) == 0) return {reinterpret_cast<const char*>(data), size};
  std::string bytes = seeds[data[0] % (seeds.size() + 1) - 1];
  bytes.resize(bytes.size() - bytes.size() * data[1] / 256);
  for (std::size_t i = 2; i + 2 < size; i += 3) {
    const std::size_t place = (data[i] * 256U + data[i + 1]) % kHeadBytes;
    if (place < bytes.size()) bytes[place] = static_cast<char>(data[i + 2]);
  }
  return bytes;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const MemoryFile file;
  file.set(file_of(data, size));
  try {
    const bool salvage = size % 2 != 0;
    AudioReader reader(file.path(), {.salvage = salvage});
    write_tags(reader);
    const int channels = reader.channels();
    require(channels >= 1 && channels <= ringwave::io::kMostFileChannels);
    require(reader.sample_rate_hz() >= ringwave::io::kLeastSampleRateHz);
    constexpr int kBlock = 500;
    std::vector<float> block(static_cast<std::size_t>(channels) * kBlock);
    std::int64_t done = 0;
    while (const int count = reader.read({block.data(), channels, kBlock})) {
      require(count > 0 && count <= kBlock);
      done += count;
      if (done > kMostFrames) return 0;
    }
    if (reader.frames() && reader.exact_length() && !salvage) require(done == *reader.frames());
  } catch (const ringwave::BadFile&) {
  }
  return 0;
}

// SPDX-License-Identifier: Apache-2.0
#include "ringwave/io/sndfile_stream.hpp"

#include <algorithm>
#include <span>

namespace ringwave::io {
namespace {

sf_count_t target_of(sf_count_t offset, int whence, sf_count_t position, sf_count_t end) {
  if (whence == SEEK_SET) return offset;
  return whence == SEEK_CUR ? position + offset : end + offset;
}

SndfileInput& input_of(void* self) {
  return *static_cast<SndfileInput*>(self);
}

SndfileOutput& output_of(void* self) {
  return *static_cast<SndfileOutput*>(self);
}

/// Puts a corrected number over the bytes that were read from `begin` on.
void correct(const FileSignature::Correction& correction, std::int64_t begin, std::span<std::byte> bytes) {
  for (unsigned i = 0; i < sizeof correction.value; ++i) {
    const std::int64_t place = correction.at + i - begin;
    if (place >= 0 && place < static_cast<std::int64_t>(bytes.size()))
      bytes[static_cast<std::size_t>(place)] = static_cast<std::byte>(correction.value >> (8 * i) & 0xffU);
  }
}

sf_count_t input_length(void* self) {
  return input_of(self).source->size().value_or(SndfileInput::kEndless);
}

sf_count_t input_tell(void* self) {
  return input_of(self).source->position();
}

sf_count_t input_seek(sf_count_t offset, int whence, void* self) {
  ByteSource& source = *input_of(self).source;
  return input_of(self).thrown.keep(sf_count_t{-1}, [&] {
    const bool done = source.seek(target_of(offset, whence, source.position(), input_length(self)));
    return done ? source.position() : sf_count_t{-1};
  });
}

sf_count_t input_read(void* data, sf_count_t count, void* self) {
  SndfileInput& input = input_of(self);
  return input.thrown.keep(sf_count_t{0}, [&] {
    const auto bytes = std::span(static_cast<std::byte*>(data), static_cast<std::size_t>(count));
    const std::int64_t begin = input.source->position();
    const std::size_t done = input.source->read(bytes);
    for (const auto& correction : input.corrections) correct(correction, begin, bytes.first(done));
    return static_cast<sf_count_t>(done);
  });
}

sf_count_t input_write(const void*, sf_count_t, void*) {
  return 0;
}

sf_count_t output_length(void* self) {
  return output_of(self).end;
}

sf_count_t output_tell(void* self) {
  return output_of(self).position;
}

sf_count_t output_seek(sf_count_t offset, int whence, void* self) {
  SndfileOutput& output = output_of(self);
  return output.thrown.keep(sf_count_t{-1}, [&] {
    output.position = target_of(offset, whence, output.position, output.end);
    const sf_count_t place =
        output.filter != nullptr ? output.filter->place_of(output.position) : output.position;
    if (output.sink->seekable()) output.sink->seek(place);
    return output.position;
  });
}

sf_count_t output_read(void*, sf_count_t, void*) {
  return 0;
}

sf_count_t output_write(const void* data, sf_count_t count, void* self) {
  SndfileOutput& output = output_of(self);
  return output.thrown.keep(sf_count_t{0}, [&] {
    const auto bytes = std::span(static_cast<const std::byte*>(data), static_cast<std::size_t>(count));
    if (output.holds_back)
      output.held.insert(output.held.end(), bytes.begin(), bytes.end());
    else if (output.sink->seekable() || output.position == output.end)
      output.write(bytes);
    output.position += count;
    output.end = std::max(output.end, output.position);
    return count;
  });
}

}  // namespace

SF_VIRTUAL_IO* SndfileInput::callbacks() noexcept {
  static SF_VIRTUAL_IO io{input_length, input_seek, input_read, input_write, input_tell};
  return &io;
}

SF_VIRTUAL_IO* SndfileOutput::callbacks() noexcept {
  static SF_VIRTUAL_IO io{output_length, output_seek, output_read, output_write, output_tell};
  return &io;
}

void SndfileOutput::write(std::span<const std::byte> bytes) const {
  if (filter == nullptr) return sink->write(bytes);
  sink->write(filter->pass(bytes));
}

}  // namespace ringwave::io

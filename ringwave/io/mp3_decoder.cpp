// SPDX-License-Identifier: Apache-2.0
// The only file that knows libmpg123. It is told to print nothing: what is wrong with a file is ours to say.
#include <mpg123.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <string>
#include <utility>

#include "ringwave/core/error.hpp"
#include "ringwave/io/audio_decoder.hpp"
#include "ringwave/io/tags/id3_frames.hpp"
#include "ringwave/io/tags/tag_blocks.hpp"

namespace ringwave::io {
namespace {

struct DeleteHandle {
  void operator()(mpg123_handle* handle) const noexcept { mpg123_delete(handle); }
};

/// The source as libmpg123 reads it, and what it threw: an exception may not cross libmpg123's C.
struct Mp3Input {
  ByteSource* source;
  std::exception_ptr thrown = {};

  static ssize_t read(void* self, void* data, std::size_t bytes) noexcept {
    auto& input = *static_cast<Mp3Input*>(self);
    try {
      return static_cast<ssize_t>(input.source->read({static_cast<std::byte*>(data), bytes}));
    } catch (...) {
      input.thrown = std::current_exception();
      return -1;
    }
  }

  static off_t seek(void* self, off_t offset, int whence) noexcept {
    auto& input = *static_cast<Mp3Input*>(self);
    const std::int64_t base = whence == SEEK_SET   ? 0
                              : whence == SEEK_CUR ? input.source->position()
                                                   : input.source->size().value_or(0);
    try {
      return input.source->seek(base + offset) ? input.source->position() : -1;
    } catch (...) {
      input.thrown = std::current_exception();
      return -1;
    }
  }

  void rethrow() {
    if (thrown) std::rethrow_exception(std::exchange(thrown, nullptr));
  }
};

class Mp3Decoder final : public AudioDecoder {
 public:
  explicit Mp3Decoder(ByteSource& source) : input_{&source} {
    const Id3Blocks id3 = Id3Blocks::read(source);
    int error = MPG123_OK;
    handle_.reset(mpg123_new(nullptr, &error));
    if (!handle_) throw OutOfMemory(std::string("libmpg123 cannot be used: ") + mpg123_plain_strerror(error));
    configure();
    open();
    long rate = 0;
    int encoding = 0;
    if (mpg123_getformat(handle_.get(), &rate, &info_.channels, &encoding) != MPG123_OK) fail();
    info_.sample_rate_hz = static_cast<int>(rate);
    mpg123_scan(handle_.get());  // what it makes of a file without a length in it would be a guess
    input_.rethrow();
    if (const off_t frames = mpg123_length(handle_.get()); frames >= 0) info_.frames = frames;
    info_.speakers = usual_speakers(info_.channels);
    if (rate > 0) info_.tags = tags_of_id3(id3, info_.sample_rate_hz);
  }

  [[nodiscard]] const Info& info() const noexcept override { return info_; }

  std::int64_t decode(std::span<float> interleaved) override {
    std::size_t done = 0;
    const int status = mpg123_read(handle_.get(), reinterpret_cast<unsigned char*>(interleaved.data()),
                                   interleaved.size_bytes(), &done);
    input_.rethrow();
    const auto frame_bytes = sizeof(float) * static_cast<std::size_t>(info_.channels);
    if (done == 0 && status != MPG123_OK && status != MPG123_DONE && status != MPG123_NEW_FORMAT) fail();
    return static_cast<std::int64_t>(done / frame_bytes);
  }

 private:
  void configure() {
    mpg123_param(handle_.get(), MPG123_REMOVE_FLAGS, MPG123_AUTO_RESAMPLE, 0);
    mpg123_param(
        handle_.get(), MPG123_ADD_FLAGS,
        MPG123_QUIET | MPG123_FORCE_FLOAT | MPG123_GAPLESS | MPG123_NO_FRANKENSTEIN | MPG123_SKIP_ID3V2, 0);
    mpg123_replace_reader_handle(handle_.get(), Mp3Input::read, Mp3Input::seek, nullptr);
  }

  void open() {
    const int status = mpg123_open_handle(handle_.get(), &input_);
    input_.rethrow();
    if (status != MPG123_OK) fail();
  }

  [[noreturn]] void fail() {
    input_.rethrow();
    throw BadFile(input_.source->name() +
                  " is damaged, or not the audio file that it begins as: " + mpg123_strerror(handle_.get()));
  }

  Mp3Input input_;
  std::unique_ptr<mpg123_handle, DeleteHandle> handle_;  // before input_ goes, it is closed
  Info info_;
};

}  // namespace

std::unique_ptr<AudioDecoder> make_mp3_decoder(ByteSource& source) {
  static const int ready = mpg123_init();  // of older libraries; nothing today
  (void)ready;
  return std::make_unique<Mp3Decoder>(source);
}

}  // namespace ringwave::io

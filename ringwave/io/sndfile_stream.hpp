// SPDX-License-Identifier: Apache-2.0
#pragma once

// libsndfile, as the files sndfile_*.cpp use it. It reads and writes through our sources and sinks, so that
// pipes, stops and full disks are ours to answer for.
#include <sndfile.h>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <utility>
#include <vector>

#include "ringwave/io/byte_sink.hpp"
#include "ringwave/io/byte_source.hpp"
#include "ringwave/io/file_signature.hpp"
#include "ringwave/io/tags/head_filter.hpp"

namespace ringwave::io {

struct CloseSndfile {
  void operator()(SNDFILE* file) const noexcept { sf_close(file); }
};
using Sndfile = std::unique_ptr<SNDFILE, CloseSndfile>;

/// An exception may not cross libsndfile's C: it waits here until the call has come back.
class Thrown {
 public:
  template <class Result, class Call>
  Result keep(Result failed, Call call) noexcept {
    try {
      if (!exception_) return call();
    } catch (...) {
      exception_ = std::current_exception();
    }
    return failed;
  }

  /// [setup]
  void rethrow() {
    if (exception_) std::rethrow_exception(std::exchange(exception_, nullptr));
  }

 private:
  std::exception_ptr exception_;
};

/// A source as libsndfile wants it.
struct SndfileInput {
  static constexpr sf_count_t kEndless = sf_count_t{1} << 60;  // what a pipe's length is said to be

  ByteSource* source;
  std::vector<FileSignature::Correction> corrections;
  Thrown thrown = {};

  [[nodiscard]] static SF_VIRTUAL_IO* callbacks() noexcept;
};

/// A sink as libsndfile wants it. A pipe cannot be gone back in: what would be written a second time, lengths
/// that are known at the end only, is left out. MP3's first frame, where its length would be, is silence
/// then.
struct SndfileOutput {
  ByteSink* sink;
  HeadFilter* filter = nullptr;  // may be absent
  Thrown thrown = {};
  sf_count_t position = 0;
  sf_count_t end = 0;
  bool holds_back = false;  // from here on, for `held`
  std::vector<std::byte> held = {};

  [[nodiscard]] static SF_VIRTUAL_IO* callbacks() noexcept;

  /// Writes what the filter makes of the bytes. [setup]
  void write(std::span<const std::byte> bytes) const;
};

}  // namespace ringwave::io

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ringwave/io/byte_source.hpp"
#include "ringwave/io/file_signature.hpp"

namespace ringwave::io {

/// The end of a file that is not there.
struct TornEnd {
  std::string missing;  ///< as "1000 of 2000 bytes are there"

  /// Sizes that a decoder wants to be right before it gives what is there.
  std::vector<FileSignature::Correction> corrections = {};
};

/// What is missing where a file ends before its own headers say. Nothing for a whole file; for a pipe, whose
/// end is not known yet; and for FLAC, which says its length in frames. Leaves the source at its beginning.
/// Throws as ByteSource::read(). [setup]
[[nodiscard]] std::optional<TornEnd> torn_end(ByteSource& source, const FileSignature& signature);

}  // namespace ringwave::io

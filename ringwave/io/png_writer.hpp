// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ringwave/io/byte_sink.hpp"
#include "ringwave/io/image.hpp"

namespace ringwave::io {

/// Writes a picture as PNG, 8 bits of sRGB; the sink's commit() is the caller's. Throws BadFile that says why
/// it cannot, OutOfMemory, Interrupted. [setup]
void write_png(ByteSink& sink, const Image& image);

}  // namespace ringwave::io

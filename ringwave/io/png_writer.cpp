// SPDX-License-Identifier: Apache-2.0
// The only file that knows libpng.
#include "ringwave/io/png_writer.hpp"

#include <png.h>

#include <string>
#include <vector>

#include "ringwave/core/error.hpp"
#include "ringwave/core/trace.hpp"

namespace ringwave::io {

void write_png(ByteSink& sink, const Image& image) {
  const trace::Span span("write png");
  png_image header{};
  header.version = PNG_IMAGE_VERSION;
  header.width = static_cast<png_uint_32>(image.width());
  header.height = static_cast<png_uint_32>(image.height());
  header.format = PNG_FORMAT_RGB;
  // Packed in memory first: what goes wrong while writing is the sink's to say, and libpng never waits.
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(header);
  std::vector<std::byte> bytes(size);
  if (png_image_write_to_memory(&header, bytes.data(), &size, 0, image.data(), 0, nullptr) == 0)
    throw OutOfMemory(sink.name() + " cannot be packed as PNG: " + header.message);
  sink.write(std::span(bytes).first(size));
}

}  // namespace ringwave::io

// SPDX-License-Identifier: Apache-2.0
#include "apps/server/page_files.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <utility>

#include "ringwave/core/error.hpp"
#include "ringwave/core/read_file.hpp"

namespace ringwave::server {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLargestFile = std::size_t{16} << 20;
constexpr std::string_view kIndex = "/index.html";

constexpr std::array<std::pair<std::string_view, std::string_view>, 12> kTypes{{
    {".html", "text/html; charset=utf-8"},
    {".js", "text/javascript; charset=utf-8"},
    {".mjs", "text/javascript; charset=utf-8"},
    {".css", "text/css; charset=utf-8"},
    {".json", "application/json"},
    {".webmanifest", "application/manifest+json"},
    {".svg", "image/svg+xml"},
    {".png", "image/png"},
    {".ico", "image/x-icon"},
    {".woff2", "font/woff2"},
    {".wasm", "application/wasm"},
    {".txt", "text/plain; charset=utf-8"},
}};

/// FNV-1a of 64 bits: it tells versions of a file apart, and nobody gains by making two alike.
std::string tag_of(std::string_view bytes) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3;
  std::array<char, 24> text{};
  const int length =
      std::snprintf(text.data(), text.size(), "\"%016llx\"", static_cast<unsigned long long>(hash));
  return {text.data(), static_cast<std::size_t>(length)};
}

}  // namespace

std::string_view media_type(std::string_view name) noexcept {
  const auto found =
      std::ranges::find_if(kTypes, [&](const auto& type) { return name.ends_with(type.first); });
  return found == kTypes.end() ? "application/octet-stream" : found->second;
}

std::string_view embedded_file(std::string_view name) noexcept {
  for (const EmbeddedFile& file : embedded_files())
    if (file.name == name) return file.bytes;
  return {};
}

PageFiles::PageFiles(const fs::path& folder) {
  constexpr std::string_view kPage = "web/";
  if (folder.empty()) {
    for (const EmbeddedFile& file : embedded_files())
      if (file.name.starts_with(kPage))
        files_[std::string(file.name.substr(kPage.size() - 1))] = {.bytes = file.bytes,
                                                                   .tag = tag_of(file.bytes)};
    return;
  }
  std::error_code error;
  for (const fs::directory_entry& file : fs::recursive_directory_iterator(folder, error))
    if (file.is_regular_file())
      files_[std::string("/").append(file.path().lexically_relative(folder).string())] = {.path =
                                                                                              file.path()};
  if (error || !files_.contains(kIndex))
    throw BadFile(folder.string() +
                  " is no folder of a web page: " + (error ? error.message() : "no index.html"));
}

Answer PageFiles::answer(const std::string& path, const std::string& if_none_match) const {
  const auto found = files_.find(path == "/" ? kIndex : std::string_view(path));
  if (found == files_.end())
    return refusal_answer(stream::RefusalCode::not_found, "there is nothing at this address");
  const File& file = found->second;
  Answer answer;
  answer.content_type = media_type(found->first);
  answer.body = file.path.empty() ? std::string(file.bytes) : read_file(file.path, kLargestFile);
  const std::string tag = file.path.empty() ? file.tag : tag_of(answer.body);
  answer.headers.emplace_back("ETag", tag);
  answer.headers.emplace_back("Cache-Control", "no-cache");
  if (if_none_match.find(tag) == std::string::npos) return answer;
  answer.status = 304;
  answer.body.clear();
  return answer;
}

}  // namespace ringwave::server

// SPDX-License-Identifier: Apache-2.0
// The only file that knows TagLib. It is given blocks of bounded size, never a file, and of ID3 only frames
// that are neither compressed nor encrypted: TagLib would unpack a few kilobytes into gigabytes.
#include <taglib/attachedpictureframe.h>
#include <taglib/chapterframe.h>
#include <taglib/flacpicture.h>
#include <taglib/id3v2framefactory.h>
#include <taglib/id3v2tag.h>
#include <taglib/infotag.h>
#include <taglib/mpegfile.h>
#include <taglib/tbytevectorstream.h>
#include <taglib/textidentificationframe.h>
#include <taglib/tpropertymap.h>
#include <taglib/xiphcomment.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "ringwave/io/tags/chapter_comments.hpp"
#include "ringwave/io/tags/tag_blocks.hpp"

namespace ringwave::io {
namespace {

using Text = AudioTags::Text;

struct InfoId {
  const char* id;
  std::string_view name;
};
constexpr std::array kInfoIds{
    InfoId{"INAM", "TITLE"},       InfoId{"IART", "ARTIST"},    InfoId{"IPRD", "ALBUM"},
    InfoId{"ICMT", "COMMENT"},     InfoId{"IGNR", "GENRE"},     InfoId{"ICRD", "DATE"},
    InfoId{"IPRT", "TRACKNUMBER"}, InfoId{"ICOP", "COPYRIGHT"}, InfoId{"IENG", "ENGINEER"},
    InfoId{"ILNG", "LANGUAGE"},    InfoId{"ITCH", "ENCODEDBY"}, InfoId{"IKEY", "KEYWORDS"},
    InfoId{"ISBJ", "SUBJECT"},     InfoId{"ISRC", "SOURCE"}};

TagLib::ByteVector vector_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), static_cast<unsigned>(bytes.size())};
}

std::vector<std::byte> bytes_of(const TagLib::ByteVector& vector) {
  const auto bytes = std::as_bytes(std::span(vector.data(), vector.size()));
  return {bytes.begin(), bytes.end()};
}

TagLib::String string_of(const std::string& text) {
  return {text, TagLib::String::UTF8};
}

void take(AudioTags& tags, const TagLib::PropertyMap& properties) {
  for (const auto& [name, values] : properties)
    for (const TagLib::String& value : values)
      if (!is_about_the_encoding(name.to8Bit(true)))
        tags.texts.push_back({name.to8Bit(true), value.to8Bit(true)});
  for (const TagLib::String& other : properties.unsupportedData())
    if (!other.startsWith("APIC")) ++tags.unread;  // pictures are no text
}

TagLib::PropertyMap properties_of(const std::vector<Text>& texts) {
  TagLib::PropertyMap properties;
  for (const Text& text : texts) properties[string_of(text.name)].append(string_of(text.value));
  return properties;
}

AudioTags::Picture picture_of(const TagLib::FLAC::Picture& picture) {
  return {static_cast<int>(picture.type()),
          picture.mimeType().to8Bit(true),
          picture.description().to8Bit(true),
          bytes_of(picture.data()),
          picture.width(),
          picture.height(),
          picture.colorDepth(),
          picture.numColors()};
}

void fill(TagLib::FLAC::Picture& to, const AudioTags::Picture& picture) {
  to.setType(static_cast<TagLib::FLAC::Picture::Type>(picture.kind));
  to.setMimeType(string_of(picture.mime));
  to.setDescription(string_of(picture.description));
  to.setData(vector_of(picture.data));
  to.setWidth(picture.width);
  to.setHeight(picture.height);
  to.setColorDepth(picture.bits_per_pixel);
  to.setNumColors(picture.colours);
}

/// The frames of a tag as TagLib reads them, through a file in memory that is nothing but the tag.
class Id3File {
 public:
  Id3File(const Id3Frames& frames, std::span<const std::byte> v1)
      : stream_(joined(frames, v1)), file_(&stream_, TagLib::ID3v2::FrameFactory::instance(), false) {}

  void read(AudioTags& tags) {
    take(tags, file_.properties());
    if (file_.ID3v2Tag() == nullptr) return;
    for (const auto* frame : file_.ID3v2Tag()->frameList("APIC"))
      if (const auto* picture = dynamic_cast<const TagLib::ID3v2::AttachedPictureFrame*>(frame))
        tags.pictures.push_back({static_cast<int>(picture->type()), picture->mimeType().to8Bit(true),
                                 picture->description().to8Bit(true), bytes_of(picture->picture())});
  }

 private:
  static TagLib::ByteVector joined(const Id3Frames& frames, std::span<const std::byte> v1) {
    std::vector<std::byte> bytes;
    if (!frames.frames.empty()) bytes = frames.plain_tag();
    bytes.resize(bytes.size() + 16);  // between the two, no frame of sound
    bytes.insert(bytes.end(), v1.begin(), v1.end());
    return vector_of(bytes);
  }

  TagLib::ByteVectorStream stream_;
  TagLib::MPEG::File file_;
};

bool is_for_taglib(const std::string& id) {
  return id.starts_with("T") || id.starts_with("W") || id == "COMM" || id == "COM" || id == "USLT" ||
         id == "ULT" || id == "APIC" || id == "PIC" || id == "UFID" || id == "IPLS";
}

std::uint32_t big_endian(std::span<const std::byte> bytes) {
  std::uint32_t value = 0;
  for (const std::byte b : bytes.first(4)) value = value << 8U | std::to_integer<std::uint32_t>(b);
  return value;
}

/// A CHAP frame: an identifier, a zero, four numbers of which the first is its time, and frames of its own.
std::optional<AudioTags::Cue> cue_of_chapter(const Id3Frame& chapter, int version, int sample_rate_hz) {
  const std::span<const std::byte> data(chapter.data);
  const auto zero = std::ranges::find(data, std::byte{0});
  if (zero == data.end()) return std::nullopt;
  const auto numbers = data.subspan(static_cast<std::size_t>(zero - data.begin()) + 1);
  constexpr std::size_t kNumbersBytes = 16;
  if (numbers.size() < kNumbersBytes) return std::nullopt;
  Id3Frames own = Id3Frames::read_embedded(numbers.subspan(kNumbersBytes), version);
  std::erase_if(own.frames, [](const Id3Frame& frame) { return frame.id != "TIT2"; });
  AudioTags title;
  Id3File(own, {}).read(title);
  return AudioTags::Cue{frame_of_milliseconds(big_endian(numbers), sample_rate_hz),
                        title.text("TITLE").value_or("")};
}

TagLib::ID3v2::Frame* chapter_frame(const AudioTags::Cue& cue, std::int64_t end_ms, std::size_t number,
                                    int sample_rate_hz) {
  const auto limited = [](std::int64_t value) {
    return static_cast<unsigned>(
        std::clamp<std::int64_t>(value, 0, std::numeric_limits<std::uint32_t>::max()));
  };
  const std::string id = "chapter" + std::to_string(number);
  TagLib::ID3v2::FrameList own;
  if (!cue.label.empty()) {
    auto* title = new TagLib::ID3v2::TextIdentificationFrame("TIT2", TagLib::String::UTF8);
    title->setText(string_of(cue.label));
    own.append(title);  // which the frame takes
  }
  constexpr unsigned kNoOffset = std::numeric_limits<std::uint32_t>::max();
  const unsigned begin = limited(milliseconds_of_frame(cue.frame, sample_rate_hz));
  return new TagLib::ID3v2::ChapterFrame(TagLib::ByteVector(id.c_str(), static_cast<unsigned>(id.size() + 1)),
                                         begin, std::max(begin, limited(end_ms)), kNoOffset, kNoOffset, own);
}

bool is_utf8(std::span<const std::byte> bytes) {
  for (std::size_t i = 0; i < bytes.size();) {
    const auto lead = std::to_integer<unsigned>(bytes[i++]);
    const int more = lead < 0x80 ? 0 : lead >> 5U == 6 ? 1 : lead >> 4U == 14 ? 2 : lead >> 3U == 30 ? 3 : -1;
    if (more < 0) return false;
    for (int k = 0; k < more; ++k)
      if (i >= bytes.size() || std::to_integer<unsigned>(bytes[i++]) >> 6U != 2) return false;
  }
  return true;
}

const InfoId* info_id_of(const std::string& name) {
  const auto* found = std::ranges::find(kInfoIds, name, &InfoId::name);
  return found == kInfoIds.end() ? nullptr : found;
}

}  // namespace

AudioTags tags_of_vorbis_comment(std::span<const std::byte> block, int sample_rate_hz) {
  AudioTags tags;
  TagLib::Ogg::XiphComment comment(vector_of(block));
  take(tags, comment.properties());
  for (const TagLib::FLAC::Picture* picture : comment.pictureList())
    tags.pictures.push_back(picture_of(*picture));
  cues_from_chapters(tags, sample_rate_hz);
  return tags;
}

std::optional<AudioTags::Picture> picture_of_flac_block(std::span<const std::byte> block) {
  TagLib::FLAC::Picture picture;
  if (!picture.parse(vector_of(block))) return std::nullopt;
  return picture_of(picture);
}

AudioTags tags_of_id3(const Id3Blocks& blocks, int sample_rate_hz) {
  Id3Frames frames = Id3Frames::read(blocks.v2);
  AudioTags tags;
  tags.unread = frames.unread + (blocks.too_large ? 1 : 0);
  std::erase_if(frames.frames, [&](const Id3Frame& frame) {
    if (is_for_taglib(frame.id)) return false;
    if (frame.id == "CTOC") return true;  // the order of the chapters, which is that of their times
    const auto cue =
        frame.id == "CHAP" ? cue_of_chapter(frame, frames.version, sample_rate_hz) : std::nullopt;
    if (cue)
      tags.cues.push_back(*cue);
    else
      ++tags.unread;
    return true;
  });
  Id3File(frames, blocks.v1).read(tags);
  std::ranges::stable_sort(tags.cues, {}, &AudioTags::Cue::frame);
  return tags;
}

AudioTags tags_of_riff_info(std::span<const std::byte> block) {
  AudioTags tags;
  constexpr std::size_t kHeadBytes = 8;
  std::size_t begin = 0;
  while (begin + kHeadBytes <= block.size()) {
    const auto id = std::string(reinterpret_cast<const char*>(block.data()) + begin, 4);
    std::size_t size = 0;
    for (std::size_t i = 0; i < 4; ++i) size |= std::to_integer<std::size_t>(block[begin + 4 + i]) << (8 * i);
    begin += kHeadBytes;
    size = std::min(size, block.size() - begin);
    auto bytes = block.subspan(begin, size);
    bytes = bytes.first(static_cast<std::size_t>(std::ranges::find(bytes, std::byte{0}) - bytes.begin()));
    const auto* known =
        std::ranges::find_if(kInfoIds, [&](const InfoId& info_id) { return id == info_id.id; });
    const TagLib::String value(vector_of(bytes),
                               is_utf8(bytes) ? TagLib::String::UTF8 : TagLib::String::Latin1);
    if (known != kInfoIds.end() && !bytes.empty())
      tags.texts.push_back({std::string(known->name), value.to8Bit(true)});
    else if (id != "ISFT")  // the program that wrote it
      ++tags.unread;
    begin += size + size % 2;
  }
  return tags;
}

std::vector<std::byte> vorbis_comment(const AudioTags& tags, int sample_rate_hz,
                                      std::span<const std::byte> own, bool pictures) {
  TagLib::Ogg::XiphComment comment(vector_of(own));
  const auto add = [&](const Text& text) {
    const TagLib::String name = string_of(text.name);
    if (TagLib::Ogg::XiphComment::checkKey(name)) comment.addField(name, string_of(text.value), false);
  };
  std::ranges::for_each(tags.texts, add);
  std::ranges::for_each(chapters_of_cues(tags, sample_rate_hz), add);
  if (pictures)
    for (const AudioTags::Picture& picture : tags.pictures) {
      auto* made = new TagLib::FLAC::Picture;  // which the comment takes
      fill(*made, picture);
      comment.addPicture(made);
    }
  return bytes_of(comment.render(false));
}

std::vector<std::byte> flac_picture_block(const AudioTags::Picture& picture) {
  TagLib::FLAC::Picture made;
  fill(made, picture);
  return bytes_of(made.render());
}

std::vector<std::byte> id3_tag(const AudioTags& tags, int sample_rate_hz) {
  TagLib::ID3v2::Tag tag;
  tag.setProperties(properties_of(tags.texts));
  for (const AudioTags::Picture& picture : tags.pictures) {
    auto* frame = new TagLib::ID3v2::AttachedPictureFrame;  // which the tag takes
    frame->setType(static_cast<TagLib::ID3v2::AttachedPictureFrame::Type>(picture.kind));
    frame->setMimeType(string_of(picture.mime));
    frame->setDescription(string_of(picture.description));
    frame->setTextEncoding(TagLib::String::UTF8);
    frame->setPicture(vector_of(picture.data));
    tag.addFrame(frame);
  }
  for (std::size_t i = 0; i < tags.cues.size(); ++i) {
    const bool last = i + 1 == tags.cues.size();
    const std::int64_t end_ms = milliseconds_of_frame(tags.cues[last ? i : i + 1].frame, sample_rate_hz);
    tag.addFrame(chapter_frame(tags.cues[i], end_ms, i, sample_rate_hz));
  }
  return tag.isEmpty() ? std::vector<std::byte>{} : bytes_of(tag.render(TagLib::ID3v2::v4));
}

std::vector<std::byte> riff_info(const AudioTags& tags) {
  TagLib::RIFF::Info::Tag info;
  for (const InfoId& id : kInfoIds) {
    std::string joined;
    for (const Text& text : tags.texts)
      if (text.name == id.name) joined += (joined.empty() ? "" : "; ") + text.value;
    if (!joined.empty()) info.setFieldText(id.id, string_of(joined));
  }
  if (info.fieldListMap().isEmpty()) return {};
  constexpr std::size_t kTypeBytes = 4;  // "INFO" itself
  std::vector<std::byte> bytes = bytes_of(info.render());
  bytes.erase(bytes.begin(), bytes.begin() + kTypeBytes);
  return bytes;
}

bool fits_riff_info(const AudioTags& tags) {
  return tags.pictures.empty() && std::ranges::all_of(tags.texts, [&](const Text& text) {
           return info_id_of(text.name) != nullptr &&
                  std::ranges::count(tags.texts, text.name, &Text::name) == 1;
         });
}

}  // namespace ringwave::io

# SPDX-License-Identifier: Apache-2.0
"""Audio files with tags, made and read by mutagen, ffmpeg and a few lines of RIFF: not by the program under test."""
import base64
import json
import pathlib
import random
import struct
import subprocess
import zlib

import mutagen
import mutagen.flac
import mutagen.id3
import mutagen.oggopus
import mutagen.oggvorbis

from audio import RATE, ffmpeg

TEXTS = {"TITLE": "Stille — 静夜", "ARTIST": "Jemand", "ALBUM": "Zwölf", "DATE": "1999", "TRACKNUMBER": "3/9",
         "GENRE": "Ambient", "COMMENT": "ein Satz", "MYFIELD": "mine"}
# The names that ID3 has for them; the last one has none.
ID3 = {"TITLE": "TIT2", "ARTIST": "TPE1", "ALBUM": "TALB", "DATE": "TDRC", "TRACKNUMBER": "TRCK", "GENRE": "TCON"}


def png(width=60, height=60):
    """A picture of noise, which is not small."""
    rows = b"".join(b"\0" + random.Random(row).randbytes(3 * width) for row in range(height))

    def part(name, content):
        return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))
    return (b"\x89PNG\r\n\x1a\n" + part(b"IHDR", struct.pack(">2I5B", width, height, 8, 2, 0, 0, 0))
            + part(b"IDAT", zlib.compress(rows)) + part(b"IEND", b""))


PICTURE = png()
CUES = ((4800, "Verse"), (24000, "Refrain"))
LOOP = (1000, 1999)
BEXT = b"A broadcast".ljust(602, b"\0")


def chunk(name, content):
    return name + struct.pack("<I", len(content)) + content + bytes(len(content) % 2)


def riff_chunks(path):
    """The chunks of a WAV file: pairs of a name and bytes."""
    content = pathlib.Path(path).read_bytes()
    found, at = [], 12
    while at + 8 <= len(content):
        name, size = content[at:at + 4], int.from_bytes(content[at + 4:at + 8], "little")
        found.append((name, content[at + 8:at + 8 + size]))
        at += 8 + size + size % 2
    return found


def with_chunks(path, chunks):
    content = path.read_bytes() + chunks
    path.write_bytes(content[:4] + struct.pack("<I", len(content) - 8) + content[8:])


def add_id3(tags):
    for name, frame in ID3.items():
        tags.add(getattr(mutagen.id3, frame)(encoding=3, text=TEXTS[name]))
    tags.add(mutagen.id3.COMM(encoding=3, lang="deu", desc="", text=TEXTS["COMMENT"]))
    tags.add(mutagen.id3.TXXX(encoding=3, desc="MYFIELD", text=TEXTS["MYFIELD"]))
    tags.add(mutagen.id3.APIC(encoding=3, mime="image/png", type=3, desc="cover", data=PICTURE))


def picture_block():
    picture = mutagen.flac.Picture()
    picture.type, picture.mime, picture.desc, picture.data = 3, "image/png", "cover", PICTURE
    return picture


def chapter_comments():
    comments = {}
    for number, (frame, label) in enumerate(CUES):
        seconds = frame / RATE
        comments[f"CHAPTER{number:03}"] = f"00:00:{seconds:06.3f}"
        comments[f"CHAPTER{number:03}NAME"] = label
    return comments


def tag_wav(path):
    points = b"".join(struct.pack("<II4sIII", i + 1, frame, b"data", 0, 0, frame) for i, (frame, _) in enumerate(CUES))
    labels = b"".join(chunk(b"labl", struct.pack("<I", i + 1) + label.encode() + b"\0")
                      for i, (_, label) in enumerate(CUES))
    loop = struct.pack("<9I", 0, 0, 20833, 60, 0, 0, 0, 1, 0) + struct.pack("<6I", 0, 0, *LOOP, 0, 0)
    file = mutagen.File(path)
    file.add_tags()
    add_id3(file.tags)
    file.save()
    with_chunks(path, chunk(b"cue ", struct.pack("<I", len(CUES)) + points) + chunk(b"LIST", b"adtl" + labels)
                + chunk(b"smpl", loop) + chunk(b"bext", BEXT))


def tag_aiff(path):
    file = mutagen.File(path)
    file.add_tags()
    add_id3(file.tags)
    file.save()
    markers = b""
    for number, (frame, label) in enumerate(CUES):
        text = bytes([len(label)]) + label.encode()
        markers += struct.pack(">HI", number + 1, frame) + text + bytes(len(text) % 2)
    content = path.read_bytes()
    mark = b"MARK" + struct.pack(">I", len(markers) + 2) + struct.pack(">H", len(CUES)) + markers
    at = content.index(b"SSND")
    content = content[:at] + mark + content[at:]
    path.write_bytes(content[:4] + struct.pack(">I", len(content) - 8) + content[8:])


def tag_vorbis(path):
    file = mutagen.File(path)
    for name, value in {**TEXTS, **chapter_comments()}.items():
        file[name] = value
    if isinstance(file, mutagen.flac.FLAC):
        file.add_picture(picture_block())
    else:
        file["METADATA_BLOCK_PICTURE"] = base64.b64encode(picture_block().write()).decode()
    file.save()


def tag_mp3(path):
    file = mutagen.File(path)
    if file.tags is None:
        file.add_tags()
    file.tags.clear()
    add_id3(file.tags)
    for number, (frame, label) in enumerate(CUES):
        begin = frame * 1000 // RATE
        file.tags.add(mutagen.id3.CHAP(element_id=f"c{number}", start_time=begin, end_time=begin + 100,
                                       sub_frames=[mutagen.id3.TIT2(encoding=3, text=label)]))
    file.save()


TAGGERS = {"wav": tag_wav, "flac": tag_vorbis, "ogg": tag_vorbis, "opus": tag_vorbis, "mp3": tag_mp3, "aiff": tag_aiff,
           "caf": None}


def make(folder, ending, seconds=1):
    """A file of that kind with every tag that it has a place for."""
    path = folder / f"source.{ending}"
    texts = [option for name in ("title", "artist", "album", "genre", "comment") for option in
             ("-metadata", f"{name}={TEXTS[name.upper()]}")] if ending == "caf" else []
    ffmpeg("-f", "lavfi", "-i", f"sine=frequency=440:sample_rate={RATE}:duration={seconds}", "-fflags", "+bitexact",
           "-flags:a", "+bitexact", *texts, path)
    if TAGGERS[ending]:
        TAGGERS[ending](path)
    return path


def info_of(path):
    """The texts of a WAV file that has nothing but INFO."""
    ids = {b"INAM": "TITLE", b"IART": "ARTIST", b"IPRD": "ALBUM", b"IGNR": "GENRE", b"ICMT": "COMMENT"}
    found = {}
    for name, content in riff_chunks(path):
        at = 4
        while name == b"LIST" and content.startswith(b"INFO") and at + 8 <= len(content):
            size = int.from_bytes(content[at + 4:at + 8], "little")
            found[ids.get(content[at:at + 4])] = content[at + 8:at + 8 + size].rstrip(b"\0").decode()
            at += 8 + size + size % 2
    return found


def texts_of(path):
    """The texts of a file, by the names that Vorbis comments have."""
    file = mutagen.File(path)
    if file is None or file.tags is None:
        return info_of(path) if path.suffix == ".wav" else {}
    if not isinstance(file.tags, mutagen.id3.ID3):
        return {name.upper(): values[0] for name, values in file.tags.as_dict().items()}
    found = {name: str(file.tags[frame].text[0]) for name, frame in ID3.items() if frame in file.tags}
    for frame in file.tags.getall("COMM"):
        found["COMMENT"] = str(frame.text[0])
    found.update({frame.desc: str(frame.text[0]) for frame in file.tags.getall("TXXX")})
    return found


def pictures_of(path):
    file = mutagen.File(path)
    if isinstance(file, mutagen.flac.FLAC):
        return [picture.data for picture in file.pictures]
    if file is None or file.tags is None:
        return []
    if isinstance(file.tags, mutagen.id3.ID3):
        return [frame.data for frame in file.tags.getall("APIC")]
    return [mutagen.flac.Picture(base64.b64decode(text)).data for text in file.get("metadata_block_picture", [])]


def cues_of(path):
    """Cue points as frames and labels: of a WAV file from its chunks, of others what ffmpeg calls chapters."""
    if path.suffix == ".wav":
        chunks = riff_chunks(path)
        points = [content for name, content in chunks if name == b"cue "]
        frames = [struct.unpack_from("<I", points[0], 4 + 24 * i + 20)[0]
                  for i in range(int.from_bytes(points[0][:4], "little"))] if points else []
        labels = [content for name, content in chunks if name == b"LIST" and content.startswith(b"adtl")]
        return [(frame, label) for frame, (_, label) in zip(frames, CUES)
                if labels and label.encode() + b"\0" in labels[0]]
    said = json.loads(subprocess.run(["ffprobe", "-v", "error", "-show_chapters", "-of", "json", path],
                                     capture_output=True, text=True, check=True).stdout)
    return [(round(float(chapter["start_time"]) * RATE), chapter.get("tags", {}).get("title", ""))
            for chapter in said["chapters"]]


def loops_of(path):
    if path.suffix != ".wav":
        return []
    return [struct.unpack_from("<2I", content, 36 + 8) for name, content in riff_chunks(path) if name == b"smpl"]


def broadcast_of(path):
    return [content for name, content in riff_chunks(path) if name == b"bext"] if path.suffix == ".wav" else []

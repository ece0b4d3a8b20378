# SPDX-License-Identifier: Apache-2.0
"""Tags from every format to every other, as mutagen, ffmpeg, metaflac and opusinfo see them; docs/files.md has the
table."""
import subprocess

import mutagen
import mutagen.id3

import tagged
from audio import RATE, ffmpeg, needs, read_wav
from program import OK, PROGRAM, ROOT, ProgramTest

TARGETS = ("wav", "flac", "ogg", "opus", "mp3", "raw")
SOURCES = ("wav", "flac", "ogg", "opus", "mp3", "aiff", "caf")


def held(path):
    """What is in a file: the words of the table."""
    if path.suffix == ".raw":
        return []
    texts = tagged.texts_of(path)
    if path.suffix == ".caf":
        texts = tagged.TEXTS
    return [word for word, found in (
        ("text", all(texts.get(name) == value for name, value in tagged.TEXTS.items())),
        ("picture", tagged.PICTURE in tagged.pictures_of(path)),
        ("cues", tuple(tagged.cues_of(path)) == tagged.CUES),
        ("loops", tagged.LOOP in tagged.loops_of(path)),
        ("bext", tagged.BEXT in tagged.broadcast_of(path))) if found]


@needs("ffmpeg")
class Tags(ProgramTest):
    def convert(self, source, ending):
        out = self.folder / f"out.{ending}"
        return out, self.succeed("convert", source, "-o", out)

    def arrived(self, source, out):
        """The same, for what a source of fewer texts has."""
        words = held(out)
        if source.suffix == ".caf" and out.suffix != ".raw":
            texts = tagged.texts_of(out)
            words = ["text"] if all(texts.get(name) == tagged.TEXTS[name] for name in
                                    ("TITLE", "ARTIST", "ALBUM", "GENRE", "COMMENT")) else []
        return words

    def test_the_table_in_the_documents_is_true(self):
        rows = ["| from | " + " | ".join(TARGETS) + " |", "|---" * (len(TARGETS) + 1) + "|"]
        for kind in SOURCES:
            source = tagged.make(self.folder, kind)
            cells = []
            for ending in TARGETS:
                out, result = self.convert(source, ending)
                words = self.arrived(source, out)
                cells.append(", ".join(words) or "-")
                lost = ending == "raw" or (kind == "wav" and ending != "wav")
                self.assertEqual("has no place for" in result.stderr, lost, f"{kind} to {ending}: {result.stderr}")
            rows.append(f"| {kind} | " + " | ".join(cells) + " |")
        table = "\n".join(rows)
        self.assertIn(table, (ROOT / "docs/files.md").read_text(), f"the table is now\n{table}")

    def test_in_place_nothing_is_lost(self):
        for kind in ("wav", "flac", "ogg", "opus", "mp3"):
            with self.subTest(kind):
                source = tagged.make(self.folder, kind)
                before = held(source)
                self.succeed("convert", source, "-o", source)
                self.assertEqual(held(source), before)

    @needs("metaflac")
    def test_a_flac_file_is_whole_for_its_own_tools(self):
        out, _ = self.convert(tagged.make(self.folder, "mp3"), "flac")
        subprocess.run(["flac", "--test", "--silent", "--warnings-as-errors", out], check=True, capture_output=True)
        said = subprocess.run(["metaflac", "--export-tags-to=-", out], check=True, capture_output=True).stdout.decode()
        for name, value in tagged.TEXTS.items():
            self.assertIn(f"{name}={value}", said)

    @needs("opusinfo")
    def test_an_opus_file_with_tags_is_whole_for_opusinfo(self):
        out, _ = self.convert(tagged.make(self.folder, "flac"), "opus")
        said = subprocess.run(["opusinfo", out], check=True, capture_output=True, text=True).stdout
        self.assertNotIn("WARNING", said)
        self.assertIn(f"TITLE={tagged.TEXTS['TITLE']}", said)
        self.assertIn("METADATA_BLOCK_PICTURE=3|image/png|cover", said)

    def test_samples_are_the_same_with_tags_and_without(self):
        plain = self.folder / "plain.wav"
        ffmpeg("-f", "lavfi", "-i", f"sine=frequency=440:sample_rate={RATE}:duration=1", plain)
        for kind in ("wav", "flac", "aiff"):
            out, _ = self.convert(tagged.make(self.folder, kind), "wav")
            self.assertEqual(read_wav(out)[1].tobytes(), read_wav(plain)[1].tobytes())

    def test_tags_go_through_a_pipe(self):
        source = tagged.make(self.folder, "flac")
        for ending in ("wav", "flac", "ogg", "opus", "mp3"):
            with self.subTest(ending):
                out = self.folder / f"out.{ending}"
                form = "wav16" if ending == "wav" else ending
                result = subprocess.run([PROGRAM, "convert", "-", "-o", "-", "--format", form], check=False,
                                        input=source.read_bytes(), capture_output=True)
                self.assertEqual(result.returncode, OK, result.stderr)
                out.write_bytes(result.stdout)
                self.assertEqual(self.arrived(source, out), ["text", "picture", "cues"])

    def test_what_is_not_true_of_another_level_goes_and_the_rest_stays(self):
        source, out = tagged.make(self.folder, "flac"), self.folder / "out.flac"
        file = mutagen.File(source)
        file["REPLAYGAIN_TRACK_GAIN"] = "-3.00 dB"
        file.save()
        for command, stays in ((("convert", source), True), (("filter", source, "--highpass", 50), False)):
            self.succeed(*command, "-o", out)
            self.assertEqual("REPLAYGAIN_TRACK_GAIN" in tagged.texts_of(out), stays)
            self.assertEqual(tagged.texts_of(out)["TITLE"], tagged.TEXTS["TITLE"])

    def test_moments_stay_where_they_were_at_another_rate(self):
        source, out = tagged.make(self.folder, "wav"), self.folder / "out.wav"
        self.succeed("resample", source, "--rate", RATE // 2, "-o", out)
        self.assertEqual([frame for frame, _ in tagged.cues_of(out)], [frame // 2 for frame, _ in tagged.CUES])
        self.assertEqual(tagged.loops_of(out), [(tagged.LOOP[0] // 2, (tagged.LOOP[1] + 1) // 2 - 1)])

    def test_older_tags_are_read(self):
        source = self.folder / "in.mp3"
        for version in (3, 4):
            ffmpeg("-f", "lavfi", "-i", "sine=duration=0.5", "-id3v2_version", version, "-metadata", "title=Überall",
                   source)
            out, _ = self.convert(source, "flac")
            self.assertEqual(tagged.texts_of(out)["TITLE"], "Überall")
        tags = mutagen.id3.ID3()
        tags.add(mutagen.id3.TIT2(encoding=3, text="Old"))
        tags.add(mutagen.id3.TCON(encoding=3, text="Jazz"))
        tags.save(source, v1=2)
        mutagen.id3.delete(source, delete_v1=False, delete_v2=True)
        self.assertEqual(source.read_bytes()[-128:-125], b"TAG")
        out, _ = self.convert(source, "flac")
        self.assertEqual((tagged.texts_of(out)["TITLE"], tagged.texts_of(out)["GENRE"]), ("Old", "Jazz"))

    def test_what_is_of_another_kind_is_said(self):
        source = tagged.make(self.folder, "mp3")
        file = mutagen.File(source)
        file.tags.add(mutagen.id3.PRIV(owner="somebody", data=b"secret"))
        file.save()
        result = self.convert(source, "flac")[1]
        self.assertIn("1 other field", result.stderr)
        self.assert_sentence(result.stderr)
        self.assertEqual(self.convert(tagged.make(self.folder, "opus"), "ogg")[1].stderr, "")

    def test_list_info_is_read_and_written(self):
        source = self.folder / "in.wav"
        ffmpeg("-f", "lavfi", "-i", "sine=duration=0.5", "-metadata", "title=Moon", "-metadata", "artist=Me", source)
        out, _ = self.convert(source, "wav")
        info = [content for name, content in tagged.riff_chunks(out) if name == b"LIST"]
        self.assertEqual(len(info), 1)
        self.assertIn(b"INAM\x05\0\0\0Moon\0", info[0])
        self.assertNotIn(b"id3 ", [name for name, _ in tagged.riff_chunks(out)], "INFO has room for them")
        said = subprocess.run(["ffprobe", "-v", "error", "-show_entries", "format_tags=title,artist", "-of", "csv=p=0",
                               out], check=True, capture_output=True, text=True).stdout
        self.assertEqual(sorted(said.strip().split(",")), ["Me", "Moon"])

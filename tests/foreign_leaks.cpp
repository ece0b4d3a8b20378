// SPDX-License-Identifier: Apache-2.0
// Memory that is not ours to free: libsndfile 1.2 forgets what libvorbis and libogg allocated for a stream
// that turns out to be torn, and libvorbisenc 1.3.7 what it set up for six channels. What libsndfile itself
// allocates is not in this list, so that a file that we do not close is found; nor are the other codecs, of
// which no leak is known.
extern "C" const char* __lsan_default_suppressions();

extern "C" const char* __lsan_default_suppressions() {
  return "leak:libvorbis.so\nleak:libogg.so\nleak:vorbis_encode_setup_init\n";
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A slot of ringwave/ring/reply_desk.cpp: open(), look(), close(), abandon() and collect_late(), with answers
 * from the CPU (all of it, then the epoch) and from a device (cells, in any order).
 *
 * A caller never reads another one's answer, nor half of one. Nothing is written to a slot that has been opened
 * for another request since, so that no two answers meet there. A slot that was given up is used again in the
 * end.
 *
 * Scaled down: one slot, so that everybody wants the same; two callers with 2 requests each, who read their
 * answer or give up at any time; 2 cells. Every request is answered once, at any time.
 *
 * LOST          the device may be lost while it answers, or after that and before the host knows: then the host answers
 *               again, unless the slot is another request's by now
 * WEAK_REUSE    a slot that was given up is free at once
 * WEAK_EPOCH    the epoch stays the same
 * WEAK_COLLECT  it is only known that a slot was given up, not in which epoch: of two that collect, the slower
 *               one takes the next caller's word for the one that it saw
 * WEAK_KEEP     late answers are never collected
 * WEAK_AGAIN    with LOST: the host does not look whose the slot is
 * WEAK_STEP     with LOST: it looks, and writes later, and nobody who opens the slot meanwhile waits for that
 */
#define OWN 2

bool free = true;
byte epoch;     /* for which the slot was opened last */
byte used;      /* who opened it, once that is done */
byte abandoned; /* the epoch that was given up; 0: none */
byte answering; /* again, right now */

typedef Cell { byte word, epoch; };
Cell cell[2], plain;

#ifdef WEAK_EPOCH
#define NEXT_EPOCH 1
#else
#define NEXT_EPOCH (epoch + 1)
#endif

/* By the host. A slot that is still the request's may be free already: what is written then nobody reads. */
inline answer_again() {
  answering++;
  if
#ifdef WEAK_AGAIN
  :: true ->
#else
  :: epoch != correlation
  :: epoch == correlation ->
#endif
     d_step { assert(used == correlation); plain.word = word };
     d_step { assert(used == correlation); plain.epoch = correlation }
  fi;
  answering--
}

proctype Answer(byte correlation, word) {
#define WRITE(c) d_step { assert(epoch == correlation); cell[c].word = word; cell[c].epoch = correlation }
  if
  :: d_step { assert(epoch == correlation); plain.word = word }
     d_step { assert(epoch == correlation); plain.epoch = correlation }
  :: WRITE(0); WRITE(1)
  :: WRITE(1); WRITE(0)
#ifdef LOST
  :: WRITE(0); answer_again()
  :: WRITE(0); WRITE(1); answer_again()
#endif
  fi
}

/* What the slot holds for an epoch, in `word`; 0: not yet. */
inline look(wanted) {
  if
  :: plain.epoch == wanted -> word = plain.word
  :: else -> word = (cell[0].epoch == wanted -> cell[0].word : 0);
     d_step {
       if
       :: cell[1].epoch == wanted -> assert(word == 0 || cell[1].word == word)
       :: else -> word = 0
       fi
     }
  fi
}

inline take_free() {
  d_step {
    if
    :: free -> free = false; epoch = NEXT_EPOCH; correlation = epoch
    :: else -> correlation = 0
    fi
  };
  if
  :: correlation != 0 ->
#ifndef WEAK_STEP
     answering == 0;
#endif
     used = correlation
  :: else
  fi
}

#ifdef WEAK_COLLECT
#define IS_THE_SAME abandoned != 0
#else
#define IS_THE_SAME abandoned == seen
#endif

inline collect_late() {
  seen = abandoned;
  if
  :: seen != 0 ->
#ifdef WEAK_COLLECT
     seen = epoch;
#endif
     look(seen);
     if
     :: d_step { word != 0 && IS_THE_SAME -> abandoned = 0 }
        free = true
     :: else
     fi
  :: else
  fi;
  d_step { seen = 0; word = 0 }
}

inline abandon() {
#ifdef WEAK_REUSE
  free = true
#else
  abandoned = correlation
#endif
}

proctype Caller(byte request, last) {
  byte correlation, seen, word;
  do
  :: request > last -> break
  :: else ->
     take_free();
#ifndef WEAK_KEEP
     if
     :: correlation == 0 -> collect_late(); take_free()
     :: else
     fi;
#endif
     if
     :: correlation == 0 /* full: tries again */
     :: correlation != 0 -> free = true; request++ /* the request itself had no room */
     :: correlation != 0 ->
        run Answer(correlation, request);
        do
        :: look(correlation);
           if
           :: word != 0 -> assert(word == request); free = true; break
           :: else
           fi
        :: abandon(); break
        od;
        word = 0;
        request++
     fi
  od
}

init {
  atomic {
    run Caller(1, OWN);
    run Caller(1 + OWN, 2 * OWN)
  }
}

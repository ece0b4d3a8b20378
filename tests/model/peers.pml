/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The inbox of a kernel for the other kernels on its device: claim() of ringwave/ring/cuda/device_port.cuh; the worker
 * of ringwave/ring/cuda; open_peerbox() and close_peerbox() of ringwave/ring/cuda/resident_kernel.cuh; clear() of
 * ringwave/ring/cuda/resident_host.cu.
 *
 * Each message that a sender was told `ok` for is handled or cleared, once, in the order of the claims, and none is
 * taken in part. A sender hears `full` only while the ring is full. When the target is gone for good, senders hear
 * `unknown_target`, and nothing is left in the ring. Everybody comes to an end.
 *
 * Scaled down: one band of 2 slots, 2 cells, two senders, who go on to their next message when they were told `full` or
 * `unknown_target`. All messages are long: a payload beside the cells is read in place. The cells become visible in any
 * order; a look that does not find all of them is one that takes longer. The target comes up to STARTS times, and
 * leaves at any time or when all is done; then the host clears what waits, or, where the target comes again, does not.
 * Before it comes for the first time nobody knows its inbox, which is the same as a closed one.
 *
 * WEAK_CLOSE  the mark is a word of its own: a sender looks at it before its claim
 * WEAK_OPEN   the inbox is open, and known, before the target has come
 * WEAK_AGAIN  a sender that has no room looks only at what is free, not at the tail, before it tries again: that the
 *             target is gone for good, and its ring full, it never learns
 * WEAK_EPOCH  only the first cell is looked at for the epoch
 * WEAK_FREED  a slot is free when its message is taken in hand, not when it was handled
 * WEAK_WAIT   the host does not wait for messages that are claimed and not written yet
 * WEAK_SKIP   the next start does not skip what was cleared
 * WEAK_ROOM   the next start skips it, and does not tell that its slots are free
 */
#define CAPACITY 2
#ifndef STARTS
#define STARTS 2
#endif
#ifndef FIRST
#define FIRST 2 /* messages of the first sender */
#endif
#ifndef SECOND
#define SECOND 2
#endif
#define TOTAL (FIRST + SECOND)
#define SLOT(index) ((index) % CAPACITY)
#define EPOCH(index) (1 + (index) / CAPACITY)

/* In the device's memory. */
typedef Slot { byte text, word[2], epoch[2]; };
Slot slot[CAPACITY];
byte tail; /* and in the same word: */
#ifdef WEAK_OPEN
bool closed;
#else
bool closed = true;
#endif
byte next, freed; /* the target's alone, and as others know it */

byte cleared; /* below that the host has cleared: what the next start skips */
bool is_there, leaving, is_over;
byte ended; /* senders */

byte claimed[TOTAL]; /* what the ring owes at each index */
byte answered;       /* messages that were handled or cleared */
#define ALL_DONE (ended == 2 && answered == tail)

inline settle(index, message) {
  assert(index == answered && index < tail && message == claimed[index]);
  answered = index + 1
}

#ifdef WEAK_CLOSE
#define IS_AS_SEEN (tail == index)
#else
#define IS_AS_SEEN (tail == index && !closed)
#endif

inline claim(message) {
  d_step { index = tail; is_open = !closed }
  do
  :: !is_open -> break /* unknown_target */
  :: else ->
     d_step { has_room = index - freed < CAPACITY; assert(has_room || tail - freed >= CAPACITY) }
     if
     :: !has_room -> break /* full */
     :: !has_room ->
#ifdef WEAK_AGAIN
        true
#else
        d_step { index = tail; is_open = !closed }
#endif
     :: else ->
        d_step {
          is_mine = IS_AS_SEEN;
          if
          :: is_mine -> tail++; claimed[index] = message
          :: else -> index = tail; is_open = !closed
          fi
        }
        if
        :: is_mine -> break
        :: else
        fi
     fi
  od
}

#define STORE(c) \
  d_step { \
    !has[c] -> assert(tail <= index + CAPACITY); /* the slot is not yet another one's */ \
    slot[SLOT(index)].word[c] = message; \
    slot[SLOT(index)].epoch[c] = EPOCH(index); \
    has[c] = true \
  }

inline write(message) {
  slot[SLOT(index)].text = message;
  do
  :: STORE(0)
  :: STORE(1)
  :: has[0] && has[1] -> break
  od
}

proctype Sender(byte message, last) {
  byte index;
  bool is_open, has_room, is_mine, has[2];
  do
  :: message > last -> break
  :: else ->
     claim(message);
     if
     :: is_mine -> write(message)
     :: else
     fi;
     atomic { message++; index = 0; is_open = false; has_room = false; is_mine = false; has[0] = false; has[1] = false }
  od;
  ended++
}

#define IS_WRITTEN(c, index) (slot[SLOT(index)].epoch[c] == EPOCH(index))
#define FORGET word[0] = 0; word[1] = 0
#define LOAD(c) d_step { word[c] == 0 && IS_WRITTEN(c, next) -> word[c] = slot[SLOT(next)].word[c] }
#ifdef WEAK_EPOCH
#define LOAD_OTHER d_step { word[0] != 0 && word[1] == 0 -> word[1] = slot[SLOT(next)].word[1] }
#else
#define LOAD_OTHER LOAD(1)
#endif

inline handle() {
#ifdef WEAK_FREED
  freed = next + 1;
#endif
  d_step {
    assert(word[0] == word[1] && word[0] == slot[SLOT(next)].text);
    settle(next, word[0]);
    FORGET;
    next++
  }
  freed = next
}

inline begin() {
#ifndef WEAK_SKIP
  next = (next < cleared -> cleared : next);
#endif
#ifndef WEAK_ROOM
  freed = next;
#endif
  closed = false
}

proctype Target() {
  byte word[2];
  do
  :: is_over -> break
  :: is_there ->
     begin();
     do
     :: LOAD(0)
     :: LOAD_OTHER
     :: word[0] != 0 && word[1] != 0 -> handle()
     :: leaving -> break
     od;
     closed = true;
     d_step { FORGET; leaving = false; is_there = false }
  od
}

/* While the target is gone: the tail is the last one. */
inline clear() {
  d_step { index = (next < cleared -> cleared : next); last = tail }
  do
  :: index == last -> break
  :: else ->
#ifndef WEAK_WAIT
     IS_WRITTEN(0, index) && IS_WRITTEN(1, index);
#endif
     d_step {
       assert(slot[SLOT(index)].word[0] == slot[SLOT(index)].word[1]);
       settle(index, slot[SLOT(index)].word[0]);
       index++
     }
  od;
  cleared = last
}

proctype Host() {
  byte starts, index, last;
  do
  :: starts < STARTS ->
     d_step { starts++; is_there = true }
     if
     :: true
     :: true -> ALL_DONE
     fi;
     leaving = true;
     !is_there;
     if
     :: clear()
     :: true
     fi
  :: break
  od;
  clear();
  is_over = true;
  ended == 2;
  assert(answered == tail)
}

init {
  atomic {
    run Sender(1, FIRST);
    run Sender(FIRST + 1, TOTAL);
    run Target();
    run Host()
  }
}

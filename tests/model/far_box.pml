/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a kernel on a GPU hands the host for kernels elsewhere: claim_far() and write() of
 * ringwave/ring/cuda/device_port.cuh; FarBox and Forwarder of ringwave/ring.
 *
 * Each message is brought to its target once, whole, in its order, whatever becomes of the kernel; when the forwarder
 * forgets a kernel that has ended, nothing of it is left. Everybody comes to an end.
 *
 * Scaled down: one band of 2 slots, 2 cells, MESSAGES messages. All are long: a payload beside the cells. The cells
 * become visible in any order. The kernel fails up to FAILURES times between two messages and goes on from the tail
 * that it kept; what it knows of the forwarder's progress it has forgotten then. The target has room or has not: then
 * the message waits at the forwarder.
 *
 * WEAK_EPOCH  only the first cell is looked at for the epoch
 * WEAK_LONG   the payload is written after the cells
 * WEAK_FULL   the kernel does not wait for room
 * WEAK_TAKEN  a slot is free before the payload was read
 * WEAK_TAIL   the next start begins with the first slot
 * WEAK_END    the forwarder looks whether the kernel has ended after it found nothing, not before
 * WEAK_WAIT   a message for which there is no room goes behind the next one
 * WEAK_KEEP   the forwarder does not say what it has taken
 */
#define CAPACITY 2
#ifndef MESSAGES
#define MESSAGES 4
#endif
#ifndef FAILURES
#define FAILURES 1
#endif
#define SLOT(index) ((index) % CAPACITY)
#define EPOCH(index) (1 + (index) / CAPACITY)

/* In the host's memory. */
typedef Slot { byte text, word[2], epoch[2]; };
Slot slot[CAPACITY];
byte taken; /* the forwarder says */

byte kept_tail; /* from start to start */
bool has_ended, is_forgotten;
byte brought; /* messages, in their order */

#define STORE(c) \
  d_step { \
    !has[c] -> slot[SLOT(tail)].word[c] = message; slot[SLOT(tail)].epoch[c] = EPOCH(tail); has[c] = true \
  }

inline hand_over() {
#ifndef WEAK_FULL
  do
  :: tail - known >= CAPACITY -> known = taken
  :: else -> break
  od;
#endif
#ifndef WEAK_LONG
  slot[SLOT(tail)].text = message;
#endif
  do
  :: STORE(0)
  :: STORE(1)
  :: has[0] && has[1] -> break
  od;
#ifdef WEAK_LONG
  slot[SLOT(tail)].text = message;
#endif
  atomic { tail++; message++; has[0] = false; has[1] = false }
}

proctype Kernel() {
  byte message = 1, tail, known, failures;
  bool has[2];
  do
  :: message > MESSAGES -> break
  :: else ->
     hand_over();
     if
     :: failures < FAILURES ->
        d_step {
          kept_tail = tail;
          failures++;
#ifdef WEAK_TAIL
          tail = 0;
#else
          tail = kept_tail;
#endif
          known = tail - (tail < CAPACITY -> tail : CAPACITY) /* it will look */
        }
     :: true
     fi
  od;
  has_ended = true
}

#define IS_THERE(c) (slot[SLOT(index)].epoch[c] == EPOCH(index))
#ifdef WEAK_EPOCH
#define IS_WHOLE IS_THERE(0)
#else
#define IS_WHOLE (IS_THERE(0) && IS_THERE(1))
#endif

inline take() {
  d_step { word[0] = slot[SLOT(index)].word[0]; word[1] = slot[SLOT(index)].word[1] }
#ifdef WEAK_TAKEN
  taken = index + 1;
#endif
  assert(word[0] == word[1] && word[0] == slot[SLOT(index)].text);
#ifndef WEAK_KEEP
  taken = index + 1;
#endif
  index++
}

inline bring(message) {
  d_step { assert(message == brought + 1); brought = message }
}

proctype Forwarder() {
  byte index, word[2], waiting;
  bool seen_ended;
  do
  :: is_forgotten -> break
  :: waiting != 0 -> /* there is room now, or there is none yet */
     if
     :: bring(waiting); waiting = 0
#ifdef WEAK_WAIT
     :: IS_WHOLE -> take(); bring(word[0])
#endif
     fi
  :: waiting == 0 && !is_forgotten ->
#ifndef WEAK_END
     seen_ended = has_ended;
#endif
     if
     :: IS_WHOLE ->
        take();
        if
        :: bring(word[0])
        :: waiting = word[0]
        fi
     :: else ->
#ifdef WEAK_END
        seen_ended = has_ended;
#endif
        is_forgotten = seen_ended
     fi
  od;
  assert(brought == MESSAGES)
}

init {
  atomic {
    run Kernel();
    run Forwarder()
  }
}

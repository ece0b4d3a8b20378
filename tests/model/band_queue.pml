/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The queue of ringwave/ring/cpu/band_queue.hpp: two senders and the kernel's thread. One of the
 * senders also takes: it drops the oldest message to make room, as ThreadHost::drop_oldest() does.
 * With ONE_READER it waits instead.
 *
 * Every index gives out the message that claimed it, once: so none is lost, none comes twice, and the order is
 * that of the claims. Each is received or dropped, and everybody comes to an end. With ONE_READER nobody is refused
 * for whom there was room.
 *
 * Scaled down: 2 places, and 5 messages, which need a third lap. A message is one number, 1 to 3 of the sender
 * that drops, 4 and 5 of the one that waits. What a thread stores is at first in flight, and seen later: the
 * message of a place before its turn, because the turn is stored with release.
 *
 * WEAK_PUBLISH  the writer's turn may be seen before its message: relaxed instead of release
 * WEAK_RETURN   the reader's turn may be seen before it has read the message: the same on the other side
 * WEAK_LOOK     the reader may have read the message before it saw the turn: relaxed instead of acquire
 * WEAK_KEEP     the reader does not hand the place on
 * WEAK_SIGN     a writer that was overtaken takes a reader that is beyond its index for one far behind
 * WEAK_PROMISE  more threads than one take
 */
#define CAPACITY 2
#ifndef FIRST
#define FIRST 3 /* messages of the sender that drops */
#endif
#if defined(ONE_READER) && !defined(WEAK_PROMISE)
#define DROPS false
#else
#define DROPS true
#endif
#define TOTAL (FIRST + 2)
#define PLACE(index) ((index) % CAPACITY)

byte tail, head;
byte seen_head; /* by the senders, of one reader */
byte turn[CAPACITY], text[CAPACITY];               /* as all see them */
byte flying_turn[CAPACITY], flying_text[CAPACITY]; /* stored and not seen yet; 0: nothing */

byte claimed[TOTAL]; /* what the queue owes at each index */
byte received, dropped;

#ifdef WEAK_SIGN
#define BEYOND(there) ((index - there) & 255)
#else
#define BEYOND(there) (index - there)
#endif

/* Overtaken writers find room, and then that the tail is not where they saw it. */
inline look_for_room() {
#ifdef ONE_READER
  if
  :: BEYOND(seen_head) < CAPACITY -> has_room = true
  :: else ->
     atomic {
       there = head;
       has_room = BEYOND(there) < CAPACITY;
       assert(has_room || tail - head >= CAPACITY)
     }
     seen_head = there
  fi
#else
  has_room = turn[PLACE(index)] >= index
#endif
}

inline try_push(text_of_it) {
  message = text_of_it;
  index = tail;
  done = false;
  do
  :: look_for_room();
     if
     :: !has_room -> break
     :: else ->
        atomic {
          if
          :: tail == index -> tail++; claimed[index] = message; done = true
          :: else -> index = tail
          fi
        }
        if
        :: done -> d_step { flying_text[PLACE(index)] = message; flying_turn[PLACE(index)] = index + 1 }
           break
        :: else
        fi
     fi
  od
}

inline hand_on() {
#if defined(WEAK_KEEP)
  skip
#elif defined(ONE_READER)
  head = index + 1
#else
  flying_turn[PLACE(index)] = index + CAPACITY
#endif
}

inline claim_head() {
#ifdef ONE_READER
  done = true
#else
  atomic {
    if
    :: head == index -> head++; done = true
    :: else -> index = head; done = false
    fi
  }
#endif
}

inline try_pop() {
  index = head;
  done = false;
  do
  ::
#ifdef WEAK_LOOK
     message = text[PLACE(index)];
#endif
     if
     :: turn[PLACE(index)] < index + 1 -> break
     :: else ->
        claim_head();
        if
        :: done ->
#if defined(WEAK_RETURN)
           hand_on();
           message = text[PLACE(index)];
#elif defined(WEAK_LOOK)
           hand_on();
#else
           message = text[PLACE(index)];
           hand_on();
#endif
           assert(message == claimed[index]);
           break
        :: else
        fi
     fi
  od
}

proctype Sender(byte own, last; bool drops) {
  byte index, there, message;
  bool has_room, done;
  do
  :: own > last -> break
  :: else ->
     try_push(own);
     if
     :: done -> own++
     :: !done && drops ->
        try_pop();
        if
        :: done -> dropped++
        :: else
        fi
     :: else
     fi
  od
}

proctype Kernel() {
  byte index, message, last[2];
  bool done;
  do
  :: received + dropped == TOTAL -> break
  :: else ->
     try_pop();
     if
     :: done ->
        assert(message > last[message > FIRST]);
        d_step { last[message > FIRST] = message; received++ }
     :: else
     fi
  od
}

#ifdef WEAK_PUBLISH
#define MAY_LAND(place) (flying_turn[place] != 0)
#else
#define MAY_LAND(place) (flying_turn[place] != 0 && flying_text[place] == 0)
#endif

proctype Memory(byte place) {
end:
  do
  :: d_step { flying_text[place] != 0 -> text[place] = flying_text[place]; flying_text[place] = 0 }
  :: d_step { MAY_LAND(place) -> turn[place] = flying_turn[place]; flying_turn[place] = 0 }
  od
}

init {
  atomic {
    turn[1] = 1;
    run Memory(0);
    run Memory(1);
    run Sender(1, FIRST, DROPS);
    run Sender(FIRST + 1, TOTAL, false);
    run Kernel()
  }
}

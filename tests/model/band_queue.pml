/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The queue of ringwave/ring/cpu/band_queue.hpp: two senders and the kernel's thread. One of the
 * senders also takes: it drops the oldest message to make room, as ThreadHost::drop_oldest() does.
 *
 * Every index gives out the message that claimed it, once: so none is lost, none comes twice, and the order is
 * that of the claims. Each is received or dropped, and everybody comes to an end.
 *
 * Scaled down: 2 places, and 5 messages, which need a third lap. A message is one number, 1 to 3 of the sender
 * that drops, 4 and 5 of the one that waits. What a thread stores is at first in flight, and seen later: the
 * message of a place before its turn, because the turn is stored with release.
 *
 * WEAK_PUBLISH  the writer's turn may be seen before its message: relaxed instead of release
 * WEAK_RETURN   the reader's turn may be seen before it has read the message: the same on the other side
 * WEAK_LOOK     the reader may have read the message before it saw the turn: relaxed instead of acquire
 * WEAK_KEEP     the reader does not hand the place on
 */
#define CAPACITY 2
#ifndef FIRST
#define FIRST 3 /* messages of the sender that drops */
#endif
#define TOTAL (FIRST + 2)
#define PLACE(index) ((index) % CAPACITY)

byte tail, head;
byte turn[CAPACITY], text[CAPACITY];               /* as all see them */
byte flying_turn[CAPACITY], flying_text[CAPACITY]; /* stored and not seen yet; 0: nothing */

byte claimed[TOTAL]; /* what the queue owes at each index */
byte received, dropped;

inline try_push(message) {
  index = tail;
  do
  :: ahead = turn[PLACE(index)] - index;
     if
     :: ahead < 0 -> done = false; break
     :: ahead > 0 -> index = tail
     :: else ->
        atomic {
          if
          :: tail == index -> tail++; claimed[index] = message; done = true
          :: else -> index = tail; done = false
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
#ifndef WEAK_KEEP
  flying_turn[PLACE(index)] = index + CAPACITY
#else
  skip
#endif
}

inline try_pop() {
  index = head;
  do
  ::
#ifdef WEAK_LOOK
     message = text[PLACE(index)];
#endif
     ahead = turn[PLACE(index)] - (index + 1);
     if
     :: ahead < 0 -> done = false; break
     :: ahead > 0 -> index = head
     :: else ->
        atomic {
          if
          :: head == index -> head++; done = true
          :: else -> index = head; done = false
          fi
        }
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
  byte index, message;
  short ahead;
  bool done;
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
  short ahead;
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
    run Sender(1, FIRST, true);
    run Sender(FIRST + 1, TOTAL, false);
    run Kernel()
  }
}

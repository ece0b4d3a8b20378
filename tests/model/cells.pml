/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The inbox of a kernel on a GPU: ringwave/ring/slot.cpp, ringwave/ring/request_ledger.hpp; try_send(), drop_oldest()
 * and clear() of ringwave/ring/cuda/resident_host.cu; the worker, the clerk and the courier of ringwave/ring/cuda.
 *
 * No message is taken in part, none is lost, none comes twice, the order is that of the claims; each is
 * handled, dropped or cleared. A sender hears `full` only while the ring is full, or the last sender in the slot has
 * not yet noted its message, and a message is dropped only for one that had no room. Everybody comes to an end.
 *
 * Scaled down: one band of 2 slots, 2 cells, two senders. The first one sends short messages and drops the
 * oldest where there is no room, the second one sends long ones and waits. The slots are in the device's memory. A
 * sender stores a cell there as a whole, the cells become visible in any order, and perhaps after the turn. A device loads a cell as a whole, and
 * one after the other, in any order; a look that does not find all of them is one that takes longer. Senders look at
 * `settled` each time, the worker at the floor; what they remember is only older. In the ledger the message stands for
 * its correlation.
 *
 * COURIER      the senders write into a ring in the host's memory, of a cell one half after the other, and a courier of
 *              the kernel carries the cells to the device's slots. Long payloads stay with the host
 * RESTART      once, at any time, the kernel leaves, and comes again: at once, or after the host has cleared what waits
 * KILL         once, at any time, the device is lost, and the host clears what waits and what still comes. What was
 *              handled and not told is answered again: reply_desk.pml has that
 * WEAK_EPOCH   only the first cell is looked at for the epoch
 * WEAK_LAP     the epoch is the same in every lap
 * WEAK_HALF    of a cell the half with the epoch is seen first: a store into the device's memory that is not whole, or,
 *              with COURIER, one in the wrong order
 * WEAK_LONG    a long payload may be seen after the cells: no fence
 * WEAK_FENCE   a long payload may have been read before the cells: no fence after them
 * WEAK_RETURN  a long payload may be read after its slot was given back: no fence before that
 * WEAK_EARLY   a message is told to be settled when it is taken in hand, not when it was handled
 * WEAK_FULL    the distance from what is settled has no sign: a sender that was held up since its look hears `full`
 * WEAK_FLOOR   the floor follows what is settled, not what there is no room for
 * WEAK_CARRY   with COURIER: a message is carried as soon as its first cell is there
 * WEAK_BEHIND  with COURIER and RESTART: the courier does not pass over what was handled meanwhile. It begins again at
 *              `next`, but what it had carried before is still there: the worker takes it, and the host writes the next
 *              lap where the courier waits for this one
 * WEAK_CLEAR   with RESTART: the host does not wait for messages that are claimed and not written yet. It waits a
 *              second for each: a sender that is held up for longer is this case
 * WEAK_TURN    with RESTART: a turn may be seen before the correlation that it is about
 * WEAK_FLUSH   with RESTART: the host does not wait until what was stored is in the device's memory. Then it may arrive
 *              when the slot is another one's
 * WEAK_FREE    with KILL: a slot is free as soon as its message is settled. Its sender may not have noted it yet, and
 *              does so over the note of the next lap
 * WEAK_SKIP    with RESTART: the next start does not skip what was cleared
 * WEAK_KEEP    nothing is told to be settled
 */
#define CAPACITY 2
#ifndef SHORT
#define SHORT 2 /* messages 1 to SHORT are short, the others long */
#endif
#ifndef LONG
#define LONG 2
#endif
#define TOTAL (SHORT + LONG)
#define SLOT(index) ((index) % CAPACITY)

#ifdef WEAK_LAP
#define EPOCH(index) 1
#else
#define EPOCH(index) (1 + (index) / CAPACITY)
#endif
#ifdef WEAK_FULL
#define IS_UNSETTLED(index) ((index) < settled || (index) - settled >= CAPACITY)
#else
#define IS_UNSETTLED(index) ((index) - settled >= CAPACITY)
#endif
#ifdef WEAK_FREE
#define IS_UNNOTED(index) false
#else
#define IS_UNNOTED(index) ((index) >= CAPACITY && TURN(index) <= (index) - CAPACITY)
#endif
#ifdef WEAK_FLOOR
#define FLOOR (settled + 1)
#else
#define FLOOR (tail + 1 - CAPACITY)
#endif

typedef Slot { byte text, word[2], epoch[2]; };
Slot slot[CAPACITY]; /* in the device's memory */
#ifdef COURIER
Slot from[CAPACITY]; /* what senders write: in the host's memory. Of a cell the word is the first half */
#else
#define from slot
#endif

/* In the host's memory. */
typedef Entry { byte turn, request; };
Entry ledger[CAPACITY];
byte tail, settled, floor;
byte landing[2]; /* of each sender, the message that is on its way to the device's memory, from 1 */

/* In the block's shared memory. */
byte next;
bool leaving, killed;
byte gone; /* of the warps that carry and handle messages */
#ifdef COURIER
#define WARPS 2
#else
#define WARPS 1
#endif

byte claimed[TOTAL]; /* what the ring owes at each index */
byte answered;       /* messages that were handled, dropped or cleared */
#define ALL_DONE (answered == TOTAL)

inline settle(index, message) {
  assert(index == answered && index < tail && message == claimed[index]);
  answered = index + 1
}

#define NOTE(message, index) ledger[SLOT(index)].request = message
#define TURN(index) ledger[SLOT(index)].turn
#ifdef WEAK_TURN
#define FIRST_NOTE(message, index) TURN(index) = index + 1
#define LAST_NOTE(message, index) NOTE(message, index)
#else
#define FIRST_NOTE(message, index) NOTE(message, index)
#define LAST_NOTE(message, index) TURN(index) = index + 1
#endif

inline try_send(message) {
  index = tail;
  do
  :: d_step {
       sent = !IS_UNSETTLED(index) && !IS_UNNOTED(index);
       assert(sent || tail - settled >= CAPACITY || IS_UNNOTED(index))
     }
     if
     :: !sent -> break
     :: else
     fi;
     d_step {
       sent = tail == index;
       if
       :: sent -> tail++; claimed[index] = message
       :: else -> index = tail
       fi
     }
     if
     :: sent -> write(message, index); break
     :: else
     fi
  od;
  index = 0
}

#define STORE_WORD(c, message, index) from[SLOT(index)].word[c] = message
#define STORE_EPOCH(c, index) from[SLOT(index)].epoch[c] = EPOCH(index)
#ifdef WEAK_HALF
#define HALF_OF_WORD 1
#else
#define HALF_OF_WORD 2
#endif
#if defined(COURIER) || defined(WEAK_HALF)
#define STORE_PART(c, message, index) \
  if \
  :: halves[c] == HALF_OF_WORD -> STORE_WORD(c, message, index) \
  :: else -> STORE_EPOCH(c, index) \
  fi; \
  halves[c]--
#else
#define STORE_PART(c, message, index) STORE_WORD(c, message, index); STORE_EPOCH(c, index); halves[c] = 0
#endif
#define STORE(c, message, index) \
  d_step { \
    halves[c] != 0 -> assert(tail <= index + CAPACITY); /* the slot is not yet another one's */ \
    STORE_PART(c, message, index) \
  }
#define STORE_TEXT(message, index) from[SLOT(index)].text = (message > SHORT -> message : from[SLOT(index)].text)

inline write(message, index) {
  d_step {
    halves[0] = 2;
    halves[1] = 2;
    landing[number] = index + 1;
#ifndef WEAK_LONG
    STORE_TEXT(message, index)
#endif
  }
  do
  :: STORE(0, message, index)
  :: STORE(1, message, index)
  :: d_step { landing[number] != 0 && halves[0] + halves[1] == 0 -> landing[number] = 0 }
  :: d_step { notes == 0 -> FIRST_NOTE(message, index); notes = 1 }
  :: d_step { notes == 1 -> LAST_NOTE(message, index); notes = 2 }
  :: d_step { notes == 2 && landing[number] == 0 -> notes = 0 } break
  od;
#ifdef WEAK_LONG
  STORE_TEXT(message, index);
#endif
}

proctype Sender(byte number, message, last; bool drops) {
  byte index, halves[2], notes;
  bool sent;
  do
  :: message > last -> break
  :: else ->
     try_send(message);
     if
     :: sent -> message++
     :: !sent && drops ->
        index = FLOOR;
        d_step { floor = (floor < index -> index : floor); index = 0 }
     :: else
     fi
  od
}

#define FORGET word[0] = 0; word[1] = 0
#define LOAD(c, ring, index) \
  d_step { word[c] == 0 && ring[SLOT(index)].epoch[c] == EPOCH(index) -> word[c] = ring[SLOT(index)].word[c] }
#ifdef WEAK_EPOCH
#define LOAD_OTHER d_step { word[0] != 0 && word[1] == 0 -> word[1] = slot[SLOT(next)].word[1] }
#else
#define LOAD_OTHER LOAD(1, slot, next)
#endif

/* The block has left when all are here. */
inline leave() {
  gone++;
  !leaving
}

#ifdef COURIER
#ifdef WEAK_CARRY
#define IS_THERE (word[0] != 0)
#else
#define IS_THERE (word[0] != 0 && word[1] != 0)
#endif
#define CARRY(c) \
  d_step { \
    word[c] != 0 -> slot[SLOT(carried)].word[c] = word[c]; slot[SLOT(carried)].epoch[c] = EPOCH(carried); \
    word[c] = 0 \
  }

/* The device's slot is free: the host wrote the message only after the one before it there was settled. */
proctype Courier() {
  byte carried, word[2];
  {
    do
    :: ALL_DONE -> break
    :: leaving && !ALL_DONE -> d_step { FORGET; carried = 0 } leave(); carried = next
#ifndef WEAK_BEHIND
    :: d_step { carried < next -> FORGET; carried = next }
#endif
    :: LOAD(0, from, carried)
    :: LOAD(1, from, carried)
    :: IS_THERE ->
       do
       :: CARRY(0)
       :: CARRY(1)
       :: d_step { word[0] + word[1] == 0 -> carried++ } break
       od
    od
  } unless { d_step { killed -> FORGET; carried = 0 } }
}
#endif

#ifdef WEAK_FENCE
#define TEXT(index) early
#else
#define TEXT(index) from[SLOT(index)].text
#endif

inline handle(index) {
  d_step {
    assert(word[0] == word[1]);
    if
    :: index < floor -> assert(tail >= index + CAPACITY)
    :: else -> assert(word[0] <= SHORT || word[0] == TEXT(index))
    fi;
    settle(index, word[0]);
    FORGET
  }
}

#define IS_IN_HAND (word[0] != 0 && word[1] != 0)
#if defined(WEAK_EARLY)
#define HANDLE IS_IN_HAND -> settled = next + 1; handle(next); next++
#elif defined(WEAK_RETURN)
#define HANDLE IS_IN_HAND -> next++; handle(next - 1)
#else
#define HANDLE atomic { IS_IN_HAND -> handle(next) } next++
#endif

proctype Worker() {
  byte word[2];
#ifdef WEAK_FENCE
  byte early;
#endif
  {
    do
    :: ALL_DONE -> break
    :: leaving && !ALL_DONE -> d_step { FORGET } leave()
#ifdef WEAK_FENCE
    :: early != from[SLOT(next)].text -> early = from[SLOT(next)].text
#endif
    :: LOAD(0, slot, next)
    :: LOAD_OTHER
    :: HANDLE
    od
  } unless { d_step { killed -> FORGET } }
}

proctype Clerk() {
  {
    do
    :: ALL_DONE -> break
#ifndef WEAK_KEEP
    :: d_step { settled < next -> settled = next }
#endif
    od
  } unless { killed }
}

/* While the kernel is gone. */
inline clear() {
  d_step { index = settled; last = tail }
  do
  :: index == last -> break
  :: else ->
#ifndef WEAK_CLEAR
     TURN(index) > index;
#endif
     d_step {
       if
       :: killed && index < answered -> /* it was handled, and that not told */
          assert(ledger[SLOT(index)].request == claimed[index])
       :: else -> settle(index, ledger[SLOT(index)].request)
       fi
     }
     index++
  od;
#ifndef WEAK_FLUSH
  (landing[0] == 0 || landing[0] > last) && (landing[1] == 0 || landing[1] > last);
#endif
  settled = last
}

proctype Host() {
  byte index, last;
#ifdef RESTART
  leaving = true;
  if
  :: gone == WARPS ->
     settled = next;
     if
     :: clear();
#ifndef WEAK_SKIP
        next = settled
#endif
     :: true
     fi
  :: ALL_DONE
  fi;
  d_step { gone = 0; leaving = false }
#endif
#ifdef KILL
  d_step { killed = true; next = 0 }
  do
  :: ALL_DONE -> break
  :: else -> clear()
  od
#endif
}

init {
  atomic {
    run Sender(0, 1, SHORT, true);
    run Sender(1, SHORT + 1, TOTAL, false);
#ifdef COURIER
    run Courier();
#endif
    run Worker();
    run Clerk();
#if defined(RESTART) || defined(KILL)
    run Host()
#endif
  }
}

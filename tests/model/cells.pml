/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The inbox of a kernel on a GPU: ringwave/ring/slot.cpp; try_send(), drop_oldest() and clear() of
 * ringwave/ring/cuda/resident_host.cu; the looker, the trays, the worker and the clerk of ringwave/ring/cuda.
 *
 * No message is taken in part, none is lost, none comes twice, the order is that of the claims; each is
 * handled, dropped or cleared. A sender hears `full` only while the ring is full, and a message is dropped only
 * for one that had no room. Everybody comes to an end.
 *
 * Scaled down: one band of 2 slots, 2 cells, two senders. The first one sends short messages and drops the
 * oldest where there is no room, the second one sends long ones and waits. The halves of a cell become visible
 * one after the other, the cells in any order. A device loads a cell as a whole, and one after the other. Senders
 * look at `settled` each time, the worker at the floor; what they remember is only older.
 *
 * TWO_LOOKS    looks at the next message and at those ahead are on their way together, not one after the other
 * RESTART      once, at any time, the kernel leaves, and comes again: at once, or after the host has cleared what waits
 * KILL         once, at any time, the device is lost, and the host clears what waits and what still comes. What was
 *              handled and not told is answered again: reply_desk.pml has that
 * WEAK_EPOCH   only the first cell is looked at for the epoch
 * WEAK_LAP     the epoch is the same in every lap
 * WEAK_HALF    of a cell the half with the epoch is stored first
 * WEAK_LANES   the lanes of a look read `next` each at its own time. The looker reads it with one load of the warp, and
 *              relies on that to give one value to all lanes
 * WEAK_LONG    a long payload may be seen after the cells: no release
 * WEAK_FENCE   a long payload may have been read before the cells: no fence after them
 * WEAK_RETURN  a long payload may be read after its slot was given back: no fence before that
 * WEAK_TRAY    a place is full before the message is there
 * WEAK_INDEX   what is on a tray is handled, whether it is next or not
 * WEAK_STALE   a place whose message came by another one as well is not emptied
 * WEAK_EARLY   a message is told to be settled when it is taken in hand, not when it was handled
 * WEAK_FULL    the distance from what is settled has no sign: a sender that was held up since its look hears `full`
 * WEAK_FLOOR   the floor follows what is settled, not what there is no room for
 * WEAK_CLEAR   with RESTART: the host does not wait for messages that are claimed and not written yet. It waits 10 ms
 *              for each: a sender that is held up for longer is this case
 * WEAK_SKIP    with RESTART: the next start does not skip what was cleared
 * WEAK_KEEP    nothing is told to be settled
 */
#define CAPACITY 2
#ifndef AHEAD
#define AHEAD 1 /* places for messages after the next one */
#endif
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
#define IS_FULL(index, settled) ((index) < (settled) || (index) - (settled) >= CAPACITY)
#else
#define IS_FULL(index, settled) ((index) - (settled) >= CAPACITY)
#endif
#ifdef WEAK_FLOOR
#define FLOOR (settled + 1)
#else
#define FLOOR (tail + 1 - CAPACITY)
#endif

/* In the host's memory. Of a cell the word is the first half, the epoch the second. */
typedef Slot { byte text, word[2], epoch[2]; };
Slot slot[CAPACITY];
byte tail, settled, floor;

/* In the block's shared memory. Place 0 is for the next message. */
typedef Place { byte index, word[2]; bool is_full; };
Place place[1 + AHEAD];
byte next;
bool leaving, killed;
byte gone; /* of the warps that find and handle messages */
#ifdef TWO_LOOKS
#define WARPS 3
#else
#define WARPS 2
#endif

byte claimed[TOTAL]; /* what the ring owes at each index */
byte answered;       /* messages that were handled, dropped or cleared */
#define ALL_DONE (answered == TOTAL)

inline settle(index, message) {
  assert(index == answered && index < tail && message == claimed[index]);
  answered = index + 1
}

inline try_send(message) {
  index = tail;
  do
  :: d_step { sent = !IS_FULL(index, settled); assert(sent || tail - settled >= CAPACITY) }
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

#ifdef WEAK_HALF
#define HALF_OF_WORD 1
#else
#define HALF_OF_WORD 2
#endif
#define STORE(c, message, index) \
  d_step { \
    halves[c] != 0 -> assert(tail <= index + CAPACITY); /* the slot is not yet another one's */ \
    if \
    :: halves[c] == HALF_OF_WORD -> slot[SLOT(index)].word[c] = message \
    :: else -> slot[SLOT(index)].epoch[c] = EPOCH(index) \
    fi; \
    halves[c]-- \
  }

inline write(message, index) {
  d_step {
    halves[0] = 2;
    halves[1] = 2;
#ifndef WEAK_LONG
    slot[SLOT(index)].text = (message > SHORT -> message : slot[SLOT(index)].text)
#endif
  }
  do
  :: STORE(0, message, index)
  :: STORE(1, message, index)
  :: halves[0] + halves[1] == 0 -> break
  od;
#ifdef WEAK_LONG
  slot[SLOT(index)].text = (message > SHORT -> message : slot[SLOT(index)].text);
#endif
}

proctype Sender(byte message, last; bool drops) {
  byte index, halves[2];
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

#define IS_THERE(c, index) (slot[SLOT(index)].epoch[c] == EPOCH(index))
#define LOAD(c, index) (IS_THERE(c, index) -> slot[SLOT(index)].word[c] : 0)
#if defined(WEAK_EPOCH)
#define LOAD_OTHER slot[SLOT(index)].word[1]
#elif defined(WEAK_LANES)
#define LOAD_OTHER LOAD(1, other)
#else
#define LOAD_OTHER LOAD(1, index)
#endif
#define PLACE (ahead == 0 -> 0 : 1 + index % AHEAD)

#define FORGET index = 0; word[0] = 0; word[1] = 0

/* A place that is empty is the looker's. */
inline look(ahead) {
#ifdef WEAK_LANES
  other = next + ahead;
#endif
  index = next + ahead;
  d_step { word[0] = LOAD(0, index); index = (word[0] == 0 -> 0 : index) }
  if
  :: word[0] != 0 ->
     word[1] = LOAD_OTHER;
     if
     :: word[1] != 0 && (ahead != 0 || index == next) && !place[PLACE].is_full ->
#ifdef WEAK_TRAY
        place[PLACE].is_full = true;
#endif
        d_step { place[PLACE].index = index; place[PLACE].word[0] = word[0]; place[PLACE].word[1] = word[1] }
        d_step { place[PLACE].is_full = true; FORGET }
     :: else -> d_step { FORGET }
     fi
  :: else
  fi
}

/* The block has left when all are here. */
inline leave() {
  gone++;
  !leaving || ALL_DONE
}

proctype Looker(byte first, last) {
  byte ahead = first, index, word[2];
#ifdef WEAK_LANES
  byte other;
#endif
  {
    do
    :: ALL_DONE -> break
    :: leaving && !ALL_DONE -> leave()
    :: else ->
       look(ahead);
       if
       :: ahead < last -> ahead++
       :: ahead = first
       fi
    od
  } unless { d_step { killed -> FORGET; ahead = 0 } }
}

#ifdef WEAK_FENCE
#define TEXT(index) early
#else
#define TEXT(index) slot[SLOT(index)].text
#endif

inline handle(p, index) {
  d_step {
    assert(place[p].word[0] == place[p].word[1]);
    if
    :: index < floor -> assert(tail >= index + CAPACITY)
    :: else -> assert(place[p].word[0] <= SHORT || place[p].word[0] == TEXT(index))
    fi;
    settle(index, place[p].word[0])
  }
}

#ifdef WEAK_INDEX
#define IS_NEXT(p) (place[p].is_full && !leaving)
#else
#define IS_NEXT(p) (place[p].is_full && place[p].index == next && !leaving)
#endif
#ifdef WEAK_STALE
#define IS_STALE(p) false
#else
#define IS_STALE(p) (place[p].is_full && place[p].index < next)
#endif
#define EMPTY(p) place[p].is_full = false; place[p].index = 0; place[p].word[0] = 0; place[p].word[1] = 0
#if AHEAD == 1
#define EMPTY_ALL EMPTY(0); EMPTY(1)
#else
#define EMPTY_ALL EMPTY(0); EMPTY(1); EMPTY(2)
#endif

#if defined(WEAK_INDEX)
#define HANDLE(p) atomic { IS_NEXT(p) -> handle(p, next) } d_step { next++; EMPTY(p) }
#elif defined(WEAK_EARLY)
#define HANDLE(p) IS_NEXT(p) -> settled = next + 1; handle(p, next); next++
#elif defined(WEAK_RETURN)
#define HANDLE(p) IS_NEXT(p) -> next++; handle(p, next - 1)
#else
#define HANDLE(p) atomic { IS_NEXT(p) -> handle(p, next) } next++
#endif

/* A place that is full is the worker's. */
proctype Worker() {
#ifdef WEAK_FENCE
  byte early;
#endif
  {
    do
    :: ALL_DONE -> break
    :: leaving && !ALL_DONE -> leave()
#ifdef WEAK_FENCE
    :: early != slot[SLOT(next)].text -> early = slot[SLOT(next)].text
#endif
    :: d_step { IS_STALE(0) -> EMPTY(0) }
    :: d_step { IS_STALE(1) -> EMPTY(1) }
    :: HANDLE(0)
    :: HANDLE(1)
#if AHEAD == 2
    :: d_step { IS_STALE(2) -> EMPTY(2) }
    :: HANDLE(2)
#endif
    od
  } unless { killed }
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
#ifdef WEAK_CLEAR
     answered++;
#else
     IS_THERE(0, index) && IS_THERE(1, index);
     d_step {
       assert(slot[SLOT(index)].word[0] == slot[SLOT(index)].word[1]);
       if
       :: killed && index < answered /* it was handled, and that not told */
       :: else -> settle(index, slot[SLOT(index)].word[0])
       fi
     }
#endif
     index++
  od;
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
     fi;
     d_step { EMPTY_ALL; gone = 0; leaving = false }
  :: ALL_DONE
  fi
#endif
#ifdef KILL
  d_step { killed = true; EMPTY_ALL; next = 0 }
  do
  :: ALL_DONE -> break
  :: else -> clear()
  od
#endif
}

init {
  atomic {
    run Sender(1, SHORT, true);
    run Sender(SHORT + 1, TOTAL, false);
#ifdef TWO_LOOKS
    run Looker(0, 0);
    run Looker(1, AHEAD);
#else
    run Looker(0, AHEAD);
#endif
    run Worker();
    run Clerk();
#if defined(RESTART) || defined(KILL)
    run Host()
#endif
  }
}

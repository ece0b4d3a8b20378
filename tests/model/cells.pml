/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The inbox of a kernel on a GPU: ringwave/ring/slot.hpp; try_send(), drop_oldest() and clear() of
 * ringwave/ring/cuda/resident_host.cu; ringwave/ring/cuda/carrier.cuh and the worker behind its stage.
 *
 * No message is taken in part, none is lost, none comes twice, the order is that of the claims; each is
 * handled, dropped or cleared. A sender hears `full` only while the ring is full, and a message is dropped only
 * for one that had no room. Everybody comes to an end.
 *
 * Scaled down: one band of 2 slots, 2 cells, a stage of 2, two senders. The first one sends short messages and
 * drops the oldest where there is no room, the second one sends 2 long ones and waits. Cells become visible in
 * any order, each as a whole, and a look loads them one after the other. Senders look at `freed` each time; what
 * they remember of it is only older.
 *
 * TWO_LOOKS    two looks are on their way, not one
 * RESTART      once, at any time, the kernel leaves, the host clears what waits, and the kernel comes again
 * WEAK_EPOCH   only the first cell is looked at for the epoch
 * WEAK_LONG    a long payload may be seen after the cells: no release
 * WEAK_COPY    a slot is given back at the look, before the message is copied out of it
 * WEAK_STAGE   a slot with a long payload is given back when it is staged, not when it was handled
 * WEAK_LAP     the epoch is the same in every lap
 * WEAK_FULL    the distance from what is freed has no sign: a sender that was held up since its look hears `full`
 * WEAK_FLOOR   the floor follows what is freed, not what there is no room for
 * WEAK_CLEAR   with RESTART: the host does not wait for messages that are claimed and not written yet
 * WEAK_KEEP    no slot is given back
 */
#define CAPACITY 2
#define STAGE 2
#ifndef SHORT
#define SHORT 3 /* messages 1 to SHORT are short, two more are long */
#endif
#define TOTAL (SHORT + 2)
#define SLOT(index) ((index) % CAPACITY)

#ifdef WEAK_LAP
#define EPOCH(index) 1
#else
#define EPOCH(index) (1 + (index) / CAPACITY)
#endif
#ifdef WEAK_FULL
#define IS_FULL(index, freed) ((index) < (freed) || (index) - (freed) >= CAPACITY)
#else
#define IS_FULL(index, freed) ((index) - (freed) >= CAPACITY)
#endif
#ifdef WEAK_FLOOR
#define FLOOR (freed + 1)
#else
#define FLOOR (tail + 1 - CAPACITY)
#endif

typedef Cells { byte word[2], epoch[2]; };
Cells slot[CAPACITY], flying[CAPACITY]; /* flying: stored and not seen yet; epoch 0: nothing */
byte text[CAPACITY], flying_text[CAPACITY];
byte tail, freed, floor;

typedef Staged { byte word, index; };
Staged place[STAGE];
byte staged, handled, dropped, cleared;
bool leaving, restarted;

byte claimed[TOTAL]; /* what the ring owes at each index */
#define ALL_DONE (handled + dropped + cleared == TOTAL)

inline try_send(message) {
  index = tail;
  do
  :: d_step { sent = !IS_FULL(index, freed); assert(sent || tail - freed >= CAPACITY) }
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

inline write(message, index) {
  d_step {
    assert(tail <= index + CAPACITY); /* the slot is not yet another one's */
    flying[SLOT(index)].word[0] = message;
    flying[SLOT(index)].word[1] = message;
    flying[SLOT(index)].epoch[0] = EPOCH(index);
    flying[SLOT(index)].epoch[1] = EPOCH(index);
    flying_text[SLOT(index)] = (message > SHORT -> message : 0)
  }
}

proctype Sender(byte message, last; bool drops) {
  byte index;
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

#ifdef WEAK_LONG
#define IN_TURN(s) true
#else
#define IN_TURN(s) flying_text[s] == 0
#endif
#define LAND(s, c) \
  d_step { \
    flying[s].epoch[c] != 0 && IN_TURN(s) -> slot[s].word[c] = flying[s].word[c]; \
    slot[s].epoch[c] = flying[s].epoch[c]; \
    flying[s].word[c] = 0; \
    flying[s].epoch[c] = 0 \
  }

proctype Memory(byte s) {
end:
  do
  :: d_step { flying_text[s] != 0 -> text[s] = flying_text[s]; flying_text[s] = 0 }
  :: LAND(s, 0)
  :: LAND(s, 1)
  od
}

/* Of a cell it counts only whether it has the epoch that the look is for, and then its word. */
typedef Look { byte index, word[2]; bool there[2], below_floor; };

#define IS_THERE(c, index) (slot[SLOT(index)].epoch[c] == EPOCH(index))
#define LOAD(look, c) \
  look.there[c] = IS_THERE(c, look.index); \
  look.word[c] = (look.there[c] -> slot[SLOT(look.index)].word[c] : 0)

inline load(look) {
  d_step { look.index = next; LOAD(look, 0) }
  d_step { LOAD(look, 1); look.below_floor = next < floor }
}

#ifdef WEAK_EPOCH
#define IS_WHOLE(look) look.there[0]
#else
#define IS_WHOLE(look) (look.there[0] && look.there[1])
#endif

inline digest(look) {
  known_handled = handled;
  if
  :: look.index == next && IS_WHOLE(look) && (look.below_floor || staged - known_handled < STAGE) ->
#ifdef WEAK_COPY
     freed = next + 1;
     d_step { LOAD(look, 0); LOAD(look, 1) }
#endif
     d_step {
       assert(look.word[0] == claimed[next] && look.word[1] == claimed[next]);
       if
       :: look.below_floor -> assert(tail >= next + CAPACITY); dropped++
       :: else ->
          place[staged % STAGE].word = look.word[0];
          place[staged % STAGE].index = next;
          staged++
       fi;
       next++
     }
  :: else
  fi;
  d_step { look.word[0] = 0; look.word[1] = 0 }
}

/* A long message that waits on the stage keeps its slot, and with it those behind. */
inline tell_progress() {
  d_step {
    i = known_handled;
#ifdef WEAK_STAGE
    i = staged;
#endif
    do
    :: i == staged || place[i % STAGE].word > SHORT -> break
    :: else -> i++
    od;
#ifndef WEAK_KEEP
    freed = (i == staged -> next : place[i % STAGE].index);
#endif
    i = 0
  }
}

/* By the host, while the kernel is gone. What waits on the stage is answered, too, and not handled any more. */
inline clear() {
  i = tail;
  do
  :: next == i -> break
  :: else ->
#ifndef WEAK_CLEAR
     IS_THERE(0, next) && IS_THERE(1, next);
#endif
     d_step { next++; cleared++ }
  od;
  handled = staged;
  d_step { i = 0; leaving = false; restarted = true }
}

proctype Carrier() {
  Look first, second;
  byte next, known_handled, i;
  do
  :: ALL_DONE -> break
  :: leaving -> tell_progress(); clear(); known_handled = handled
  :: else ->
     digest(first);
     load(first);
#ifdef TWO_LOOKS
     digest(second);
     load(second);
#endif
     tell_progress()
  od
}

proctype Worker() {
  byte word, last[2];
  do
  :: ALL_DONE -> break
  :: d_step {
       staged != handled && !leaving ->
       word = place[handled % STAGE].word;
       assert(word <= SHORT || text[SLOT(place[handled % STAGE].index)] == word);
       assert(word > last[word > SHORT]);
       last[word > SHORT] = word;
       word = 0;
       handled++
     }
#ifdef RESTART
  :: d_step { !leaving && !restarted -> leaving = true }
#endif
  od
}

init {
  atomic {
    run Memory(0);
    run Memory(1);
    run Sender(1, SHORT, true);
    run Sender(SHORT + 1, TOTAL, false);
    run Carrier();
    run Worker()
  }
}

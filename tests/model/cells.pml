/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The inbox of a kernel on a GPU: ringwave/ring/slot.hpp, try_send() and drop_oldest() of
 * ringwave/ring/cuda/resident_host.cu, ringwave/ring/cuda/carrier.cuh and the worker behind its stage.
 *
 * No message is taken in part, none is lost, none comes twice, the order is that of the claims; each is handled
 * or dropped. A sender hears `full` only while the ring is full, and a message is dropped only for one that
 * would not have had room. Everybody comes to an end.
 *
 * Scaled down: one band of 2 slots, 2 cells, a stage of 2, two senders. The first one sends short messages and
 * drops the oldest where there is no room, the second one sends long ones and waits. Cells become visible in
 * any order, each as a whole, and the carrier loads them one after the other. Two looks are on their way.
 *
 * WEAK_EPOCH   only the first cell is looked at for the epoch
 * WEAK_LONG    a long payload may be seen after the cells: no release
 * WEAK_COPY    a slot is given back at the look, before the message is copied out of it
 * WEAK_STAGE   a slot with a long payload is given back when it is staged, not when it was handled
 * WEAK_LAP     the epoch is the same in every lap
 * WEAK_FULL    the distance to what is freed is unsigned: a sender that slept since its look hears `full`
 * WEAK_FLOOR   the floor follows what is freed, not what there is no room for
 */
#define CAPACITY 2
#define STAGE 2
#ifndef SHORT
#define SHORT 3 /* messages 1 to SHORT are short */
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

typedef Cells { byte word[2], epoch[2]; };
Cells slot[CAPACITY], flying[CAPACITY]; /* flying: stored and not seen yet; epoch 0: nothing */
byte text[CAPACITY], flying_text[CAPACITY];
byte tail, freed, floor;
byte known_freed; /* as senders last saw it */

typedef Staged { byte word, index; };
Staged place[STAGE];
byte staged, handled, dropped;
byte claimed[TOTAL]; /* what the ring owes at each index */

inline try_send(message) {
  index = tail;
  sent = false;
  full = false;
  do
  :: sent || full -> break
  :: else ->
     if
     :: IS_FULL(index, known_freed) ->
        atomic {
          seen = freed;
          full = IS_FULL(index, seen);
          assert(!full || tail - freed >= CAPACITY)
        }
        known_freed = seen
     :: else
     fi;
     atomic {
       if
       :: full
       :: !full && tail == index -> tail++; claimed[index] = message; sent = true
       :: else -> index = tail
       fi
     }
  od
  d_step {
    if
    :: sent ->
       flying[SLOT(index)].word[0] = message;
       flying[SLOT(index)].word[1] = message;
       flying[SLOT(index)].epoch[0] = EPOCH(index);
       flying[SLOT(index)].epoch[1] = EPOCH(index);
       flying_text[SLOT(index)] = (message > SHORT -> message : 0)
    :: else
    fi
  }
}

inline drop_oldest() {
#ifdef WEAK_FLOOR
  seen = freed + 1;
#else
  seen = tail + 1 - CAPACITY; /* it is full: not below 1 */
#endif
  atomic {
    if
    :: floor < seen -> floor = seen
    :: else
    fi
  }
}

proctype Sender(byte message, last; bool drops) {
  byte index, seen;
  bool sent, full;
  do
  :: message > last -> break
  :: else ->
     try_send(message);
     if
     :: sent -> message++
     :: full && drops -> drop_oldest()
     :: else
     fi
  od
}

#ifdef WEAK_LONG
#define MAY_LAND(s, c) (flying[s].epoch[c] != 0)
#else
#define MAY_LAND(s, c) (flying[s].epoch[c] != 0 && flying_text[s] == 0)
#endif
#define LAND(s, c) \
  d_step { \
    MAY_LAND(s, c) -> slot[s].word[c] = flying[s].word[c]; \
    slot[s].epoch[c] = flying[s].epoch[c]; \
    flying[s].epoch[c] = 0; \
    flying[s].word[c] = 0 \
  }

proctype Memory(byte s) {
end:
  do
  :: d_step { flying_text[s] != 0 -> text[s] = flying_text[s]; flying_text[s] = 0 }
  :: LAND(s, 0)
  :: LAND(s, 1)
  od
}

typedef Look { byte index, word[2], epoch[2], floor; };

#define LOAD(look, c) \
  d_step { \
    look.word[c] = slot[SLOT(look.index)].word[c]; \
    look.epoch[c] = slot[SLOT(look.index)].epoch[c] \
  }

inline load(look) {
  look.index = next;
  LOAD(look, 0);
  LOAD(look, 1);
  look.floor = floor
}

#ifdef WEAK_EPOCH
#define IS_THERE(look) (look.epoch[0] == EPOCH(next))
#else
#define IS_THERE(look) (look.epoch[0] == EPOCH(next) && look.epoch[1] == EPOCH(next))
#endif

inline digest(look) {
  known_handled = handled;
  if
  :: look.index == next && IS_THERE(look) && (next < look.floor || staged - known_handled < STAGE) ->
#ifdef WEAK_COPY
     freed = next + 1;
     LOAD(look, 0);
     LOAD(look, 1);
#endif
     assert(look.word[0] == claimed[next] && look.word[1] == claimed[next]);
     if
     :: next < look.floor -> assert(tail >= next + CAPACITY); dropped++
     :: else ->
        d_step { place[staged % STAGE].word = look.word[0]; place[staged % STAGE].index = next }
        staged++
     fi;
     d_step { next++; look.word[0] = 0; look.word[1] = 0; look.epoch[0] = 0; look.epoch[1] = 0 }
  :: else
  fi
}

/* The first long message that waits on the stage keeps its slot, and those after it. */
inline tell_progress() {
  d_step {
    known_freed_ = next;
#ifndef WEAK_STAGE
    i = known_handled;
    do
    :: i == staged -> break
    :: i != staged && place[i % STAGE].word > SHORT -> known_freed_ = place[i % STAGE].index; break
    :: else -> i++
    od;
    i = 0;
#endif
    freed = known_freed_;
    known_freed_ = 0
  }
}

proctype Carrier() {
  Look first, second;
  byte next, known_handled, known_freed_, i;
  load(first);
  load(second);
  do
  :: handled + dropped == TOTAL -> break
  :: else ->
     digest(first);
     load(first);
     digest(second);
     load(second);
     tell_progress()
  od
}

proctype Worker() {
  byte word, last[2];
  do
  :: handled + dropped == TOTAL -> break
  :: staged != handled ->
     word = place[handled % STAGE].word;
     assert(word <= SHORT || text[SLOT(place[handled % STAGE].index)] == word);
     assert(word > last[word > SHORT]);
     d_step { last[word > SHORT] = word; word = 0; handled++ }
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

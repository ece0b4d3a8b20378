/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Objects from a thread that may allocate to an audio thread, and back: ringwave/core/handover.hpp.
 *
 * Nothing is freed that the audio thread uses, nothing twice, and all in the end. Where busy() says no, what was offered
 * last is in use.
 *
 * Scaled down: 4 objects are offered after the one that is in use at first. The audio thread may stop at any time.
 *
 * WEAK_PLACES  there is only one place for what is given back
 * WEAK_TAKEN   the audio thread says that it has taken something after it has
 * WEAK_OFFER   the offer before is looked at and replaced in two steps
 */
#define OFFERS 4
#define FIRST 5  /* the object that is in use at first */
#ifdef WEAK_PLACES
#define PLACES 1
#else
#define PLACES 3
#endif

bool is_freed[6];
byte offered;  /* 0 is nothing */
byte returned[PLACES];
bool is_taken, is_done, has_stopped;
byte in_use = FIRST, coming;

inline free(object) {
  if
  :: object != 0 ->
     assert(!is_freed[object] && object != in_use && object != coming);
     is_freed[object] = true
  :: else
  fi
}

inline free_returned() {
  index = 0;
  do
  :: index < PLACES ->
     atomic { old = returned[index]; returned[index] = 0 };
     free(old);
     index++
  :: else -> break
  od
}

inline offer(object) {
  free_returned();
#ifdef WEAK_OFFER
  old = offered;
  offered = object;
#else
  atomic { old = offered; offered = object };
#endif
  free(old)
}

proctype Setup() {
  byte number, index, old, seen;
  do
  :: number < OFFERS ->
     number++;
     offer(number);
     if
     :: true
     :: seen = offered;
        if
        :: seen == 0 ->
           if
           :: !is_taken -> assert(in_use == number)
           :: else
           fi
        :: else
        fi
     fi
  :: else -> break
  od;
  is_done = true;
  has_stopped;
  free(offered);
  free_returned();
  for (index : 1 .. FIRST) {
    assert(is_freed[index] || index == in_use)
  }
}

proctype Audio() {
  byte place, lost;
  do
  :: is_done -> break
  :: offered != 0 ->
#ifdef WEAK_TAKEN
     atomic { coming = offered; offered = 0 };
     is_taken = true;
#else
     is_taken = true;
     atomic { coming = offered; offered = 0 };
#endif
     atomic { lost = in_use; in_use = coming; coming = lost };
     place = 0;
     do
     :: place + 1 < PLACES && returned[place] != 0 -> place++
     :: else -> break
     od;
     atomic { lost = returned[place]; returned[place] = coming; coming = 0 };
     assert(lost == 0);
     is_taken = false
  od;
  has_stopped = true
}

init {
  atomic {
    run Setup();
    run Audio()
  }
}

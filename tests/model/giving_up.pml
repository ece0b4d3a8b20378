/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A thread of ringwave/ring/cpu that is given up, by ringwave/ring/cpu/actor_state.hpp: enter(), leave(),
 * claim_answer() and unclaim_answer() of the thread, abandon() and claim_answer_of_abandoned() of the supervisor.
 *
 * The thread takes nothing any more once its successor does. Every message is taken once and answered once: by the
 * thread, also when it comes to the end of its handler after it was given up, by the supervisor, or by the successor.
 *
 * Scaled down: 3 messages, all of them requests. The thread may stay in its handler for ever; it is given up at any
 * time, and once more later. What it stores is seen later, in its order, as on x86; it sees its own stores. A locked
 * operation and the far fence wait until everything was seen.
 *
 * WEAK_FENCE    the supervisor makes no far fence
 * WEAK_WAIT     it does not wait until the thread is out
 * WEAK_TAKE     the thread says that it is out before it has taken the message
 * WEAK_OPEN     it says that there is an answer to be claimed when it is out
 * WEAK_CLAIM    it claims the answer outside
 */
#define MESSAGES 3

mtype = { INSIDE, NEXT, HAND, ANSWERED };
chan stored = [7] of { mtype, byte }; /* by the thread, and not seen yet */

bool inside, answered = true; /* as all see them */
byte next, hand;
bool abandoned, succeeded;
byte answers[MESSAGES + 1];
byte over;

inline claim_answer_of_abandoned() {
  won = !answered;
  answered = true
}

/* What it stored last is what it loads; after an exchange, what all see. */
inline claim_answer() {
  won = false;
  if
  :: is_answered
  :: else ->
#ifndef WEAK_CLAIM
     stored!INSIDE(true);
#endif
     if
     :: !abandoned -> won = true; stored!ANSWERED(true)
     :: else -> atomic { empty(stored) -> claim_answer_of_abandoned() }
     fi;
     is_answered = true;
     stored!INSIDE(false)
  fi
}

inline unclaim_answer() {
  is_answered = false;
  stored!ANSWERED(false)
}

proctype Thread() {
  byte index; /* its own next */
  bool is_answered = true, won;
  do
  :: stored!INSIDE(true);
     if
     :: abandoned -> stored!INSIDE(false); break
     :: else
     fi;
#ifdef WEAK_TAKE
     stored!INSIDE(false);
#endif
     assert(!succeeded);
     if
     :: index == MESSAGES -> stored!INSIDE(false); break
     :: else
     fi;
     index++;
     stored!NEXT(index);
     stored!HAND(index);
     is_answered = false;
#ifdef WEAK_OPEN
     stored!INSIDE(false);
     stored!ANSWERED(false);
#else
     stored!ANSWERED(false);
     stored!INSIDE(false);
#endif
     if
     :: break /* stays in the handler */
     :: skip
     :: claim_answer(); /* it replies */
        if
        :: won -> answers[index]++
        :: else
        fi
     :: claim_answer(); /* it hands the request to a kernel that is gone */
        if
        :: won -> unclaim_answer()
        :: else
        fi
     fi;
     claim_answer();
     if
     :: won -> answers[index]++
     :: else
     fi
  od;
  over++
}

inline give_up() {
  abandoned = true;
#ifndef WEAK_FENCE
  empty(stored);
#endif
#ifndef WEAK_WAIT
  !inside;
#endif
  atomic { claim_answer_of_abandoned() };
  if
  :: won -> answers[hand]++
  :: else
  fi
}

proctype Supervisor() {
  bool won;
  give_up();
  succeeded = true;
  do
  :: next == MESSAGES -> break
  :: else -> next++; answers[next]++
  od;
  give_up();
  over++
}

proctype Memory() {
  byte value;
end:
  do
  :: d_step { stored?INSIDE(value) -> inside = value }
  :: d_step { stored?NEXT(value) -> next = value }
  :: d_step { stored?HAND(value) -> hand = value }
  :: d_step { stored?ANSWERED(value) -> answered = value }
  od
}

init {
  byte index;
  atomic {
    run Memory();
    run Thread();
    run Supervisor()
  };
  over == 2 && empty(stored);
  for (index : 1 .. MESSAGES) {
    assert(answers[index] == 1)
  }
}

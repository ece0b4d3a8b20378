/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sleep and wake of a kernel on the CPU: ringwave/ring/cpu/doorbell.hpp with Actor::run() and rest(),
 * ThreadHost::try_send() and command(). Sleep has no time limit here, so that a wake-up that is lost is a
 * deadlock.
 *
 * Every message that was sent is taken, and the kernel does what it is told, while two senders send and the
 * host lets it run, hold, run and end.
 *
 * Scaled down: one band, 3 messages; the kernel never spins before it sleeps. A message is claimed first and
 * there later. The futex compares and falls asleep in one step, as the system promises.
 *
 * WEAK_RING     the ringer's stores may be seen after its look at the sleepers: not sequentially consistent. The
 *               model has the look come before the stores, which is the same
 * WEAK_RELEASE  a ring may be seen before the message it is for: relaxed
 * WEAK_TICKET   the ticket is taken after the last look
 * WEAK_COMMAND  the last look asks what the command is, not whether it is still the one that was acted on
 */
#define TOTAL 3

mtype = { absent, holding, running, ended };
mtype = { hold, run_, end_ };

mtype command = hold, phase = absent;
byte rings, sleepers;
bool asleep;
byte tail, head;
bool there[TOTAL];

inline wake_if(any) {
  if
  :: any -> asleep = false
  :: else
  fi
}

inline ring() {
  rings++;
  wake_if(sleepers != 0)
}

inline push() {
  atomic { index = tail; tail++ };
  there[index] = true
}

proctype Sender(byte count) {
  byte index, seen;
  do
  :: count == 0 -> break
  :: else ->
#if defined(WEAK_RING)
     seen = sleepers;
     push();
     rings++;
     wake_if(seen != 0);
#elif defined(WEAK_RELEASE)
     rings++;
     seen = sleepers;
     push();
     wake_if(seen != 0);
#else
     push();
     ring();
#endif
     count--
  od
}

proctype Host() {
  command = run_; ring(); phase == running;
  command = hold; ring(); phase == holding;
  command = run_; ring(); phase == running;
  head == TOTAL;
  command = end_; ring(); phase == ended
}

inline look(acted) {
#ifdef WEAK_COMMAND
  anything = command != hold;
  if
  :: anything -> anything = command == end_; anything = anything || tail != head
  :: else
  fi
#else
  anything = command != acted;
  if
  :: !anything && acted == run_ -> anything = tail != head
  :: else
  fi
#endif
}

inline rest(acted) {
  sleepers++;
#ifdef WEAK_TICKET
  look(acted);
  ticket = rings;
#else
  ticket = rings;
  look(acted);
#endif
  if
  :: anything
  :: else ->
     atomic {
       if
       :: rings == ticket -> asleep = true
       :: else
       fi
     }
     !asleep
  fi
  sleepers--
}

proctype Actor() {
  mtype told;
  byte ticket;
  bool anything;
  do
  :: told = command;
     if
     :: told == end_ -> break
     :: told == hold -> phase = holding; rest(told)
     :: told == run_ ->
        phase = running;
        if
        :: head < TOTAL && there[head] -> head++
        :: else -> rest(told)
        fi
     fi
  od
  assert(head == TOTAL);
  phase = ended
}

init {
  atomic {
    run Sender(2);
    run Sender(1);
    run Host();
    run Actor()
  }
}

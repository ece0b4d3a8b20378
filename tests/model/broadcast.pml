/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One who hears a station: ringwave/stream/broadcast.hpp with Listener, and of the server Listening, with the
 * loop that writes and its sleep, and Shard::wake().
 *
 * Packets are taken once and in order, and what is not taken is counted as lost, while the station plays, stops and
 * plays again, the player reads or pauses, and at last the station is deleted or only stops. Whoever writes comes to the
 * end of its work, or to its sleep: it does not go round for nothing.
 *
 * Scaled down: 4 packets, of which 2 are kept; the station stops twice before its end; the system takes one packet, or
 * keeps what it did not take until the player reads. What the shard's thread does is one process: a loop that does not
 * sleep keeps all else of that thread waiting, as it does in the server.
 *
 * WEAK_FORGET  who wants what was forgotten goes to the newest packet, though nothing is kept
 * WEAK_LOOK    with the one before: the loop sleeps only where its own place is the end of the broadcast
 * WEAK_COUNT   what was lost is not counted
 * WEAK_LOCK    the end is seen before the packet is there
 * WEAK_WAKE    the shard is woken before the packet is there
 * WEAK_MARK    the shard takes back the mark that it was woken after it has looked
 */
#define TOTAL 4
#define KEPT 2
#define STOPS 2

byte ring[KEPT];  /* one more than the sequence of the packet; 0 is nothing */
byte end_, forgotten;
bool woken, posted;  /* the shard's mark, and its task */
bool is_gone;        /* deleted */
bool is_full, has_rest, is_over;
byte next_, taken, skipped;

inline publish() {
#ifdef WEAK_LOCK
  end_++;
  ring[(end_ - 1) % KEPT] = end_
#else
  d_step { ring[end_ % KEPT] = end_ + 1; end_++ }
#endif
}

inline forget() {
  d_step { ring[0] = 0; ring[1] = 0; forgotten = end_ }
}

inline wake() {
  atomic { was_woken = woken; woken = true };
  if
  :: was_woken
  :: else -> assert(!posted); posted = true
  fi
}

proctype Station() {
  byte stops;
  bool was_woken;
  do
  :: end_ < TOTAL ->
#ifdef WEAK_WAKE
     wake();
     publish()
#else
     publish();
     wake()
#endif
  :: stops < STOPS -> forget(); stops++
  :: end_ == TOTAL -> break
  od;
  if
  :: forget(); is_gone = true
  :: true
  fi
}

proctype Player() {
end:
  do
  :: is_full -> is_full = false
  od
}

/* Broadcast::read() and Listener::take(), for one packet. */
inline take() {
  d_step {
    begin = (end_ > KEPT -> end_ - KEPT : 0);
    begin = (forgotten > begin -> forgotten : begin);
    if
    :: next_ < begin ->
#ifdef WEAK_FORGET
       to = end_ - 1;
#else
       to = (begin == end_ -> end_ : end_ - 1);
#endif
#ifndef WEAK_COUNT
       skipped = skipped + to - next_;
#endif
       next_ = to
    :: else
    fi;
    count = (next_ < end_ && next_ >= begin -> 1 : 0);
    if
    :: count == 1 ->
       assert(ring[next_ % KEPT] == next_ + 1);
       assert(next_ >= last);
       next_++;
       last = next_;
       taken++
    :: else
    fi
  }
}

inline send_packets() {
  do
  :: has_rest -> break
  :: else ->
     take();
     if
     :: count == 0 -> break
     :: else ->
        if
        :: true
        :: atomic { has_rest = true; is_full = true }
        fi
     fi
  od
}

inline flush() {
  do
  :: !is_full -> has_rest = false; break
  :: posted -> posted = false; woken = false  /* nobody sleeps */
  :: is_gone && !is_over -> is_over = true
  od
}

inline sleep() {
  do
  :: posted ->
     posted = false;
#ifdef WEAK_MARK
     send_packets();
     woken = false;
#else
     woken = false;
     send_packets();
#endif
     if
     :: has_rest -> break
     :: else
     fi
  :: is_gone -> is_over = true; break
  :: next_ == TOTAL -> break
  od
}

proctype Shard() {
  byte begin, to, last, count;
  do
  :: is_over || next_ == TOTAL -> break
  :: else ->
     if
     :: has_rest -> flush()
     :: else
     fi;
     if
     :: is_over -> break
     :: else
     fi;
     send_packets();
     if
     :: has_rest
#ifdef WEAK_LOOK
     :: !has_rest && end_ != next_
     :: !has_rest && end_ == next_ -> sleep()
#else
     :: else -> sleep()
#endif
     fi
  od;
  assert(taken + skipped == next_)
}

init {
  atomic {
    run Station();
    run Player();
    run Shard()
  }
}

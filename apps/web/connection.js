// SPDX-License-Identifier: Apache-2.0
import { parseFrame } from './frame.js';

const FIRST_WAIT_MS = 100;
const MOST_WAIT_MS = 5000;
const SILENT_MS = 8000; // a server sends `status` every five seconds and frames all the while

/// The WebSocket of a station, opened again and again until close(). Waits between tries from 100 ms,
/// twice as long each time up to 5 s.
export class Connection {
  /// address(): where to connect, each time anew. look(): called after a try that failed before `hello`; makes good
  /// what it can and resolves to why it failed, for people, or to nothing; an exception ends the tries.
  constructor({ address, look, onFrame, onMessage, onState }) {
    Object.assign(this, { address, look, onFrame, onMessage, onState });
    this.state = 'closed'; // or 'connecting', 'open', 'waiting'
    this.waitMs = FIRST_WAIT_MS;
    this.frames = 0;
    this.gaps = 0; // places where frames are missing
    this.reconnects = 0;
    this.trouble = null; // why the last try failed
    this.wasOpen = false;
    this.socket = null;
    this.timer = 0;
    this.sequence = null;
  }

  open() {
    if (this.state !== 'closed') return;
    this.wasOpen = false;
    this.trouble = null;
    this.waitMs = FIRST_WAIT_MS;
    this.connect();
  }

  close() {
    clearTimeout(this.timer);
    const { socket } = this;
    this.socket = null;
    socket?.close(1000);
    this.enter('closed');
  }

  /// Now, not after the wait: the network is back, or another codec is wanted.
  again() {
    if (this.state === 'closed') return;
    clearTimeout(this.timer);
    const { socket } = this;
    this.socket = null;
    socket?.close(1000);
    this.connect();
  }

  /// False where nobody would get it.
  send(message) {
    if (this.state !== 'open') return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  connect() {
    this.enter('connecting');
    const socket = new WebSocket(this.address());
    socket.binaryType = 'arraybuffer';
    this.socket = socket;
    this.sequence = null;
    socket.onmessage = ({ data }) => { if (this.socket === socket) this.receive(data); };
    socket.onclose = () => { if (this.socket === socket) this.lose(); };
    this.watch();
  }

  receive(data) {
    this.watch();
    if (typeof data !== 'string') return this.take(data);
    const message = JSON.parse(data);
    if (message.type === 'hello') this.greet();
    this.onMessage(message);
  }

  greet() {
    if (this.wasOpen) ++this.reconnects;
    this.wasOpen = true;
    this.trouble = null;
    this.waitMs = FIRST_WAIT_MS;
    this.enter('open');
  }

  take(data) {
    const frame = parseFrame(data);
    ++this.frames;
    if (this.sequence !== null && frame.sequence !== ((this.sequence + 1) >>> 0)) ++this.gaps;
    this.sequence = frame.sequence;
    this.onFrame(frame);
  }

  async lose() {
    const wasRefused = this.state === 'connecting';
    this.socket = null;
    this.enter('waiting');
    try {
      this.trouble = wasRefused ? await this.look() : null;
    } catch (error) {
      if (this.state === 'waiting') this.enter('closed', error);
      return;
    }
    if (this.state !== 'waiting') return; // closed meanwhile
    this.onState(this.state);
    this.timer = setTimeout(() => this.connect(), this.waitMs);
    this.waitMs = Math.min(MOST_WAIT_MS, 2 * this.waitMs);
  }

  /// A connection that is silent is a dead one, though the browser may not know it for minutes.
  watch() {
    clearTimeout(this.timer);
    const { socket } = this;
    this.timer = setTimeout(() => {
      if (this.socket !== socket) return;
      this.socket = null;
      socket.close();
      this.lose();
    }, SILENT_MS);
  }

  enter(state, error) {
    if (this.state === state) return;
    this.state = state;
    this.onState(state, error);
  }
}

import { readSync, writeSync } from 'node:fs';
import { encodeFrame, type Frame, FrameReader } from '../python-process/python-frames.ts';

const REQUESTS = 0;
const ANSWERS = 3;
const READ_BYTES = 256 * 1024;
/** Age at which held frames no longer wait for others. */
const MAX_HELD_MS = 1;

/**
 * Frames to and from the program that started this process, without an event loop: both wait. A read takes all frames that have come,
 * and what is held goes in one write, for each call of the system, and each time that the other side wakes, costs more than a frame.
 */
export interface FrameChannel<Header> {
  /** The next frame, or undefined when the other side has gone. */
  receive(): Frame<Header> | undefined;
  send(header: unknown): void;
  /** Sends the frame with those after it: at the latest when `receive` has to wait, or once the first of them is a millisecond old. */
  hold(header: unknown, body: Uint8Array): void;
}

/** The child's end of `FrameProcess`, which sends frames with headers of this type. */
export function openFrameChannel<Header>(): FrameChannel<Header> {
  const reader = new FrameReader<Header>();
  const piece = Buffer.allocUnsafe(READ_BYTES);
  let received: Frame<Header>[] = [];
  let held: Buffer[] = [];
  let heldSince = 0;
  const flush = (): void => {
    if (held.length === 0) return;
    const bytes = Buffer.concat(held);
    held = [];
    for (let sent = 0; sent < bytes.length;) sent += writeSync(ANSWERS, bytes, sent);
  };
  return {
    receive() {
      for (;;) {
        const frame = received.shift();
        if (frame !== undefined) return frame;
        flush();
        const size = readSync(REQUESTS, piece);
        if (size === 0) return undefined;
        received = reader.push(Buffer.from(piece.subarray(0, size)));
      }
    },
    send(header) {
      held.push(encodeFrame(header));
      flush();
    },
    hold(header, body) {
      const now = performance.now();
      if (held.length === 0) heldSince = now;
      held.push(encodeFrame(header, [body]));
      if (now - heldSince > MAX_HELD_MS) flush();
    },
  };
}

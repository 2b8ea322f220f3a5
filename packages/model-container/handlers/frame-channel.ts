import { readSync, writeSync } from 'node:fs';
import { encodeFrame, PREFIX_BYTES } from '../python-process/python-frames.ts';

const REQUESTS = 0;
const ANSWERS = 3;

/** Frames to and from the program that started this process, without an event loop: both wait. */
export interface FrameChannel<Header> {
  /** The next frame, or undefined when the other side has gone. */
  receive(): { readonly header: Header; readonly body: Buffer } | undefined;
  send(header: unknown, body?: Uint8Array): void;
}

/** The child's end of `FrameProcess`, which sends frames with headers of this type. */
export function openFrameChannel<Header>(): FrameChannel<Header> {
  return {
    receive() {
      const prefix = readWhole(PREFIX_BYTES);
      if (prefix === undefined) return undefined;
      const headerBytes = prefix.readUInt32LE(0);
      const rest = readWhole(headerBytes + prefix.readUInt32LE(4));
      if (rest === undefined) return undefined;
      const header: Header = JSON.parse(rest.toString('utf8', 0, headerBytes));
      return { header, body: rest.subarray(headerBytes) };
    },
    send(header, body) {
      const bytes = encodeFrame(header, body === undefined ? [] : [body]);
      for (let sent = 0; sent < bytes.length;) sent += writeSync(ANSWERS, bytes, sent);
    },
  };
}

function readWhole(size: number): Buffer | undefined {
  const bytes = Buffer.allocUnsafe(size);
  for (let held = 0; held < size;) {
    const more = readSync(REQUESTS, bytes, held, size - held, null);
    if (more === 0) return undefined;
    held += more;
  }
  return bytes;
}

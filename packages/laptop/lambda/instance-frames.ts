/**
 * How a stack and its instances speak over a pipe: the lengths of a head in JSON and of the bytes that go with it, each in
 * four bytes, then both. Node's own channel between processes copies the bytes three times and takes three times as long.
 */
export interface Frame {
  readonly head: unknown;
  readonly bytes: Buffer;
}

/** The part of a stream that frames need. */
export interface FrameSink {
  cork(): void;
  uncork(): void;
  write(chunk: Uint8Array): unknown;
}

/** The pipe's number in an instance. */
export const INSTANCE_PIPE = 3;

const LENGTHS_BYTES = 8;
/** Up to this size a copy costs less than a second piece. */
const MAX_COPIED_BYTES = 16_384;

/** Writes a frame at once: what a function says before it hangs or dies must be heard. */
export function writeFrame(sink: FrameSink, head: unknown, bytes: Uint8Array = new Uint8Array()): void {
  const text = JSON.stringify(head);
  const end = LENGTHS_BYTES + Buffer.byteLength(text);
  const isWhole = bytes.length <= MAX_COPIED_BYTES;
  const start = Buffer.allocUnsafe(isWhole ? end + bytes.length : end);
  start.writeUInt32BE(end - LENGTHS_BYTES, 0);
  start.writeUInt32BE(bytes.length, 4);
  start.write(text, LENGTHS_BYTES);
  if (isWhole) {
    start.set(bytes, end);
    return void sink.write(start);
  }
  sink.cork();
  sink.write(start);
  sink.write(bytes);
  sink.uncork();
}

/** Takes what comes through the pipe, in whatever pieces, and hands over each frame when it is whole. */
export function createFrameReader(onFrame: (frame: Frame) => void): (chunk: Buffer) => void {
  let pieces: Buffer[] = [];
  let heldBytes = 0;
  let wantedBytes = LENGTHS_BYTES;
  return (chunk) => {
    pieces.push(chunk);
    heldBytes += chunk.length;
    if (heldBytes < wantedBytes) return;
    let held = pieces.length === 1 ? chunk : Buffer.concat(pieces);
    for (;;) {
      wantedBytes = lengthOf(held);
      if (held.length < wantedBytes) break;
      const end = LENGTHS_BYTES + held.readUInt32BE(0);
      onFrame({
        head: JSON.parse(held.toString('utf8', LENGTHS_BYTES, end)),
        bytes: held.subarray(end, wantedBytes),
      });
      held = held.subarray(wantedBytes);
    }
    pieces = held.length > 0 ? [held] : [];
    heldBytes = held.length;
  };
}

/** Length of the frame that begins here, as far as it is known. */
function lengthOf(held: Buffer): number {
  if (held.length < LENGTHS_BYTES) return LENGTHS_BYTES;
  return LENGTHS_BYTES + held.readUInt32BE(0) + held.readUInt32BE(4);
}

import { expect, it } from 'vitest';
import { createFrameReader, type Frame, writeFrame } from '../../lambda/instance-frames.ts';

it('frames come out whole, whatever pieces they come in', () => {
  // Lehmer's generator: the same pieces on every machine.
  let state = 7;
  const next = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
  const sent = Array.from({ length: 40 }, (_, number) => ({
    head: { kind: 'result', number, text: 'é'.repeat(Math.floor(next() * 50)) },
    bytes: Buffer.from(Array.from({ length: Math.floor(next() * 3) * 100 }, () => Math.floor(next() * 256))),
  }));
  const written: Buffer[] = [];
  const sink = {
    cork: () => undefined,
    uncork: () => undefined,
    write: (chunk: Buffer) => written.push(chunk),
  };
  for (const { head, bytes } of sent) writeFrame(sink as any, head, bytes);
  const all = Buffer.concat(written);
  for (const largest of [1, 7, 300, all.length]) {
    const got: Frame[] = [];
    const read = createFrameReader((frame) => got.push({ ...frame, bytes: Buffer.from(frame.bytes) }));
    for (let at = 0; at < all.length;) {
      const end = at + 1 + Math.floor(next() * largest);
      read(all.subarray(at, end));
      at = end;
    }
    expect(got).toEqual(sent);
  }
});

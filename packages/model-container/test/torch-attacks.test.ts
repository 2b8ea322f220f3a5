import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listen, portOf } from '../loopback-server.ts';
import { createTorchFront } from '../pytorch/front-server.ts';
import { startTorchWorker } from '../pytorch/torch-worker.ts';
import { startWorkerPool, type WorkerPool } from '../pytorch/worker-pool.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

/** Stands for Python with a script that writes into its worker's channel: each request's body is what the worker says. */
const WORKER = `#!${process.execPath}
const fs = require('node:fs');
const say = (header, body = '') => {
  const text = Buffer.from(typeof header === 'string' ? header : JSON.stringify(header));
  const prefix = Buffer.alloc(8);
  prefix.writeUInt32LE(text.length, 0);
  prefix.writeUInt32LE(Buffer.byteLength(body), 4);
  fs.writeSync(3, Buffer.concat([prefix, text, Buffer.from(body)]));
};
say({ kind: 'ready' });
let held = Buffer.alloc(0);
process.stdin.on('data', (piece) => {
  held = Buffer.concat([held, piece]);
  while (held.length >= 8) {
    const [header, body] = [held.readUInt32LE(0), held.readUInt32LE(4)];
    if (held.length < 8 + header + body) return;
    const { id } = JSON.parse(held.toString('utf8', 8, 8 + header));
    const asked = JSON.parse(held.toString('utf8', 8 + header, 8 + header + body));
    held = held.subarray(8 + header + body);
    for (const one of [asked].flat()) {
      if (one.raw !== undefined) fs.writeSync(3, Buffer.from(one.raw, 'base64'));
      else say({ id, ...one }, one.kind === 'answer' ? 'said' : '');
    }
  }
});
`;

let pool: WorkerPool;
let url: string;
let close: () => void;
const log: string[] = [];
beforeAll(async () => {
  const modelDir = temporaryFolder('torch-');
  const python = join(modelDir, 'python');
  writeFileSync(python, WORKER, { mode: 0o700 });
  const options = {
    python,
    modelDir,
    environment: {},
    networkIsolation: true,
    threads: 1,
    responseTimeoutMs: 600_000,
    maxResponseBytes: 1_000,
    log: (line: string) => void log.push(line),
  };
  pool = await startWorkerPool(1, () => startTorchWorker(options), options.log);
  const front = createTorchFront(pool, 1_000_000);
  await listen(front.server);
  url = `http://127.0.0.1:${portOf(front.server)}${front.path}/invocations`;
  close = () => front.server.close();
});
afterAll(async () => {
  close();
  await pool.close();
});

async function invoke(said: unknown) {
  const response = await fetch(url, { method: 'POST', body: JSON.stringify(said) });
  return { status: response.status, headers: response.headers, text: await response.text() };
}
const answer = (changes: object) => ({ kind: 'answer', status: 200, headers: {}, ...changes });

test.each([
  ['a line break in a header', answer({ headers: { 'content-type': 'a/b\r\nset-cookie: x' } })],
  ['a control character in a header', answer({ headers: { 'x-a': 'a\u0000b' } })],
  ['a header without a name', answer({ headers: { '': 'a' } })],
  ['a name with a line break', answer({ headers: { 'x\r\ny': 'a' } })],
  ['a status above 599', answer({ status: 1_000 })],
  ['a status that asks for more', answer({ status: 100 })],
  ['a failure of an unknown status', { kind: 'failed', status: 7, message: 'x' }],
  ['no kind', {}],
  ['a frame of four gigabytes', { raw: Buffer.alloc(8, 0xff).toString('base64') }],
  ['a frame that is no JSON', { raw: Buffer.from([1, 0, 0, 0, 0, 0, 0, 0, 0x7b]).toString('base64') }],
])('a worker that says %s is ended, and another one answers', async (_name, said) => {
  expect(await invoke(said)).toMatchObject({ status: 500, text: expect.stringContaining('Worker died.') });
  expect(await invoke(answer({}))).toMatchObject({ status: 200, text: 'said' });
});

test.each(['Content-Length', 'transfer-encoding', 'Connection', 'Trailer', 'Upgrade'])(
  'the header %s, which frames the answer, is not the script’s to set',
  async (name) => {
    const { status, headers, text } = await invoke(answer({ headers: { [name]: 'chunked', 'X-Mine': 'a' } }));
    expect([status, text, headers.get('x-mine')]).toEqual([200, 'said', 'a']);
    expect(headers.get('content-length')).toBe('4');
  },
);

test('what a worker says of no request is no answer to the next one', async () => {
  expect(await invoke([answer({}), answer({ status: 201 })])).toMatchObject({ status: 200 });
  expect(
    await invoke([{ kind: 'ready' }, answer({ id: 1, status: 201 }), answer({ status: 202 })]),
  ).toMatchObject({
    status: 202,
  });
});

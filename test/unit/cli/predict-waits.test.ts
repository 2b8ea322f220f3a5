import { writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { predictRaw } from '../../../src/cli/files/predict-files.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const ASLEEP = {
  type: 'about:blank',
  title: 'The endpoint is not ready',
  status: 503,
  detail: 'the endpoint is asleep and begins to wake, which takes minutes',
};
let close: () => void;
let refusals: number;
/** Answers in place of the endpoint's that sleeps. */
let refuse: ((response: ServerResponse) => void) | undefined;
let apiUrl: string;
const file = path.join(temporaryFolder('predict-'), 'a.png');
writeFileSync(file, 'png');

beforeEach(async () => {
  refuse = undefined;
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'key');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
  vi.stubEnv('AWS_REGION', 'us-east-1');
  const server = createServer((_, response) => {
    refusals -= 1;
    if (refusals < 0) return void response.end('answer');
    if (refuse !== undefined) return refuse(response);
    response.writeHead(503, { 'content-type': 'application/problem+json', 'retry-after': '30' });
    response.end(JSON.stringify(ASLEEP));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  apiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  close = () => void server.close();
});
afterEach(() => {
  vi.unstubAllEnvs();
  close();
});

function waiting() {
  const lines: string[] = [];
  const pauses: number[] = [];
  return {
    lines,
    pauses,
    status: (line: string) => void lines.push(line),
    pause: async (ms: number) => void pauses.push(ms),
  };
}

it('an endpoint that wakes is waited for, with a line about it', async () => {
  refusals = 2;
  const own = waiting();
  expect(Buffer.from(await predictRaw({ apiUrl }, 'cats', file, own)).toString()).toBe('answer');
  expect(own.pauses).toEqual([30_000, 30_000]);
  expect(own.lines[1]).toContain(
    'asleep and begins to wake, which takes minutes; asked again in 30 s, waited 30 s',
  );
});

it('after twenty minutes it says so, and how to find out more', async () => {
  refusals = Infinity;
  const own = waiting();
  await expect(predictRaw({ apiUrl }, 'cats', file, own)).rejects.toMatchObject({
    status: 503,
    message: expect.stringMatching(/no answer after 20 minutes: .*asleep.*inferdrop endpoints logs cats/),
  });
  expect(own.pauses).toHaveLength(40);
});

it('a function that is not free for a moment is waited for, for a minute', async () => {
  refuse = (response) => response.writeHead(503).end('{"message":"Service Unavailable"}');
  refusals = 3;
  const own = waiting();
  expect(Buffer.from(await predictRaw({ apiUrl }, 'cats', file, own)).toString()).toBe('answer');
  expect(own.pauses).toEqual([5_000, 5_000, 5_000]);
  refusals = Infinity;
  await expect(predictRaw({ apiUrl }, 'cats', file, waiting())).rejects.toMatchObject({
    message: expect.stringContaining('no answer after 1 minute: 503 Service Unavailable'),
  });
});

it('a model that is too slow is asked once', async () => {
  refuse = (response) =>
    response.writeHead(504).end(JSON.stringify({ ...ASLEEP, status: 504, detail: 'late' }));
  refusals = Infinity;
  const own = waiting();
  await expect(predictRaw({ apiUrl }, 'cats', file, own)).rejects.toMatchObject({ status: 504 });
  expect(own.pauses).toEqual([]);
});

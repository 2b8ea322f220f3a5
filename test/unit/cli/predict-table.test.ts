import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { predictTable } from '../../../src/cli/files/predict-table.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const file = path.join(temporaryFolder('predict-'), 'a.csv');
const waiting = { status: () => undefined, pause: () => Promise.reject(new Error('nothing to wait for')) };
const REFUSED = { type: 'about:blank', title: 'Refused', status: 424, detail: 'x is no number' };

let asked: { type: string | undefined; body: string }[];
/** Status of a body; below 400 each of its lines has a prediction. */
let statusOf: (lines: readonly string[]) => number;
let apiUrl: string;
let close: () => void;

beforeEach(async () => {
  asked = [];
  statusOf = (lines) => (lines.some((line) => line.includes('bad')) ? 424 : 200);
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'key');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
  vi.stubEnv('AWS_REGION', 'us-east-1');
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      asked.push({ type: request.headers['content-type'], body });
      const lines = body.split('\n');
      const status = statusOf(lines);
      response.writeHead(status, { 'content-type': 'application/json' });
      const predictions = lines.map((label) => ({ label, input: null, index: 0, score: 1, topK: [] }));
      response.end(JSON.stringify(status >= 400 ? REFUSED : { ...ANSWER, predictions }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  apiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  close = () => void server.close();
});
afterEach(() => {
  vi.unstubAllEnvs();
  close();
});

const ANSWER = {
  pipeline: 'cats',
  variant: 'main',
  run: 'cats/monday/000001',
  latencyMs: 3,
  model: { name: 'm', sha256: '0'.repeat(64) },
};
const answersOf = (contentType: string, form: 'list' | 'object' = 'list') =>
  Array.fromAsync(
    predictTable(
      { apiUrl },
      {
        pipeline: 'cats',
        contentType,
        columns: { features: ['b', 'a'], id: null, ignore: [], delimiter: null, form },
      },
      file,
      waiting,
    ),
  );

it('a bad record of a table costs itself, and twelve requests more', async () => {
  const rows = Array.from({ length: 200 }, (_, at) => (at === 70 ? 'bad,1' : `${at},1`));
  writeFileSync(file, `a,b\n${rows.join('\n')}\n`);
  const answers = await answersOf('text/csv');
  expect(answers).toHaveLength(200);
  expect(answers[69]).toMatchObject({ index: 69, line: 71, prediction: { label: '1,69' } });
  expect(answers[70]).toEqual({
    index: 70,
    line: 72,
    refusal: expect.stringContaining('a.csv, record 70 (line 72): Refused: x is no number'),
  });
  expect(answers.filter((answer) => 'refusal' in answer)).toHaveLength(1);
  expect(asked).toHaveLength(4 + 12);
  expect(new Set(asked.map(({ type }) => type))).toEqual(new Set(['text/csv']));
});

it('an endpoint that takes one record at a time is asked so once that is known, each under its own type', async () => {
  writeFileSync(file, `a,b\n${Array.from({ length: 100 }, (_, at) => `${at},1\n`).join('')}1\n`);
  statusOf = (lines) => (lines.length > 1 ? 400 : 200);
  const answers = await answersOf('application/json', 'object');
  expect(answers).toHaveLength(101);
  expect(answers[5]).toMatchObject({ prediction: { label: '{"b":1,"a":5}' } });
  expect(answers.at(-1)).toMatchObject({ refusal: expect.stringContaining('record 100 (line 102) ') });
  // 64 in a tree of 127, and the other 36.
  expect(asked).toHaveLength(127 + 36);
  const types = (count: (lines: number) => boolean) =>
    new Set(asked.filter(({ body }) => count(body.split('\n').length)).map(({ type }) => type));
  expect(types((lines) => lines > 1)).toEqual(new Set(['application/jsonlines']));
  expect(types((lines) => lines === 1)).toEqual(new Set(['application/json']));
});

it('a table that the columns do not fit, or that is not there, is refused before anything is sent', async () => {
  writeFileSync(file, 'a,c\n1,2\n');
  await expect(answersOf('text/csv')).rejects.toThrow(/a\.csv must have the column "b"/);
  writeFileSync(file, '');
  expect(asked).toEqual([]);
});

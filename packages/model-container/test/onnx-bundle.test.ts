import { buffer } from 'node:stream/consumers';
import { pack } from 'tar-stream';
import { expect, test } from 'vitest';
import type { ServableModel } from '@inferdrop/savedmodel/servable-model';
import { answerBundle, isBundle } from '../onnx/answer-bundle.ts';
import { answerRequest } from '../onnx/answer-request.ts';

const double: ServableModel = {
  signatures: [
    {
      name: 'main',
      inputs: [{ name: 'x', dtype: 'float32', shape: [-1, 2] }],
      outputs: [{ name: 'y', dtype: 'float32', shape: [-1, 2] }],
    },
  ],
  async run(_signature, feeds) {
    const tensor = feeds.get('x');
    if (tensor?.dtype !== 'float32') throw new TypeError('x must be float32');
    return new Map([['y', { ...tensor, data: tensor.data.map((value) => value * 2) }]]);
  },
  close: async () => undefined,
};

async function ask(
  inputs: readonly (string | undefined)[],
  { accept = 'application/json', most = 1e6, form = 'tar' } = {},
) {
  const about = { inputs: inputs.length, contentType: 'text/csv' };
  const tar = pack();
  tar.entry({ name: 'bundle.json' }, JSON.stringify(about));
  for (const [at, input] of inputs.entries())
    if (input !== undefined) tar.entry({ name: String(at).padStart(6, '0') }, input);
  tar.finalize();
  const lines = [about, ...inputs.map((input) => input ?? null)].map((line) => `${JSON.stringify(line)}\n`);
  const request =
    form === 'tar'
      ? { headers: { 'Content-Type': 'application/x-tar', Accept: accept }, body: await buffer(tar) }
      : {
          headers: { 'Content-Type': 'application/vnd.inferdrop.records', Accept: accept },
          body: Buffer.from(lines.join('')),
        };
  expect(isBundle(request)).toBe(true);
  const answer = await answerBundle(double, request, undefined, most);
  if (answer.kind !== 'answer') throw new Error(answer.message);
  const [head, ...answers] = answer.body
    .toString()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  return { head, lines: answers };
}

test('each input of a bundle has the answer that it has alone', async () => {
  const { head, lines } = await ask(['1,2\n', '3,4\n']);
  expect(head).toMatchObject({ inputs: 2, failed: [] });
  const headers = { 'content-type': 'text/csv', accept: 'application/json' };
  const alone = await answerRequest(double, { headers, body: Buffer.from('3,4\n') }, undefined);
  expect(lines[1]).toEqual({ key: '000001', output: alone.kind === 'answer' && alone.body.toString() });
});

test.each(['tar', 'records'])('one that is refused, is gone, or has too long an answer: %s', async (form) => {
  const inputs = ['1,"2"\n', 'a\n', undefined, '5,6\n'.repeat(200)];
  const { head, lines } = await ask(inputs, { most: 2_400, form });
  expect(head.failed).toEqual([
    [1, 400],
    [2, 404],
    [3, 413],
  ]);
  expect(lines[1].error.message).toContain('is not a number');
  expect(lines[0].output).toContain('2');
});

test('an answer that is no text travels as base64', async () => {
  const { lines } = await ask(['1,2\n'], { accept: 'application/x-npy' });
  expect(Buffer.from(lines[0].base64, 'base64').toString('latin1', 1, 6)).toBe('NUMPY');
});

test('the mark with which Excel begins its files is no part of the first cell', async () => {
  const { head, lines } = await ask(['\ufeff1,2\n', '1,2\n']);
  expect(head.failed).toEqual([]);
  expect(lines[0].output).toBe(lines[1].output);
});

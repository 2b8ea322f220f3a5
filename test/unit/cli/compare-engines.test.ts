import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { describeEngine } from '@inferdrop/model-container/internal/engine-environment';
import { ownCache } from '../../../packages/model-container/test/support/own-cache.ts';
import { runCommandLine } from '../../../src/cli/command-line.ts';
import { compareAnswers } from '../../../src/cli/model/compare-answers.ts';
import { compareEngines } from '../../../src/cli/model/compare-engines.ts';
import { silentTerminal } from '../../support/silent-terminal.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const answered = (text: string, status = 200) => ({ status, body: Buffer.from(text) });
const compared = (here: string, tensorflow: string) =>
  Object.fromEntries(compareAnswers(answered(here), answered(tensorflow)));

const EQUAL = { isEqual: true, changed: null, largest: null };

test('equal answers have outputs without differences, and the class that a pipeline reads', () => {
  const scores = '{"predictions": [[0.1, 0.7, 0.2]]}';
  expect(compared(scores, scores)).toEqual({ predictions: EQUAL, class: EQUAL });
  expect(compared('{"outputs": {"a": NaN, "b": 1}}', '{"outputs": {"a": NaN, "b": 1.0}}')).toEqual({
    a: EQUAL,
    b: EQUAL,
  });
});

test('last digits of a number do not count, and another class does', () => {
  const found = compared('{"predictions": [[0.5, 0.4999999]]}', '{"predictions": [[0.49999997, 0.5]]}');
  expect(found).toEqual({
    predictions: {
      isEqual: false,
      changed: null,
      largest: { place: '[0][1]', absolute: expect.closeTo(1e-7, 9) },
    },
    class: { isEqual: false, changed: { place: '[0]', here: '0', tensorflow: '1' }, largest: null },
  });
});

test.each([
  ['a number by more than a thousandth of itself', '[[0.9, 0.5]]', '[[0.9, 0.502]]', '0.5 0.502'],
  ['a number that is small beside the largest', '[[1000.0, 0.05]]', '[[1000.0, 0.06]]', undefined],
  ['an integer', '{"n": 3}', '{"n": 4}', '3 4'],
  [
    'a large integer',
    '{"n": 9007199254740992}',
    '{"n": 9007199254740993}',
    '9007199254740992 9007199254740993',
  ],
  ['a text', '{"n": "a"}', '{"n": "b"}', '"a" "b"'],
  ['a number that is none', '[NaN, 0.5]', '[0.5, 0.5]', 'NaN 0.5'],
  ['one number more', '[[0.1, 0.2, 0.3]]', '[[0.1, 0.2]]', 'a list of 3 a list of 2'],
  ['a name', '{"n": {"a": 0.5}}', '{"n": {"b": 0.5}}', 'nothing 0.5'],
  ['an empty list', '{"boxes": []}', '{"boxes": null}', 'a list of 0 null'],
  ['a cell of CSV', '1,a\n2,b\n', '1,a\n2,c\n', '"b" "c"'],
  ['digits of a cell of CSV', '0.5,a\n', '0.50001,a\n', undefined],
])('%s: %s and %s', (_name, here, tensorflow, change) => {
  const found = Object.values(compared(here, tensorflow)).filter(({ isEqual }) => !isEqual);
  expect(found).not.toEqual([]);
  const [changed] = found.flatMap((one) => one.changed ?? []);
  expect(changed && `${changed.here} ${changed.tensorflow}`).toBe(change);
});

test('members of rows are outputs of their own, placed by their row', () => {
  const found = compared(
    '{"predictions": [{"class": 1, "scores": [0.5, 0.5]}, {"class": 0, "scores": [0.6, 0.4]}]}',
    '{"predictions": [{"class": 1, "scores": [0.5, 0.5]}, {"class": 2, "scores": [0.6, 0.3]}]}',
  );
  expect(found).toMatchObject({
    class: { changed: { place: '[1]', here: '0', tensorflow: '2' } },
    scores: { changed: { place: '[1][1]', here: '0.4', tensorflow: '0.3' } },
  });
});

test('an answer that only one of them gives is a difference', () => {
  expect(Object.fromEntries(compareAnswers(answered('{}', 500), answered('[1]')))).toMatchObject({
    status: { isEqual: false, changed: { place: '', here: '500', tensorflow: '200' } },
  });
});

test('files that both refuse say nothing of the model', () => {
  const refused = answered('{"error": "unsupported content type"}', 415);
  expect(compareAnswers(refused, refused).size).toBe(0);
});

const ARCHIVE = { file: 'model.tar.gz', onnx: null, models: [{} as never] } as const;
const OPTIONS = { limit: 100, note: () => undefined };

test('what cannot be compared is refused with the remedy', async () => {
  vi.stubEnv('INFERDROP_CACHE', temporaryFolder('cache-'));
  const compare = (asked: object, folder = temporaryFolder('none-')) =>
    compareEngines({ ...ARCHIVE, ...asked }, folder, OPTIONS);
  await expect(compare({ onnx: {} })).rejects.toThrow(
    '--compare is for SavedModels: AWS runs this ONNX model on onnxruntime, as this machine does',
  );
  await expect(compare({ models: [] })).rejects.toThrow(
    '--compare is for SavedModels, and there is none in model.tar.gz',
  );
  await expect(compare({})).rejects.toThrow(
    '--compare needs TensorFlow on this machine: run inferdrop containers install tensorflow once',
  );
  mkdirSync(describeEngine('tensorflow').dir, { recursive: true });
  await expect(compare({})).rejects.toThrow(/^--compare reads files: .* holds no files/);
  vi.unstubAllEnvs();
});

test('TensorFlow that does not start is named', async () => {
  vi.stubEnv('INFERDROP_CACHE', ownCache());
  mkdirSync(describeEngine('tensorflow').dir, { recursive: true });
  const folder = temporaryFolder('files-');
  writeFileSync(path.join(folder, 'a.json'), '[1]');
  const root = path.join(import.meta.dirname, '../../..');
  const asFolder = 'packages/savedmodel/test/fixtures/loop_variables';
  for (const model of ['examples/fashion-mnist/model.tar.gz', asFolder])
    await expect(
      compareEngines({ ...ARCHIVE, file: path.join(root, model) }, folder, OPTIONS),
    ).rejects.toThrow(/^--compare: TensorFlow 2\.\d+\.\d+ cannot load the model: /);
  vi.unstubAllEnvs();
});

test('--limit is a whole number', async () => {
  const asked = ['model', 'inspect', 'm.tar.gz', '--compare', 'f', '--limit', '0'];
  await expect(runCommandLine(asked, silentTerminal())).rejects.toThrow(
    '--limit must be a whole number from 1, is 0',
  );
});

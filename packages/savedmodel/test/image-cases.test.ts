import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { decodedAs, type DecoderCall } from './support/image-cases.ts';

interface ImageCase {
  readonly kind: string;
  readonly bytes: string;
  /** TensorFlow's, made by lab/images/compare_images.py. */
  readonly answers: readonly (readonly [...DecoderCall, answer: string])[];
}

const lines = gunzipSync(readFileSync(new URL('./fixtures/images.jsonl.gz', import.meta.url)))
  .toString()
  .trim()
  .split('\n');
const kinds = Map.groupBy(
  lines.map((line): ImageCase => JSON.parse(line)),
  ({ kind }) => kind,
);

test.each([...kinds])('%s: every answer is TensorFlow’s', (_, images) => {
  const wrong = images.flatMap(({ bytes, answers }, index) =>
    answers.flatMap(([op, attributes, theirs]) => {
      const ours = decodedAs(Buffer.from(bytes, 'base64'), [op, attributes]);
      const isEqual = theirs === 'error' ? ours.startsWith('error') : ours === theirs;
      return isEqual ? [] : [`image ${index}, ${op} ${JSON.stringify(attributes)}: ${ours}, not ${theirs}`];
    }),
  );
  expect(wrong).toEqual([]);
});

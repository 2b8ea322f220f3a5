import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { convertRequest } from '../tensorflow/front/convert-request.ts';
import { resolveImageGeneration } from '../tensorflow/front/image-generation.ts';

interface Vector {
  readonly content_type: string;
  readonly body: string;
  readonly old_generation_A: string;
  readonly dlc_main_2_20_C: string;
}
const file = new URL('tfs-request-conversion-vectors.json', import.meta.url);
const { vectors }: { vectors: Vector[] } = JSON.parse(readFileSync(file, 'utf8'));

/** The body posted to TensorFlow Serving, or what the front answers by itself. */
function convert({ content_type, body }: Vector, generation: 'classic' | 'current'): string {
  const converted = convertRequest(content_type, body, generation);
  return 'body' in converted ? converted.body : `415 ${converted.unsupported}`;
}

describe('requests without a script reach TensorFlow Serving as in the real container', () => {
  test.each(vectors)('images up to 2.19: $content_type $body', (vector) => {
    expect(convert(vector, 'classic')).toBe(vector.old_generation_A);
  });
  test.each(vectors)('images since 2.20: $content_type $body', (vector) => {
    expect(convert(vector, 'current')).toBe(vector.dlc_main_2_20_C);
  });
});

test('no content type is unknown', () => {
  expect(convertRequest(undefined, '[1]', 'classic')).toEqual({
    unsupported: '{"error": "Unsupported Media Type: Unknown"}',
  });
});

test.each([
  ['2.19.0-cpu', 'classic'],
  ['1.15', 'classic'],
  ['2.20-cpu-py312-amzn2023-sagemaker-v1', 'current'],
  ['latest', 'current'],
])('the tag %s is of the %s generation', (tag, generation) => {
  expect(resolveImageGeneration(tag)).toBe(generation);
});

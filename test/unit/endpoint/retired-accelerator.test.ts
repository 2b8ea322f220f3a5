import { expect, test } from 'vitest';
import { resolveAccelerator } from '../../../src/endpoint/retired-accelerator.ts';

const settings = { instanceType: 'ml.m5.xlarge', acceleratorType: 'ml.eia2.xlarge' } as const;

test('fail refuses, with the edit to make', () => {
  const { refusal } = resolveAccelerator({ ...settings, onRetiredAccelerator: 'fail' });
  expect(refusal).toContain('Set it to null, and endpoint.instanceType to ml.g4dn.xlarge');
});

test('replace uses a GPU of today, and says so', () => {
  expect(resolveAccelerator({ ...settings, onRetiredAccelerator: 'replace' })).toEqual({
    instanceType: 'ml.g4dn.xlarge',
    acceleratorType: null,
    note: expect.stringContaining('ml.g4dn.xlarge is used'),
  });
});

test.each([
  ['replace', 0.2304, 0.7364, 'for $0.74 an hour instead of $0.71: $0.03 more'],
  ['replace', 0.2304, 0.7064, 'instead of $0.71: $0.00 more'],
  ['cpu', 0.2304, null, 'for $0.23 an hour instead of $0.71: $0.48 less'],
  [
    'replace',
    0.2304,
    null,
    'ml.g4dn.xlarge is used instead of ml.m5.xlarge with it; the difference in price is not known',
  ],
  ['replace', null, 0.7364, '; the difference in price is not known'],
] as const)(
  '%s names the difference in price, of %s and %s',
  (onRetiredAccelerator, before, after, words) => {
    const { note } = resolveAccelerator({ ...settings, onRetiredAccelerator }, (type) =>
      type === 'ml.m5.xlarge' ? before : after,
    );
    expect(note).toContain(words);
    expect(note).toContain('AWS retired Elastic Inference (ml.eia2.xlarge with 8 GB) in April 2024');
  },
);

test('an accelerator that is not known is retired, too', () => {
  const unknown = { ...settings, acceleratorType: 'ml.eia9.large', onRetiredAccelerator: 'replace' } as const;
  expect(resolveAccelerator(unknown, () => 1)).toEqual({
    instanceType: 'ml.g4dn.xlarge',
    acceleratorType: null,
    note: expect.stringMatching(
      /^AWS retired Elastic Inference \(ml.eia9.large\) in April 2024: .*; the difference in price is not known$/,
    ),
  });
});

test('cpu drops it, and says so', () => {
  expect(resolveAccelerator({ ...settings, onRetiredAccelerator: 'cpu' })).toEqual({
    instanceType: 'ml.m5.xlarge',
    acceleratorType: null,
    note: expect.stringContaining('without it'),
  });
});

test('send passes it on, and says so', () => {
  expect(resolveAccelerator({ ...settings, onRetiredAccelerator: 'send' })).toMatchObject({
    acceleratorType: 'ml.eia2.xlarge',
    note: expect.stringContaining('it is sent all the same, as endpoint.onRetiredAccelerator says'),
  });
});

test('without an accelerator there is nothing to decide', () => {
  expect(
    resolveAccelerator({ instanceType: 'ml.m5.xlarge', acceleratorType: null, onRetiredAccelerator: 'fail' }),
  ).toEqual({
    instanceType: 'ml.m5.xlarge',
    acceleratorType: null,
  });
});

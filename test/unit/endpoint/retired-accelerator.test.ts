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

test('replace tells the difference in price', () => {
  const prices: Record<string, number> = { 'ml.m5.xlarge': 0.2304, 'ml.g4dn.xlarge': 0.7364 };
  const { note } = resolveAccelerator(
    { ...settings, onRetiredAccelerator: 'replace' },
    (type) => prices[type] ?? null,
  );
  expect(note).toContain('for $0.7364 an hour in place of $0.7064: $0.0300 more');
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
    note: expect.any(String),
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

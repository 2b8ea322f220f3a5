import { expect, test } from 'vitest';
import { resolveAccelerator } from '../../../src/endpoint/retired-accelerator.ts';

const settings = { instanceType: 'ml.m5.xlarge', acceleratorType: 'ml.eia2.xlarge' } as const;

test('fail refuses, with the edit to make', () => {
  const { refusal } = resolveAccelerator({ ...settings, onRetiredAccelerator: 'fail' });
  expect(refusal).toContain('Set it to null, and endpoint.instanceType to ml.g4dn.2xlarge');
});

test('replace uses a GPU of today, and says so', () => {
  expect(resolveAccelerator({ ...settings, onRetiredAccelerator: 'replace' })).toEqual({
    instanceType: 'ml.g4dn.2xlarge',
    acceleratorType: null,
    note: expect.stringContaining('ml.g4dn.2xlarge is used'),
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

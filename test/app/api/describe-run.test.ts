import { expect, test } from 'vitest';
import { describeRun } from '../../../src/app/api/describe-run.ts';
import { memoryObjectStore } from '../../support/memory-object-store.ts';

test('a run whose documents no key could name is unknown, and S3 is not asked', async () => {
  const store = memoryObjectStore();
  const readText = (): never => {
    throw new Error('KeyTooLongError');
  };
  const services = {
    store: { ...store, readText },
    links: () => Promise.resolve(''),
    linkSeconds: 1,
    clock: () => new Date(0),
  };
  const path = { pipeline: 'p', drop: 'd'.repeat(1024), generation: '000001' };
  await expect(describeRun(path, services, () => undefined)).rejects.toThrow('of a run that exists');
});

import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cacheFolder } from '../../packages/model-container/python-environments/cache-folder.ts';
import { cacheFolder as ofParts } from '../../scripts/parts.mjs';
import { temporaryFolder } from '../support/temporary-folder.ts';

const NAMES = { cacheFolder, 'that of the parts': ofParts };

test.each(Object.entries(NAMES))('%s is refused if others may write there', (_, find) => {
  const INFERDROP_CACHE = join(temporaryFolder('cache-'), 'inferdrop');
  expect(find({ INFERDROP_CACHE })).toBe(INFERDROP_CACHE);
  mkdirSync(INFERDROP_CACHE, { mode: 0o700 });
  expect(find({ INFERDROP_CACHE })).toBe(INFERDROP_CACHE);
  for (const mode of [0o770, 0o702, 0o777, 0o1777]) {
    chmodSync(INFERDROP_CACHE, mode);
    expect(() => find({ INFERDROP_CACHE })).toThrow('INFERDROP_CACHE');
  }
});

test.each(Object.entries(NAMES))('%s is refused if it is somebody else’s', (_, find) => {
  const { getuid } = process;
  try {
    process.getuid = () => 4_000_000;
    expect(() => find({ INFERDROP_CACHE: temporaryFolder('cache-') })).toThrow('it must be yours');
  } finally {
    process.getuid = getuid!;
  }
});

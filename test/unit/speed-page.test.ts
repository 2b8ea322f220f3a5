import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { readFigures, speedPage } from '../../lab/bench/figures.ts';

test('docs/speed.md is what lab/bench/figures.json says (npm run bench -- --record)', async () => {
  const page = new URL('../../docs/speed.md', import.meta.url);
  expect(await readFile(page, 'utf8')).toBe(await speedPage(readFigures()));
});

import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { runTarget } from './run-target.ts';

const names = readdirSync(path.join(import.meta.dirname, 'targets')).map((file) =>
  path.basename(file, '.ts'),
);
/** Counts of inputs for a few seconds; `npm run lab -- fuzz` takes as many as there is time for. */
const COUNTS: Readonly<Record<string, number>> = {
  archives: 10,
  gateway: 120,
  outputs: 200,
  'saved-models': 80,
  services: 150,
  tokens: 200,
};
const USUAL_COUNT = 500;

test.each(names)('%s: changed inputs are read or refused by name', async (name) => {
  const { executed, findings } = await runTarget(name, { seed: 1, count: COUNTS[name] ?? USUAL_COUNT });
  expect(findings).toEqual([]);
  expect(executed).toBe(COUNTS[name] ?? USUAL_COUNT);
});

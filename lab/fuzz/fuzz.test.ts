import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { runTarget } from './run-target.ts';

const names = readdirSync(path.join(import.meta.dirname, 'targets')).map((file) =>
  path.basename(file, '.ts'),
);
/** Counts of inputs for a second each; `npm run lab -- fuzz`, which runs weekly, takes as many as there is time for. */
const COUNTS: Readonly<Record<string, number>> = {
  archives: 4,
  gateway: 40,
  outputs: 200,
  'saved-models': 50,
  services: 40,
  tokens: 100,
};
const USUAL_COUNT = 250;

test.each(names)('%s: changed inputs are read or refused by name', async (name) => {
  const { executed, findings } = await runTarget(name, { seed: 1, count: COUNTS[name] ?? USUAL_COUNT });
  expect(findings).toEqual([]);
  expect(executed).toBe(COUNTS[name] ?? USUAL_COUNT);
});

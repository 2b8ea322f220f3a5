import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { RUNNING_MISTAKES } from './machine-mistakes.ts';
import { mistakeTable } from './mistake-table.ts';
import { type MutatedLaptop, startMutatedLaptop } from './mutated-laptop.ts';
import { ROLE_MISTAKES } from './role-mistakes.ts';

const table = mistakeTable('2-runs');
let mutated: MutatedLaptop;
let images: Record<string, Uint8Array>;
beforeAll(async () => {
  mutated = await startMutatedLaptop();
  await mutated.laptop.givePipeline('p');
  images = await mutated.laptop.images(1);
});
afterEach(() => mutated.restore());
afterAll(async () => {
  table.write();
  await mutated.close();
});

let drops = 0;
test.each([...ROLE_MISTAKES, ...RUNNING_MISTAKES])('$mistake', async (wrong) => {
  const atDeployment = await mutated.deploy(wrong);
  const said = atDeployment ?? (await mutated.run('p', `drop-${(drops += 1)}`, images, wrong.says));
  table.add({
    ...wrong,
    seenBy: atDeployment === undefined ? 'run' : 'deployment',
    said,
    aws: wrong.says,
  });
  expect(said).toMatch(wrong.says);
});

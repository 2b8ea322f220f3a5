import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { FORGIVEN_MISTAKES } from './forgiven-mistakes.ts';
import { MACHINE_MISTAKES } from './machine-mistakes.ts';
import { mistakeTable } from './mistake-table.ts';
import { type MutatedLaptop, startMutatedLaptop } from './mutated-laptop.ts';
import { TEMPLATE_MISTAKES } from './template-mistakes.ts';

const table = mistakeTable('1-deployment');
let mutated: MutatedLaptop;
beforeAll(async () => void (mutated = await startMutatedLaptop()));
afterEach(() => mutated.restore());
afterAll(async () => {
  table.write();
  await mutated.close();
});

test.each([...TEMPLATE_MISTAKES, ...MACHINE_MISTAKES])('$mistake', async (wrong) => {
  const said = (await mutated.deploy(wrong)) ?? 'nothing';
  table.add({ ...wrong, seenBy: 'deployment', said, aws: wrong.says });
  expect(said).toMatch(wrong.says);
});

test.each(FORGIVEN_MISTAKES)('$mistake: taken, as by AWS', async (wrong) => {
  const said = (await mutated.deploy(wrong)) ?? 'nothing';
  table.add({ ...wrong, seenBy: 'nothing', said, aws: wrong.because });
  expect(said).toBe('nothing');
});

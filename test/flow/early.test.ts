import { afterAll, beforeAll, expect, it } from 'vitest';
import { planJson } from '../../src/app/records/plan.ts';
import { runCommandLine } from '../../src/cli/command-line.ts';
import { toRun } from '../../src/cli/runs/run-result.ts';
import { exactLower } from '../../src/metric/exact-bound.ts';
import { bucketLayout } from '../../src/run/bucket-layout.ts';
import { type Laptop, startLaptop } from '../support/laptop.ts';
import { deployShortRounds } from '../support/short-rounds.ts';
import { silentTerminal } from '../support/silent-terminal.ts';

const FIRST_ROUND = 40;
const IMAGES = 300;

/** How often the model was given each image, by drop and name. */
const given = new Map<string, Map<string, number>>();
let laptop: Laptop;
let images: Record<string, Uint8Array>;

beforeAll(async () => {
  laptop = await startLaptop({
    object(key) {
      const [, , drop = '', name = ''] = key.split('/');
      const names = given.get(drop) ?? new Map<string, number>();
      given.set(drop, names.set(name, (names.get(name) ?? 0) + 1));
      return undefined;
    },
  });
  await deployShortRounds(laptop, FIRST_ROUND);
  images = await laptop.images(IMAGES);
});
afterAll(() => laptop.close());

/** Drops the first `count` images under a gate that is decided early, and waits for the end of the run. */
async function dropped(drop: string, count: number, gate: object) {
  await laptop.givePipeline('early', (config) => {
    config.gate = { decide: 'early', confidence: 0.9, ...gate };
  });
  const files = Object.fromEntries(Object.entries(images).slice(0, count));
  await laptop.upload('early', drop, files);
  return `early/${drop}/000001`;
}

const sentTo = (drop: string) => [...(given.get(drop) ?? new Map<string, number>())];

it('a clear gate is decided by the first round, and the model is given no other input', async () => {
  // A draw may give the first round fewer inputs than minInputs is by default, which would decide nothing.
  const run = await dropped('clear', IMAGES, { minAccuracy: 0.4, minInputs: FIRST_ROUND / 4 });
  const { report, message, jobs } = await laptop.outcome(run);
  expect(jobs).toHaveLength(1);
  const { inputs } = report.sample!;
  expect(inputs).toBeLessThan(2 * FIRST_ROUND);
  expect(sentTo('clear')).toHaveLength(inputs);
  expect(report).toMatchObject({
    status: 'completed',
    total: inputs,
    errors: 0,
    sample: { of: IMAGES, early: { confidence: 0.9 } },
    gate: { verdict: 'passed' },
  });
  expect(report.gate.explanation).toContain(`The gate passed after ${inputs} of ${IMAGES} inputs: at least`);
  expect(message.body).toContain(`Decided    after ${inputs} of ${IMAGES} inputs`);
  expect(message.body).toContain(`the accuracy of all ${IMAGES} is between`);
  const terminal = silentTerminal();
  await runCommandLine(['runs', '--pipeline', 'early'], terminal);
  expect(terminal.lines.join('\n')).toMatch(new RegExp(`early/clear/000001.* ${inputs} of ${IMAGES}`));
});

it('continue sends the rest alone', async () => {
  const before = sentTo('clear').length;
  const terminal = silentTerminal();
  expect(await runCommandLine(['continue', 'early/clear/000001', '--wait'], terminal)).toBe(0);
  const { report } = await laptop.outcome('early/clear/000001c1');
  expect(report).toMatchObject({ total: IMAGES, errors: 0, sample: null, gate: { verdict: 'passed' } });
  expect(before).toBeLessThan(IMAGES);
  expect(sentTo('clear')).toHaveLength(IMAGES);
  expect(sentTo('clear').every(([, times]) => times === 1)).toBe(true);
});

it('a gate near the truth takes further rounds, across a restart of everything between them', async () => {
  const { store } = laptop.application;
  // The accuracy of all is known from the test before, and just proves this gate; that of a first round does so in no draw of thousands.
  const { report: whole } = await laptop.outcome('early/clear/000001c1');
  const confidence = 0.999;
  const proven = exactLower(Math.round(whole.accuracy! * IMAGES), IMAGES, confidence);
  const minAccuracy = Math.floor(proven * 100) / 100;
  const run = await dropped('near', IMAGES, { minAccuracy, confidence, minInputs: 2 * FIRST_ROUND });
  await laptop.until(async () => {
    const ended = await store.describe(bucketLayout.ended(toRun(run)));
    const plan = await planJson(toRun(run)).read(store);
    if ((plan?.rounds?.upTo.length ?? 0) > 1) return true;
    expect(ended, 'a run that ended without a further round').toBeUndefined();
    return undefined;
  });
  await laptop.restart();
  const { report, jobs } = await laptop.outcome(run);
  expect(jobs.length).toBeGreaterThan(1);
  // Not every draw decides it before the end: after the restart the packaged function plans one round for all the rest.
  const inputs = report.total;
  expect(report).toMatchObject({ total: inputs, errors: 0, gate: { verdict: 'passed' } });
  expect(inputs).toBeGreaterThanOrEqual(2 * FIRST_ROUND);
  expect(sentTo('near')).toHaveLength(inputs);
  const plan = await planJson(toRun(run)).require(store);
  expect(plan.jobs.reduce((sum, { objects }) => sum + objects, 0)).toBe(inputs);
});

it('a drop that is not decided before its end is predicted whole, each input once', async () => {
  // The restart has brought the packaged function back.
  await deployShortRounds(laptop, FIRST_ROUND);
  // Near certainty is asked for: 40 answers do not give it, even if all are right.
  const run = await dropped('end', 100, { minAccuracy: 0.7, confidence: 0.9999 });
  const { report, jobs } = await laptop.outcome(run);
  expect(jobs.length).toBeGreaterThan(1);
  expect(report).toMatchObject({ total: 100, errors: 0, sample: null, gate: { verdict: 'passed' } });
  expect(sentTo('end')).toHaveLength(100);
  expect(sentTo('end').every(([, times]) => times === 1)).toBe(true);
});

it('inferdrop verify asks IAM about every call that a role has made', () => {
  expect(laptop.unaskedCalls()).toEqual([]);
});

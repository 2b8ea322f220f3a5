import { readFile } from 'node:fs/promises';
import { format, resolveConfig } from 'prettier';
import { expect, test } from 'vitest';
import { limitsOf } from '../../lab/bench/scale/function.ts';
import { MEASURED } from '../../lab/bench/scale/measured.ts';
import { toScalePage } from '../../lab/bench/scale/scale-page.ts';
import {
  billOf,
  instancesUsd,
  PHOTOGRAPHS,
  quotedMinutes,
  type Scenario,
  settingsFor,
  slowest,
  SMALL,
  timesOf,
} from '../../lab/bench/scale-model.ts';
import { LimitSettings } from '../../src/pipeline/limit-settings.ts';
import { DropSettings } from '../../src/pipeline/pipeline-config.ts';
import { drive, failing, planned } from '../support/drive-transform.ts';
import { PIPELINE } from '../support/drop-fixture.ts';

test('docs/scale.md is what the model says (npm run generate)', async () => {
  const page = new URL('../../docs/scale.md', import.meta.url);
  const settings = await resolveConfig(page.pathname);
  const written = await format(toScalePage(), { parser: 'markdown', ...settings });
  expect(await readFile(page, 'utf8')).toBe(written);
});

test('a range holds the rates that are assumed, and PlanRun quotes the slowest', () => {
  const perSecond = PHOTOGRAPHS.inputs / (quotedMinutes(PHOTOGRAPHS) * 60 * PHOTOGRAPHS.instances);
  expect(Math.floor(perSecond)).toBe(PHOTOGRAPHS.slowestPerSecond);
  const functions = { ...PHOTOGRAPHS, engine: 'lambda', form: 'tars' } as const;
  for (const scenario of [PHOTOGRAPHS, functions]) {
    expect(usdOf(scenario)).toBeLessThan(usdOf(slowest(scenario)));
    expect(timesOf(scenario).transform).toBeLessThan(timesOf(slowest(scenario)).transform);
  }
  // ResNet-50 in 0.099 to 0.32 s, of which each function computes one at a time.
  const seconds = (scenario: Scenario) =>
    (timesOf(scenario).transform * scenario.predictConcurrency) / scenario.inputs;
  expect(seconds(functions)).toBeCloseTo(0.099, 3);
  expect(seconds(slowest(functions))).toBeCloseTo(0.32, 2);
});

test('every heavy step has been measured within its limits', () => {
  for (const [name, { cpuSeconds, peakMiB }] of Object.entries(MEASURED)) {
    const limits = limitsOf(name.split(' ')[0]!);
    expect(peakMiB, name).toBeGreaterThan(50);
    expect(peakMiB, name).toBeLessThan(limits.memoryMiB);
    const resumes = /^(?:settle-drop|reconcile-outputs)/.test(name);
    expect(cpuSeconds, name).toBeGreaterThan(0);
    if (!resumes) expect(cpuSeconds, name).toBeLessThan(limits.cpuSeconds / 2);
  }
});

test('the settings that it names are allowed, and leave room for a model that is no faster than quoted', () => {
  const { maxWaitMinutes, maxRuntimeMinutes, maxCostUsd } = settingsFor(PHOTOGRAPHS);
  const quoted = quotedMinutes(PHOTOGRAPHS);
  expect(maxRuntimeMinutes).toBeGreaterThan(quoted + 21 * 4);
  expect(maxCostUsd).toBeGreaterThan(instancesUsd(PHOTOGRAPHS, quoted + 21 * 4));
  expect(LimitSettings.parse({ maxCostUsd })).toMatchObject({ maxCostUsd });
  expect(DropSettings.parse({ maxWaitMinutes })).toMatchObject({ maxWaitMinutes });
  expect(LimitSettings.parse({ maxRuntimeMinutes })).toMatchObject({ maxRuntimeMinutes });
});

const usdOf = (scenario: Scenario) => billOf(scenario).reduce((sum, item) => sum + item.usd, 0);

test('the bill grows with the drop, and half as many instances take longer for about as much', () => {
  expect(usdOf({ ...PHOTOGRAPHS, inputs: 5_000_000 })).toBeLessThan(usdOf(PHOTOGRAPHS) * 0.55);
  const fewer = { ...PHOTOGRAPHS, instances: 5 };
  expect(timesOf(fewer).transform).toBeGreaterThan(timesOf(PHOTOGRAPHS).transform);
  expect(Math.abs(usdOf(fewer) - usdOf(PHOTOGRAPHS))).toBeLessThan(15);
});

test('a write and its events are counted once for each object that a way has', () => {
  const lambda = { ...SMALL, engine: 'lambda' } as const;
  const perMillion = { write: 5, events: 3 };
  const spared = usdOf(lambda) - usdOf({ ...lambda, form: 'tars' });
  // Neither ten million uploads nor as many members are written then.
  expect(spared).toBeGreaterThan(10 * (perMillion.write + perMillion.events));
  const members = (scenario: Scenario) =>
    billOf(scenario).find(({ what }) => what.startsWith('PUTs of members'));
  expect(members({ ...lambda, form: 'tars' })).toBeUndefined();
  // SageMaker is sent bundles of photographs, unless no two fit.
  expect(members({ ...PHOTOGRAPHS, form: 'tars' })).toBeUndefined();
  const large = { ...PHOTOGRAPHS, inputBytes: 1_100_000, form: 'tars' } as const;
  expect(members(large)).toMatchObject({ count: PHOTOGRAPHS.inputs });
});

test('logs are counted, of a container that says more for more', () => {
  const logged = (logBytes: number) =>
    billOf({ ...PHOTOGRAPHS, logBytes }).find(({ what }) => what === 'GB of the container')?.usd;
  expect(logged(140)).toBeCloseTo(0.7);
  expect(logged(1_168)).toBeCloseTo(5.84);
});

test('a comparison lists as often as the bill says', async () => {
  const inputs = 20_000;
  const files = Object.fromEntries(
    Array.from({ length: inputs }, (_, at) => [String(at).padStart(8, '0'), 1]),
  );
  const run = await planned({ files, pipeline: { ...PIPELINE, transform: { bundle: 'never' } } });
  const lists = () => run.store.requests.filter(({ operation }) => operation === 'LIST').length;
  let before = 0;
  await drive(run, failing(), () => (before = lists()));
  const found = billOf({ ...PHOTOGRAPHS, inputs }).filter(
    ({ step, what }) => step === 'reconcile' && /^LISTs of (?:inputs|outputs)$/.test(what),
  );
  const count = found.reduce((sum, item) => sum + item.count, 0);
  expect(lists() - before).toBeGreaterThan(count * 0.9);
  expect(lists() - before).toBeLessThanOrEqual(count);
});

import { readFile } from 'node:fs/promises';
import { format, resolveConfig } from 'prettier';
import { expect, test } from 'vitest';
import { limitsOf } from '../../lab/bench/scale/function.ts';
import {
  billOf,
  instancesUsd,
  MEASURED,
  quotedMinutes,
  settingsFor,
  TEN_MILLION,
  timesOf,
} from '../../lab/bench/scale-model.ts';
import { toScalePage } from '../../scripts/scale-page.ts';
import { DropSettings } from '../../src/pipeline/drop-settings.ts';
import { LimitSettings } from '../../src/pipeline/limit-settings.ts';
import { drive, failing, planned } from '../support/drive-transform.ts';

test('docs/scale.md is what the model says (node scripts/write-scale-page.ts)', async () => {
  const page = new URL('../../docs/scale.md', import.meta.url);
  const settings = await resolveConfig(page.pathname);
  const written = await format(toScalePage(TEN_MILLION), { parser: 'markdown', ...settings });
  expect(await readFile(page, 'utf8')).toBe(written);
});

test('every heavy step has been measured within its limits', () => {
  for (const [name, { cpuSeconds, peakMiB }] of Object.entries(MEASURED)) {
    const limits = limitsOf(name);
    expect(peakMiB, name).toBeGreaterThan(50);
    expect(peakMiB, name).toBeLessThan(limits.memoryMiB);
    const resumes = name === 'settle-drop' || name === 'reconcile-outputs';
    expect(cpuSeconds, name).toBeGreaterThan(0);
    if (!resumes) expect(cpuSeconds, name).toBeLessThan(limits.cpuSeconds / 2);
  }
});

test('the settings that it names are allowed, and leave room for a model that is no faster than quoted', () => {
  const { maxWaitMinutes, maxRuntimeMinutes, maxCostUsd } = settingsFor(TEN_MILLION);
  const quoted = quotedMinutes(TEN_MILLION);
  expect(maxRuntimeMinutes).toBeGreaterThan(quoted + 21 * 4);
  expect(maxCostUsd).toBeGreaterThan(instancesUsd(TEN_MILLION, quoted + 21 * 4));
  expect(LimitSettings.parse({ maxCostUsd })).toMatchObject({ maxCostUsd });
  expect(DropSettings.parse({ maxWaitMinutes })).toMatchObject({ maxWaitMinutes });
  expect(LimitSettings.parse({ maxRuntimeMinutes })).toMatchObject({ maxRuntimeMinutes });
});

test('the bill grows with the drop, and half as many instances take longer for about as much', () => {
  const usd = (scenario: typeof TEN_MILLION) => billOf(scenario).reduce((sum, item) => sum + item.usd, 0);
  expect(usd({ ...TEN_MILLION, inputs: 5_000_000 })).toBeLessThan(usd(TEN_MILLION) * 0.55);
  const fewer = { ...TEN_MILLION, instances: 5 };
  expect(timesOf(fewer).seconds.transform).toBeGreaterThan(timesOf(TEN_MILLION).seconds.transform);
  expect(Math.abs(usd(fewer) - usd(TEN_MILLION))).toBeLessThan(15);
});

test('logs are counted, of a container that says more for more', () => {
  const logged = (logBytes: number) =>
    billOf({ ...TEN_MILLION, logBytes }).find(({ what }) => what === 'GB of the container’s log')?.usd;
  expect(logged(140)).toBeCloseTo(0.7);
  expect(logged(1_168)).toBeCloseTo(5.84);
});

test('a comparison lists as often as the bill says', async () => {
  const inputs = 20_000;
  const files = Object.fromEntries(
    Array.from({ length: inputs }, (_, at) => [String(at).padStart(8, '0'), 1]),
  );
  const run = await planned({ files });
  const lists = () => run.store.requests.filter(({ operation }) => operation === 'LIST').length;
  let before = 0;
  await drive(run, failing(), () => (before = lists()));
  const found = billOf({ ...TEN_MILLION, inputs }).find(({ what }) => what === 'LISTs of inputs and outputs');
  expect(lists() - before).toBeGreaterThan(found!.count * 0.9);
  expect(lists() - before).toBeLessThanOrEqual(found!.count);
});

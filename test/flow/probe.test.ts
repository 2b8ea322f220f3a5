import { expect, it } from 'vitest';
import { planJson } from '../../src/app/records/plan.ts';
import { readSpeeds } from '../../src/app/records/speeds.ts';
import { runCommandLine } from '../../src/cli/command-line.ts';
import { bucketLayout } from '../../src/run/bucket-layout.ts';
import { RunParts } from '../../src/run/run-id.ts';
import type { Laptop } from '../support/laptop.ts';
import { onSharedLaptop } from '../support/shared-laptop.ts';
import { silentTerminal } from '../support/silent-terminal.ts';

const PIPELINE = 'probed';
const CONFIG = bucketLayout.pipelineConfig(PIPELINE);
const INPUTS = 40;
let laptop: Laptop;

onSharedLaptop(async (shared) => {
  laptop = shared;
  await laptop.givePipeline(PIPELINE, (config) => {
    config.gate = { minAccuracy: 0.5, minInputs: 1 };
  });
  await laptop.upload(PIPELINE, 'monday', await laptop.images(INPUTS));
  await laptop.await(`${PIPELINE}/monday/000001`);
});

async function command(...args: string[]): Promise<{ code: number; text: string }> {
  const terminal = silentTerminal();
  const code = await runCommandLine(args, terminal);
  return { code, text: terminal.lines.join('\n') };
}
const keysBelow = async (prefix: string) =>
  Array.fromAsync(laptop.application.store.list(prefix), ({ key }) => key);

it('a probe doubles the requests while that helps, deletes what it predicted, and writes the settings', async () => {
  const { store } = laptop.application;
  const before = (await store.readText(CONFIG))!;
  const { code, text } = await command('probe', PIPELINE, '--images', '20', '--yes', '--apply', '--json');
  expect(code, text).toBe(0);
  const result = JSON.parse(text.split('\n').at(-1)!);
  const requests = result.trials.map((trial: any) => trial.settings.maxConcurrentTransforms);
  expect(requests.length).toBeGreaterThanOrEqual(2);
  expect(requests).toEqual(requests.map((_: number, at: number) => 2 ** at));
  expect(result).toMatchObject({ of: `${PIPELINE}/monday/000001`, isApplied: true, stopped: null });
  for (const trial of result.trials) {
    expect(trial).toMatchObject({ failure: null });
    expect(trial.inputsPerSecond).toBeGreaterThan(0);
    const run = RunParts.parse(trial.run);
    expect(await keysBelow(bucketLayout.predictions(run))).toEqual([]);
    expect(await keysBelow(bucketLayout.rowsFolder(run))).toEqual([]);
    expect(await store.readText(bucketLayout.message(run))).toBeUndefined();
    expect(await planJson(run).require(store)).toMatchObject({
      gate: null,
      sample: { inputs: 20, of: INPUTS },
      engine: { maxConcurrentTransforms: trial.settings.maxConcurrentTransforms, instanceCount: 1 },
    });
  }
  const after = (await store.readText(CONFIG))!;
  expect(JSON.parse(after)).toEqual({
    ...JSON.parse(before),
    transform: { ...JSON.parse(before).transform, ...result.transform },
  });
  expect(await readSpeeds(store, PIPELINE)).toHaveLength(requests.length);
});

it('later runs are quoted by what was measured', async () => {
  await laptop.upload(PIPELINE, 'tuesday', await laptop.images(4));
  const { report } = await laptop.outcome(`${PIPELINE}/tuesday/000001`);
  expect(report.notes.join('\n')).toMatch(
    /the quote is by [\d.]+ inputs a second on each ml\.m5\.xlarge, measured by probed\/monday\/000001p/,
  );
  const plan = await planJson(RunParts.parse(`${PIPELINE}/tuesday/000001`)).require(laptop.application.store);
  expect(plan.jobs[0]!.quotedSeconds).toBeLessThan(60);
});

it('an interrupted probe stops its job, and leaves no predictions', async () => {
  const { application } = laptop;
  const running = command('probe', PIPELINE, '--images', '4', '--max-cost', '1', '--apply', '--json');
  const before = await application.store.readText(CONFIG);
  // The run has begun once it is frozen.
  const repeat = bucketLayout.stateOf(RunParts.parse(`${PIPELINE}/tuesday/000001`));
  await laptop.until(async () => (await keysBelow(repeat)).find((key) => /p1\/frozen/.test(key)));
  process.emit('SIGINT');
  const { code, text } = await running;
  expect(code, text).toBe(130);
  expect(text).toContain('Interrupted: the job is stopped, and its outputs are deleted.');
  expect(JSON.parse(text.split('\n').at(-1)!)).toMatchObject({ stopped: 'interrupted', isApplied: false });
  expect(await application.store.readText(CONFIG)).toBe(before);
  const run = RunParts.parse('probed/tuesday/000001p1');
  const execution = await application
    .executions('inference')
    .describe(laptop.executionArn('probed/tuesday/000001p1'));
  expect(execution!.status).toBe('ABORTED');
  expect(await keysBelow(bucketLayout.predictions(run))).toEqual([]);
});

it('a probe without a quote, or beyond its cost, starts nothing', async () => {
  await expect(command('probe', PIPELINE, '--instances', 'ml.m5.bogus', '--yes')).rejects.toThrow(
    /ml\.m5\.bogus/,
  );
  await expect(command('probe', PIPELINE, '--instances', '../x', '--yes')).rejects.toThrow(
    'must be types such as',
  );
  await expect(command('probe', PIPELINE, '--images', '1')).rejects.toThrow('must be a number of inputs');
  // Nothing has been measured on this type, so that its quote has the start of a job.
  const { code, text } = await command(
    ...['probe', PIPELINE, '--instances', 'ml.c5.xlarge', '--max-cost', '0.0001', '--yes', '--json'],
  );
  expect(code).toBe(1);
  expect(JSON.parse(text.split('\n').at(-1)!)).toMatchObject({ trials: [], stopped: 'cost', spentUsd: 0 });
  await laptop.givePipeline(PIPELINE, (config) => {
    config.transform.engine = 'lambda';
  });
  await expect(command('probe', PIPELINE, '--yes')).rejects.toThrow('a probe compares instances');
});

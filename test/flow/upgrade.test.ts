import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { SageMakerClient, StopTransformJobCommand } from '@aws-sdk/client-sagemaker';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JobFault } from '../../packages/laptop/sagemaker/transform-faults.ts';
import { packageApplication } from '../../scripts/package-application.ts';
import { servedJson } from '../../src/app/records/served.ts';
import { callApi } from '../../src/aws/call-api.ts';
import { runCommandLine } from '../../src/cli/command-line.ts';
import { deployPackage } from '../../src/cli/laptop-stack.ts';
import { toRun } from '../../src/cli/run-result.ts';
import { Frozen } from '../../src/drop/frozen.ts';
import { bucketLayout } from '../../src/run/bucket-layout.ts';
import { unpackRelease } from '../support/kept-release.ts';
import { type Laptop, startLaptop } from '../support/laptop.ts';
import { silentTerminal } from '../support/silent-terminal.ts';

const RELEASE = '9ae6c08';
const ROOT = path.resolve(import.meta.dirname, '..', '..');
/** Ended before the upgrade. */
const ENDED = 'clothes/monday/000001';

let folder: string;
let laptop: Laptop;
let files: (readonly [string, Uint8Array])[];
/** What goes wrong until the new release is there: jobs of these drops are refused, and these files hang. */
let isHeld = true;
const refusedOf = (jobName: string): JobFault | undefined =>
  isHeld && jobName.includes('planned') ? 'throttle' : undefined;

const some = (from: number, to: number) => Object.fromEntries(files.slice(from, to));
const jobsOf = async (run: string) => {
  const records = await Array.fromAsync(laptop.application.store.list(bucketLayout.jobs(toRun(run))));
  return records.filter(({ key }) => key.endsWith('/job.json'));
};
const command = async (...args: string[]) => {
  const terminal = silentTerminal();
  const code = await runCommandLine(args, terminal);
  return { code, lines: terminal.lines };
};
const frozenOf = async (run: string) =>
  Frozen.parse(JSON.parse((await laptop.application.store.readText(bucketLayout.frozen(toRun(run))))!));

/** The release before with what it has done, runs at three of its states, and the new release over all of it. */
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'release-'));
  const release = await unpackRelease(RELEASE, folder);
  laptop = await startLaptop(
    {
      job: refusedOf,
      object: (key) =>
        isHeld && key.includes('/working/') && key.endsWith(files[3]![0]) ? 'hang' : undefined,
    },
    silentTerminal(),
    { release },
  );
  const { store } = laptop.application;
  files = Object.entries(await laptop.images(12));
  const given = JSON.parse(release.pipeline);
  const give = (name: string, deploy: string) =>
    laptop.givePipeline(name, (config) => {
      for (const key of Object.keys(config)) delete config[key];
      Object.assign(config, given, {
        drop: { quietSeconds: 1 },
        gate: { minAccuracy: 0.5 },
        endpoint: { ...given.endpoint, deploy },
      });
    });
  await give('clothes', 'when-gate-passes');
  await give('shoes', 'never');

  await laptop.upload('clothes', 'monday', some(0, 8));
  expect(await laptop.await(ENDED)).toMatchObject({ success: true });
  await laptop.until(async () => {
    const served = await servedJson('clothes').read(store);
    return served?.status === 'in-service' ? served : undefined;
  });

  const wait = JSON.stringify({ drop: { quietSeconds: 3600 } });
  await laptop.upload('shoes', 'waiting', { 'job.json': wait, ...some(0, 4) });
  await laptop.upload('shoes', 'planned', some(0, 4));
  await laptop.upload('shoes', 'working', some(0, 4));
  await laptop.until(async () => (await store.describe(`state/shoes/waiting/pulse`)) && true);
  await laptop.until(async () => (await jobsOf('shoes/planned/000001'))[0]);
  // All but the file that hangs.
  await laptop.until(async () => {
    const outputs = await Array.fromAsync(
      store.list(bucketLayout.predictions(toRun('shoes/working/000001'))),
    );
    return outputs.length === 3 ? true : undefined;
  });

  await deployPackage(laptop.stack, 'dev', await packageApplication(ROOT, 'dev'));
  isHeld = false;
}, 900_000);
afterAll(async () => {
  await laptop.close();
  await rm(folder, { recursive: true, force: true });
});

describe('a run that was under way when the new release was deployed', () => {
  it.each([
    [
      'waits for its drop to be quiet',
      'shoes/waiting/000001',
      () => laptop.upload('shoes', 'waiting', { _READY: '' }),
    ],
    ['was planned', 'shoes/planned/000001', async () => undefined],
    [
      'has a job at work, which then is stopped',
      'shoes/working/000001',
      async () => {
        const [record] = await jobsOf('shoes/working/000001');
        const { jobName } = JSON.parse((await laptop.application.store.readText(record!.key))!);
        await new SageMakerClient().send(new StopTransformJobCommand({ TransformJobName: jobName }));
      },
    ],
  ])(
    'and %s ends well',
    async (_what, run, goOn) => {
      await goOn();
      const { report, message } = await laptop.outcome(run);
      expect(report).toMatchObject({ run, status: 'completed', total: 4, errors: 0 });
      expect(message.attributes).toMatchObject({ pipeline: 'shoes', status: 'completed' });
    },
    300_000,
  );
});

describe('what the release before has left', () => {
  it('is listed and shown', async () => {
    const { lines } = await command('runs', '--pipeline', 'clothes', '--json');
    expect(JSON.parse(lines.at(-1)!)).toMatchObject([{ run: ENDED, status: 'completed', total: 8 }]);
    const shown = await command('report', ENDED, '--json');
    expect(shown).toMatchObject({ code: 0 });
    expect(JSON.parse(shown.lines.join('\n'))).toMatchObject({ run: ENDED, total: 8 });
  });

  it('is served', async () => {
    const response = await callApi({
      method: 'POST',
      url: new URL(`${laptop.application.apiUrl}/predict/clothes`),
      headers: { 'content-type': 'image/png' },
      body: files[0]![1],
    });
    expect(response.status).toBe(200);
    const { code } = await command('endpoints', 'list');
    expect(code).toBe(0);
  });

  it('is repeated as it was, and compared', async () => {
    const { code, lines } = await command('replay', ENDED, '--wait', '--json');
    expect(lines.join('\n')).toContain('000001r2');
    expect(code).toBe(0);
    const { report } = await laptop.outcome(`${ENDED}r2`);
    expect(report).toMatchObject({
      status: 'completed',
      total: 8,
      comparison: { baseline: ENDED, replay: true },
    });
    expect(report.comparison!.identical).toBe(8);
  }, 300_000);

  it('is repeated with a fresh plan', async () => {
    expect(await command('rerun', ENDED, '--wait', '--json')).toMatchObject({ code: 0 });
    expect((await laptop.outcome(`${ENDED}r3`)).manifest).toHaveLength(8);
  }, 300_000);

  it('covers the files of its drop: the next generation has only the new ones, and the endpoint is its', async () => {
    expect((await frozenOf(ENDED)).coveredSlices[0]!.object).toMatch(/^runs\//);
    await laptop.upload('clothes', 'monday', some(8, 12));
    const { report, manifest } = await laptop.outcome('clothes/monday/000002');
    expect(report).toMatchObject({ status: 'completed', total: 4 });
    expect(manifest).toEqual(
      files
        .slice(8)
        .map(([name]) => name)
        .sort(),
    );
    expect((await frozenOf('clothes/monday/000002')).coveredSlices[0]!.object).toMatch(/^state\//);
    await laptop.until(async () => {
      const served = await servedJson('clothes').read(laptop.application.store);
      const runs = Object.values(served?.variants ?? {}).map(({ run }) => run);
      return served?.status === 'in-service' && runs.join() === 'clothes/monday/000002' ? true : undefined;
    });
  }, 300_000);
});

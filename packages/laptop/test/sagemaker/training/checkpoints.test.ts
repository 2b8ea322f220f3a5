import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StopTrainingJobCommand } from '@aws-sdk/client-sagemaker';
import { afterEach, expect, test } from 'vitest';
import type { SpotInterruption } from '../../../sagemaker/faults.ts';
import { type FakeRun, localTrainings } from './local-trainings.ts';

let stack: Awaited<ReturnType<typeof localTrainings>>;
afterEach(() => stack.close());

const CheckpointConfig = { S3Uri: 's3://bucket/checkpoints/' };
/** Tests that move the clock until something has happened move it further on a busy machine. */
const LONG = { StoppingCondition: { MaxRuntimeInSeconds: 2_419_200 } };
const SPOT = {
  EnableManagedSpotTraining: true,
  CheckpointConfig,
  StoppingCondition: { MaxRuntimeInSeconds: 600, MaxWaitTimeInSeconds: 3600 },
};
const stored = () => [...stack.objects.list('bucket', 'checkpoints/')].map(({ key }) => key.slice(12));

/** Moves the clock until S3 has come to what is expected. */
async function untilStored(names: readonly string[]): Promise<void> {
  while (stored().join() !== names.join()) await stack.clock.advance(1_000);
}

const untilAborted = (stop: AbortSignal) =>
  new Promise<void>((resolve) =>
    stop.aborted ? resolve() : stop.addEventListener('abort', () => resolve(), { once: true }),
  );

test('checkpoints are stored while the script runs, and deleted when it deletes them', async () => {
  stack = await localTrainings(async ({ hosts: [first, second] }) => {
    await mkdir(join(first!.checkpoints, 'deep'));
    await writeFile(join(first!.checkpoints, 'deep', '1'), 'one');
    await untilStored(['deep/1', 'old']);
    await writeFile(join(first!.checkpoints, '2'), 'two');
    await writeFile(join(second!.checkpoints, '2'), 'of the second');
    await rm(join(first!.checkpoints, 'deep', '1'));
    await untilStored(['2', 'old']);
    await rm(join(first!.checkpoints, 'old'));
    await untilStored(['2']);
    await writeFile(join(first!.checkpoints, 'last'), 'at the end');
  });
  stack.objects.put('checkpoints/old', 'restored');
  const job = await stack.run('job', {
    ...LONG,
    CheckpointConfig,
    ResourceConfig: { InstanceCount: 2, InstanceType: 'ml.c4.xlarge', VolumeSizeInGB: 30 },
  });
  expect(job.TrainingJobStatus).toBe('Completed');
  expect(stored()).toEqual(['2', 'last']);
  expect(stack.objects.text('checkpoints/2')).toBe('two');
  // What was restored is not stored again.
  expect(stack.objects.created).not.toContain('checkpoints/old');
});

test.each(['while it runs', 'at the end'])(
  'a role that may not delete keeps old checkpoints: %s',
  async (when) => {
    stack = await localTrainings(
      async ({ hosts: [host] }) => {
        await rm(join(host!.checkpoints, 'old'));
        if (when === 'at the end') return;
        while (!stack.logLines.some((line) => line.includes('a deleted checkpoint stays in S3')))
          await stack.clock.advance(2_000);
      },
      {
        roles: {
          credentialsOf: () => ({ accessKeyId: 'a', secretAccessKey: 's' }),
          refusal: (_role, _name, asked) =>
            asked.some(({ action }) => action === 's3:DeleteObject')
              ? 'not allowed to s3:DeleteObject'
              : null,
        },
      },
    );
    stack.objects.put('checkpoints/old', 'restored');
    const job = await stack.run('job', { ...LONG, CheckpointConfig });
    expect([job.TrainingJobStatus, job.FailureReason]).toEqual(['Completed', undefined]);
    expect(stored()).toEqual(['old']);
    expect(stack.logLines.filter((line) => line.includes('a deleted checkpoint stays in S3'))).toHaveLength(
      1,
    );
  },
);

test('a script may remove its folders: there is no archive, and its checkpoints are deleted', async () => {
  stack = await localTrainings(async ({ hosts: [host] }) => {
    await rm(host!.checkpoints, { recursive: true });
    await rm(host!.model, { recursive: true });
    await rm(host!.outputData, { recursive: true });
    await writeFile(host!.outputData, 'a file');
    await untilStored([]);
  });
  stack.objects.put('checkpoints/old', 'restored');
  const job = await stack.run('job', { ...LONG, CheckpointConfig });
  expect([job.TrainingJobStatus, job.FailureReason]).toEqual(['Completed', undefined]);
  expect(stack.objects.created).toEqual([]);
});

/** Trains five epochs with a checkpoint each; taken away, it goes on where it was. */
function fiveEpochs(ran: number[]) {
  return async ({ hosts: [host], stop, print }: FakeRun) => {
    const done = await readdir(host!.checkpoints);
    for (let epoch = done.length + 1; epoch <= 5; epoch++) {
      ran.push(epoch);
      print('algo-1', `epoch ${epoch}`);
      await writeFile(join(host!.checkpoints, `epoch-${epoch}`), 'x');
      if (epoch === 2 && ran.length === 2) {
        for (let step = 0; !stop.aborted && step < 1_000; step++) await stack.clock.advance(1_000);
        return;
      }
    }
    await stack.clock.advance(30_000);
    await writeFile(join(host!.model, 'model.pth'), 'weights');
  };
}

test('a job whose spot instances are taken away goes on from its checkpoint, and is billed less than it trained', async () => {
  const ran: number[] = [];
  const asked: number[] = [];
  stack = await localTrainings(fiveEpochs(ran), {
    faults: {
      interruption(_name, earlier): SpotInterruption | undefined {
        asked.push(earlier);
        return earlier === 0 ? { after: 20_000, untilCapacityMs: 300_000 } : undefined;
      },
    },
  });
  await stack.create('spot', SPOT);
  while ((await stack.describe('spot')).SecondaryStatus !== 'Interrupted') await stack.clock.advance(0);
  expect((await stack.describe('spot')).TrainingJobStatus).toBe('InProgress');
  await stack.clock.advance(300_000);
  await stack.idle();
  const job = await stack.describe('spot');
  expect(ran).toEqual([1, 2, 3, 4, 5]);
  expect(asked).toEqual([0, 1]);
  expect(job.SecondaryStatusTransitions?.map(({ Status }) => Status)).toEqual([
    ...['Starting', 'Downloading', 'Training', 'Interrupted'],
    ...['Starting', 'Downloading', 'Training', 'Uploading', 'Completed'],
  ]);
  expect(job).toMatchObject({ TrainingJobStatus: 'Completed', EnableManagedSpotTraining: true });
  const seconds = job.TrainingTimeInSeconds!;
  expect(seconds).toBeGreaterThanOrEqual(50);
  expect(seconds).toBeLessThan(300);
  expect(job.BillableTimeInSeconds).toBe(Math.floor(seconds * 0.3));
  expect(await stack.untar('spot/output/model.tar.gz')).toEqual({ 'model.pth': 'weights' });
});

test('an interruption may wait for the first checkpoint', async () => {
  const ran: number[] = [];
  stack = await localTrainings(fiveEpochs(ran), {
    faults: {
      interruption: (_name, earlier) =>
        earlier === 0 ? { after: 'checkpoint', untilCapacityMs: 0 } : undefined,
    },
  });
  await stack.create('spot', {
    ...SPOT,
    StoppingCondition: { ...LONG.StoppingCondition, MaxWaitTimeInSeconds: 2_419_200 },
  });
  while ((await stack.describe('spot')).TrainingJobStatus === 'InProgress') await stack.clock.advance(2_000);
  expect(ran).toEqual([1, 2, 3, 4, 5]);
});

test('a job that waits too long for other instances is stopped as such', async () => {
  stack = await localTrainings(fiveEpochs([]), {
    faults: { interruption: () => ({ after: 1_000, untilCapacityMs: 86_400_000 }) },
  });
  await stack.create('spot', SPOT);
  while ((await stack.describe('spot')).SecondaryStatus !== 'Interrupted') await stack.clock.advance(0);
  await stack.clock.advance(3_600_000);
  await stack.idle();
  const job = await stack.describe('spot');
  expect(job).toMatchObject({ TrainingJobStatus: 'Stopped', SecondaryStatus: 'MaxWaitTimeExceeded' });
  expect(job.TrainingTimeInSeconds).toBeLessThan(60);
});

test('a job is stopped while it waits for other instances', async () => {
  stack = await localTrainings(fiveEpochs([]), {
    faults: { interruption: () => ({ after: 1_000, untilCapacityMs: 86_400_000 }) },
  });
  await stack.create('spot', SPOT);
  while ((await stack.describe('spot')).SecondaryStatus !== 'Interrupted') await stack.clock.advance(0);
  await stack.client.send(new StopTrainingJobCommand({ TrainingJobName: 'spot' }));
  await stack.idle();
  expect(await stack.describe('spot')).toMatchObject({
    TrainingJobStatus: 'Stopped',
    SecondaryStatus: 'Stopped',
  });
});

test('the run time counts over all instances', async () => {
  const starts = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let runs = 0;
  stack = await localTrainings(
    ({ stop }) => {
      starts[runs++]!.resolve();
      return untilAborted(stop);
    },
    {
      faults: {
        interruption: (_name, earlier) =>
          earlier === 0 ? { after: 400_000, untilCapacityMs: 1_000 } : undefined,
      },
    },
  );
  await stack.create('spot', SPOT);
  await starts[0]!.promise;
  await stack.clock.advance(400_000);
  while ((await stack.describe('spot')).SecondaryStatus !== 'Interrupted') await stack.clock.advance(0);
  await stack.clock.advance(1_000);
  await starts[1]!.promise;
  await stack.clock.advance(199_000);
  expect((await stack.describe('spot')).SecondaryStatus).toBe('Training');
  await stack.clock.advance(1_000);
  await stack.idle();
  expect(await stack.describe('spot')).toMatchObject({ SecondaryStatus: 'MaxRuntimeExceeded' });
});

test('instances on demand are not taken away', async () => {
  stack = await localTrainings(() => stack.clock.advance(10_000), {
    faults: { interruption: () => ({ after: 1_000, untilCapacityMs: 0 }) },
  });
  expect(await stack.run('on-demand')).toMatchObject({
    TrainingJobStatus: 'Completed',
    TrainingTimeInSeconds: 10,
    BillableTimeInSeconds: 10,
  });
});

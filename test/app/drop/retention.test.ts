import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openStacks } from '../../../packages/laptop/cloudformation/stacks.ts';
import { type LocalS3, localS3 } from '../../../packages/laptop/test/support/local-s3.ts';
import { manualClock } from '../../../packages/laptop/test/support/manual-clock.ts';
import { packageApplication } from '../../../scripts/package-application.ts';
import { settleDrop } from '../../../src/app/drop/settle-drop.ts';
import { notify } from '../../../src/app/report/notify.ts';
import { objectStore } from '../../../src/aws/s3/s3-object-store.ts';
import { parseRunId } from '../../../src/run/run-id.ts';
import { memoryTopic } from '../../support/memory-topic.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const folder = 'incoming/cifar10/monday/';
const run = (generation: number) => `cifar10/monday/${String(generation).padStart(6, '0')}`;

describe('under the lifecycle rules of the template', () => {
  let bucketAlone: { Parameters: unknown; Conditions: unknown; Resources: { Bucket: unknown } };
  const clock = manualClock(Date.UTC(2026, 2, 1, 12));
  let s3: LocalS3;

  beforeAll(async () => {
    const root = path.resolve(import.meta.dirname, '..', '..', '..');
    const { Parameters, Conditions, Resources } = JSON.parse(
      (await packageApplication(root, 'dev')).template,
    );
    bucketAlone = { Parameters, Conditions, Resources: { Bucket: Resources.Bucket } };
    s3 = await localS3({ clock });
    const { accessKeyId, secretAccessKey } = await s3.client.config.credentials();
    vi.stubEnv('AWS_ENDPOINT_URL', s3.endpoint);
    vi.stubEnv('AWS_REGION', s3.site.region);
    vi.stubEnv('AWS_ACCESS_KEY_ID', accessKeyId);
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', secretAccessKey);
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    await s3.close();
  });

  /** The stack's bucket in the laptop's S3, and runs of one drop in it. */
  async function world(stackName: string, parameters: Record<string, string>) {
    const { dir, site, resources: types } = s3;
    const { record } = await openStacks({ dir: path.join(dir, 'stacks'), site, clock, types }).deploy({
      stackName,
      template: JSON.stringify(bucketAlone),
      parameters: { Stage: 'dev', NotificationEmail: 'you@example.com', ...parameters },
    });
    const store = objectStore({ bucket: record.resources[0]!.physicalId });
    const services = {
      store,
      topic: memoryTopic(),
      clock: () => new Date(clock.now()),
      newId: () => crypto.randomUUID(),
      settings: {
        readBuckets: [],
        sliceLines: 2,
        retention: {
          incomingDays: Number(parameters.IncomingRetentionDays),
          noncurrentDays: Number(parameters.NoncurrentRetentionDays),
        },
      },
    };
    const keys = async (prefix: string) => (await Array.fromAsync(store.list(prefix))).map(({ key }) => key);
    return {
      store,
      keys,
      pass: (days: number) => clock.advance(days * DAY_MS),
      upload: (...names: string[]) => Promise.all(names.map((name) => store.write(folder + name, name))),
      /** Names of the files that a run takes in. */
      async take(generation: number): Promise<string[]> {
        const name = run(generation);
        const startedAt = new Date(clock.now()).toISOString();
        await clock.advance(60_000);
        expect(
          await settleDrop({ run: parseRunId(name)!, executionArn: 'arn', startedAt }, services),
        ).toMatchObject({
          status: 'frozen',
        });
        await notify({ run: parseRunId(name)!, status: 'completed' }, services);
        const manifest = (await store.readText(`runs/${name}/manifest.jsonl`))!;
        return manifest
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line).key.slice(folder.length));
      },
      async covered(generation: number): Promise<string[]> {
        const { coveredSlices } = JSON.parse((await store.readText(`state/${run(generation)}/frozen.json`))!);
        const texts = coveredSlices.map(async ({ object }: { object: string }) =>
          gunzipSync((await store.readBytes(object))!).toString(),
        );
        return (await Promise.all(texts))
          .join('')
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line).key.slice(folder.length));
      },
    };
  }
  const MONTHLY = { IncomingRetentionDays: '90', RunsRetentionDays: '30', NoncurrentRetentionDays: '5' };

  it('a drop is used again after the files of its last run are gone', async () => {
    const { store, keys, pass, upload, take } = await world('again', MONTHLY);
    await upload('a.png', 'b.png', 'c.png');
    expect(await take(1)).toEqual(['a.png', 'b.png', 'c.png']);
    await pass(32);
    expect(await keys('runs/')).toEqual([]);
    await upload('bb.png');
    expect(await take(2)).toEqual(['bb.png']);
    await pass(32);
    await store.write(`${folder}c.png`, 'another');
    expect(await take(3)).toEqual(['c.png']);
  });

  it('what covers a drop is kept once, and as long as its files may come back', async () => {
    const { keys, pass, upload, take, covered } = await world('kept', MONTHLY);
    await upload('a.png', 'b.png');
    await take(1);
    await pass(50);
    await upload('c.png');
    await take(2);
    expect(await covered(2)).toEqual(['a.png', 'b.png', 'c.png']);
    expect(
      (await keys('state/')).filter((key) => key.includes('/covered/') && key.includes('000001')),
    ).toEqual([]);
    // Files of the first day went after 90 days, and their last versions 5 days later.
    await pass(60);
    await upload('d.png');
    await take(3);
    expect(await covered(3)).toEqual(['c.png', 'd.png']);
    await pass(400);
    await upload('e.png');
    expect(await take(4)).toEqual(['e.png']);
    expect(await covered(4)).toEqual(['e.png']);
  });
});

import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openStacks } from '../../../packages/laptop/cloudformation/stacks.ts';
import { type LocalS3, localS3 } from '../../../packages/laptop/test/support/local-s3.ts';
import { packageApplication } from '../../../scripts/package-application.ts';
import { settleDrop } from '../../../src/app/drop/settle-drop.ts';
import { notify } from '../../../src/app/report/notify.ts';
import { objectStore } from '../../../src/aws/s3-object-store.ts';
import { parseRunId } from '../../../src/run/run-id.ts';
import { dropWorld } from '../../support/drop-world.ts';
import { manualClock } from '../../support/manual-clock.ts';
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
  }, 300_000);
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
  }, 60_000);

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
  }, 60_000);
});

describe('a manifest of the release before, whose covered files lay below runs/', () => {
  const line = (entry: { key: string; etag: string; lastModified: Date }) =>
    `${JSON.stringify({ key: entry.key, etag: entry.etag, lastModified: entry.lastModified.toISOString() })}\n`;

  /** Generation 1 as that release left it: a.png and c.png in one slice, x.png in another. */
  async function before() {
    const world = dropWorld();
    const files = ['a.png', 'c.png', 'x.png'].map((name) => world.store.put(folder + name, name));
    world.advance(600);
    const freeze = `runs/${run(1)}/freeze/`;
    world.store.put(`state/${run(1)}/freezing`, '{}');
    const slice = (name: string, some: typeof files) => {
      world.store.put(`${freeze}${name}.covered.jsonl.gz`, gzipSync(some.map(line).join('')));
      return { object: `${freeze}${name}.covered.jsonl.gz`, through: some.at(-1)!.key };
    };
    const frozen = {
      schema: 1,
      status: 'frozen',
      objects: 3,
      bytes: 15,
      largestObjectBytes: 5,
      emptyObjects: 0,
      sourceBucket: 'bucket',
      sourcePrefix: folder,
      frozenAt: world.clock().toISOString(),
      manifestSlices: [],
      coveredSlices: [slice('s1', files.slice(0, 2)), slice('s2', files.slice(2))],
    };
    world.store.put(`state/${run(1)}/frozen.json`, JSON.stringify(frozen));
    world.store.put(`state/${run(1)}/ended.json`, '{}');
    world.advance(40 * 24 * 3600);
    return world;
  }
  const frozenOf = (world: Awaited<ReturnType<typeof before>>, generation: number) =>
    JSON.parse(world.store.text(`state/${run(generation)}/frozen.json`)!);

  it('is read, and what comes after lies below state/', async () => {
    const world = await before();
    await world.accept(world.upload(`${folder}b.png`));
    await world.run(run(2));
    expect(world.keys(run(2))).toEqual([`${folder}b.png`]);
    for (const { object } of frozenOf(world, 2).coveredSlices) expect(object).toMatch(/^state\//);
    expect(frozenOf(world, 2)).not.toHaveProperty('coveredThrough');
    expect(world.store.keys('state/').filter((key) => key.includes('/covered/'))).toHaveLength(1);
  });

  it.each([
    ['one of its slices has', ['s2']],
    ['all of its slices have', ['s1', 's2']],
  ])('takes for covered what is older than its listing where %s expired', async (_what, gone) => {
    const world = await before();
    for (const name of gone) world.store.remove(`runs/${run(1)}/freeze/${name}.covered.jsonl.gz`);
    world.store.put(`${folder}c.png`, 'another');
    await world.accept(world.upload(`${folder}b.png`), world.upload(`${folder}y.png`));
    await world.run(run(2));
    expect(world.keys(run(2))).toEqual(['b.png', 'c.png', 'y.png'].map((name) => folder + name));
    await world.accept(world.upload(`${folder}z.png`));
    world.advance(1000);
    await world.run(run(3));
    expect(world.keys(run(3))).toEqual([`${folder}z.png`]);
    // The first version of c.png is back, as after the removal of the one that hid it.
    world.store.put(`${folder}c.png`, 'c.png', new Date(Date.UTC(2026, 2, 1, 12)));
    await world.accept(world.upload(`${folder}zz.png`));
    world.advance(1000);
    await world.run(run(4));
    expect(world.keys(run(4))).toEqual([`${folder}zz.png`]);
  });

  it('is remembered by a generation that lists nothing of the drop', async () => {
    const world = await before();
    world.store.remove(`runs/${run(1)}/freeze/s2.covered.jsonl.gz`);
    world.store.put('shared/images/1.png', '1');
    // Uploaded before the second generation freezes, and taken in by none that reads job.json.
    world.store.put(`${folder}own.png`, 'own');
    const job = { input: { s3Prefix: 's3://bucket/shared/images/' } };
    await world.accept(world.upload(`${folder}job.json`, JSON.stringify(job)));
    await world.run(run(2));
    expect(world.keys(run(2))).toEqual(['shared/images/1.png']);
    for (const { object } of frozenOf(world, 2).coveredSlices) expect(object).toMatch(/^state\//);
    world.store.remove(`${folder}job.json`);
    for (const key of world.store.keys('runs/')) world.store.remove(key);
    world.advance(1000);
    await world.accept(world.upload(`${folder}b.png`));
    await world.run(run(3));
    expect(world.keys(run(3))).toEqual([`${folder}b.png`, `${folder}own.png`]);
  });
});

describe('the covered files below state/', () => {
  const slices = (world: ReturnType<typeof dropWorld>) =>
    world.store.keys('state/').filter((key) => key.includes('/covered/'));

  it('are those of the newest generation alone, whatever abandoned ones and lost invocations left', async () => {
    const world = dropWorld({ sliceLines: 1, listingBudgetMs: 0 });
    await world.accept(world.upload(`${folder}a.png`), world.upload(`${folder}b.png`));
    await world.run(run(1));
    world.store.put(`state/${run(1)}/covered/lost.jsonl.gz`, '');
    world.advance(1000);
    await world.accept(world.upload(`${folder}c.png`));
    world.advance(60);
    expect(await world.settleOnce(run(2))).toMatchObject({ status: 'listing' });
    await world.die(run(2));
    world.advance(60);
    expect(await world.run(run(3))).toMatchObject({ objects: 1 });
    expect(slices(world)).toHaveLength(3);
    for (const key of slices(world)) expect(key).toContain(run(3));
  });

  it('stay where a generation takes them over, and go with the next listing', async () => {
    const world = dropWorld();
    await world.accept(world.upload(`${folder}a.png`));
    await world.run(run(1));
    world.store.put('shared/images/1.png', '1');
    const job = { input: { s3Prefix: 's3://bucket/shared/images/' } };
    const body = JSON.stringify(job);
    world.advance(1000);
    await world.accept(world.upload(`${folder}job.json`, body));
    await world.run(run(2));
    await world.accept(world.event(`${folder}job.json`));
    await world.run(run(3));
    expect(slices(world)).toHaveLength(1);
    world.store.remove(`${folder}job.json`);
    world.advance(1000);
    await world.accept(world.upload(`${folder}b.png`));
    await world.run(run(4));
    expect(world.keys(run(4))).toEqual([`${folder}b.png`]);
    expect(slices(world)).toHaveLength(1);
    expect(slices(world)[0]).toContain(run(4));
  });
});

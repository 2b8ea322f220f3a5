import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { bundleInputs } from '../../../src/app/inputs/bundle-inputs.ts';
import { planRun } from '../../../src/app/plan/plan-run.ts';
import { BundleItem } from '../../../src/app/records/bundle-items.ts';
import { startTransform } from '../../../src/app/transform/start-transform.ts';
import { tarFiles } from '../../../src/model/tar-files.ts';
import { Plan } from '../../../src/plan/plan.ts';
import { bucketLayout } from '../../../src/run/bucket-layout.ts';
import { settingsOf } from '../../../src/transform/engine-settings.ts';
import { ask } from '../../support/drive-transform.ts';
import { NOW, PARTS, PIPELINE, SETTINGS } from '../../support/drop-fixture.ts';
import type { MemoryObjectStore } from '../../support/memory-object-store.ts';
import { memorySageMaker } from '../../support/memory-sagemaker.ts';
import { packedTar } from '../../support/packed-tar.ts';
import { frozenFiles, openAllTars, planOfBundles } from '../../support/tar-drop.ts';

const PIPELINE_OF_BUNDLES = { ...PIPELINE, transform: { bundle: 'auto' } };
const nameOf = (at: number) => `${String(at).padStart(4, '0')}.png`;
const many = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [nameOf(at), `image ${at}`]));

async function planned(files: Parameters<typeof frozenFiles>[0] = many) {
  const store = await frozenFiles(files, { pipeline: PIPELINE_OF_BUNDLES });
  await planOfBundles(store);
  const plan = Plan.parse(JSON.parse(store.text(bucketLayout.plan(PARTS))!));
  const items = JSON.parse(store.text(bucketLayout.bundleItems(PARTS, 'parts/1'))!) as unknown[];
  return { store, plan, items: items.map((item) => BundleItem.parse(item)) };
}

async function filesOf(store: MemoryObjectStore, key: string) {
  const bytes = (await store.readBytes(key))!;
  const files: [string, string][] = [];
  for await (const { name, body } of tarFiles(Readable.from([bytes])))
    files.push([name, Buffer.from((await body.take(body.left))!).toString()]);
  return files;
}

describe('the bundles of a job', () => {
  test('are written once, and only then does the job start, which reads them', async () => {
    const { store, plan, items } = await planned();
    expect(items.map(({ inputs }) => inputs)).toEqual([64, 64, 64, 64, 44]);
    const sagemaker = memorySageMaker({ clock: () => NOW });
    const services = { store, sagemaker };
    expect(await ask(services)).toEqual({ status: 'bundle', list: 'parts/1', bundled: 1 });
    const [, second, ...others] = items;
    expect(await bundleInputs({ Items: [second!, ...others] }, { store })).toEqual({
      bundles: 4,
      inputs: 236,
    });
    expect(await ask(services)).toMatchObject({ status: 'bundle' });
    expect(await bundleInputs({ Items: [items[0]!] }, { store })).toEqual({ bundles: 1, inputs: 64 });
    const first = store.text(bucketLayout.bundle(PARTS, 'parts/1', 0));
    await bundleInputs({ Items: [items[0]!] }, { store });
    expect(store.text(bucketLayout.bundle(PARTS, 'parts/1', 0))).toBe(first);
    expect(startTransform.output.parse(await ask(services)).status).toBe('started');
    const [job] = [...sagemaker.jobs.values()];
    expect(job!.spec).toMatchObject({ contentType: 'application/x-tar', accept: 'application/json' });
    expect(JSON.parse(store.text(plan.jobs[0]!.input)!)).toEqual([
      { prefix: `s3://bucket/${bucketLayout.bundles(PARTS)}` },
      ...[0, 1, 2, 3, 4].map((bundle) => `parts/1/00000${bundle}`),
    ]);
  });

  test('that vanish are written once more, and the run ends by name if they vanish again', async () => {
    const { store, items } = await planned();
    const services = { store, sagemaker: memorySageMaker({ clock: () => NOW }) };
    for (const item of items) await bundleInputs({ Items: [item] }, { store });
    const gone = bucketLayout.bundle(PARTS, 'parts/1', 2);
    store.remove(gone);
    expect(await ask(services, { bundled: 1 })).toEqual({ status: 'bundle', list: 'parts/1', bundled: 2 });
    await expect(ask(services, { bundled: 2 })).rejects.toMatchObject({
      name: 'BundleMissing',
      message: expect.stringContaining(gone),
    });
    await bundleInputs({ Items: [items[2]!] }, { store });
    expect(await ask(services, { bundled: 2 })).toMatchObject({ status: 'started' });
  });

  test('are where the job looks for them, also where the release before planned another place', async () => {
    const { store, plan, items } = await planned();
    const key = plan.jobs[0]!.input;
    const manifest = store.text(key)!;
    store.put(key, manifest.replace('/staged/', '/runs/'));
    const services = { store, sagemaker: memorySageMaker({ clock: () => NOW }) };
    expect(await ask(services)).toMatchObject({ status: 'bundle' });
    for (const item of items) await bundleInputs({ Items: [item] }, { store });
    expect(await ask(services, { bundled: 1 })).toMatchObject({ status: 'started' });
    expect(store.text(key)).toBe(manifest);
  });

  test('hold the inputs in their order, without one that was deleted meanwhile', async () => {
    const { store, items } = await planned();
    store.remove(`incoming/shapes/monday/${nameOf(257)}`);
    expect(await bundleInputs({ Items: [items[4]!] }, { store })).toEqual({ bundles: 1, inputs: 43 });
    const files = await filesOf(store, bucketLayout.bundle(PARTS, 'parts/1', 4));
    expect(files.slice(0, 3)).toEqual([
      ['bundle.json', '{"inputs":44,"contentType":"application/x-image"}'],
      ['000000', 'image 256'],
      ['000002', 'image 258'],
    ]);
  });

  test('hold the records of a table as lines, of a thousand at the most', async () => {
    const rows = [
      '"a\nb \u0001",é',
      '"say ""hi""",2',
      ...Array.from({ length: 1_200 }, (_, at) => `${at},1`),
    ];
    const pipeline = { ...PIPELINE, columns: { features: ['x', 'y'] } };
    const store = await frozenFiles(
      { 'a.csv': `x,y\n${rows.join('\n')}\n` },
      { pipeline: { ...pipeline, transform: { bundle: 'auto', contentType: 'text/csv' } } },
    );
    await planOfBundles(store);
    expect(store.keys('staged/')).toHaveLength(2);
    const items = JSON.parse(store.text(bucketLayout.bundleItems(PARTS, 'parts/1'))!) as unknown[];
    const services = { store, sagemaker: memorySageMaker({ clock: () => NOW }) };
    const lines: unknown[] = [];
    for (const item of items.map((one) => BundleItem.parse(one))) {
      if (item.bundle === 1)
        store.remove(store.keys('staged/').find((key) => key.endsWith('part-000000001'))!);
      const before = store.requests.length;
      await bundleInputs({ Items: [item] }, { store });
      const staged = store.requests.slice(before).filter(({ key }) => key?.includes('/inputs/') === true);
      expect(staged).toHaveLength(1);
      const text = store.text(bucketLayout.bundle(PARTS, 'parts/1', item.bundle))!;
      lines.push(
        ...text
          .trimEnd()
          .split('\n')
          .map((line): unknown => JSON.parse(line)),
      );
    }
    expect(lines.slice(0, 3)).toEqual([{ inputs: 1_000, contentType: 'text/csv' }, ...rows.slice(0, 2)]);
    expect(lines.slice(1_001, 1_003)).toEqual([{ inputs: 202, contentType: 'text/csv' }, null]);
    expect(await ask(services)).toMatchObject({ status: 'started' });
    const [job] = [...services.sagemaker.jobs.values()];
    expect(job!.spec).toMatchObject({ contentType: 'application/vnd.inferdrop.records', splitType: 'None' });
  });

  test('hold members of tars as they lie in them, and none is written as an object but those of a compressed tar', async () => {
    const tar = await packedTar(
      Object.entries(many).map(([name, body]) => [name, Buffer.from(body)] as const),
    );
    const { store, plan, items } = await planned({
      'a.tar': tar,
      'b.tgz': gzipSync(await packedTar({ 'x.png': 'gz' })),
      'c.png': 'beside',
    });
    const before = store.requests.length;
    for (const item of items) await bundleInputs({ Items: [item] }, { store });
    const reads = store.requests.slice(before).filter(({ key }) => key.endsWith('a.tar'));
    expect(reads).toHaveLength(items.length);
    const first = await filesOf(store, bucketLayout.bundle(PARTS, 'parts/1', 0));
    expect(first.at(-1)).toEqual(['000063', 'image 63']);
    const last = await filesOf(store, bucketLayout.bundle(PARTS, 'parts/1', 4));
    expect(last.slice(-2).map(([, text]) => text)).toEqual(['gz', 'beside']);
    expect(plan.input.unpacked).toBeNull();
    expect(store.keys(bucketLayout.unpacked(PARTS))).toEqual([`${bucketLayout.unpacked(PARTS)}b.tgz/x.png`]);
    expect(plan.notes.join('\n')).toContain('read from its tar, or from a copy for compressed tars; 1 write');
  });

  test('leave out the members of a tar that was overwritten meanwhile, also by a shorter one', async () => {
    const members = Object.fromEntries(Object.entries(many).map(([name, body]) => [name, Buffer.from(body)]));
    const { store, items } = await planned({ 'a.tar': await packedTar(members), 'b.png': 'beside' });
    store.put('incoming/shapes/monday/a.tar', await packedTar({ 'x.png': 'another' }));
    const counts: number[] = [];
    for (const item of items) counts.push((await bundleInputs({ Items: [item] }, { store })).inputs);
    expect(counts).toEqual([0, 0, 0, 0, 1]);
  });

  test('are not made of a few members, which are unpacked once that is known', async () => {
    const store = await frozenFiles(
      { 'a.tar': await packedTar({ 'x.png': 'one' }), 'b.png': 'two' },
      { pipeline: PIPELINE_OF_BUNDLES },
    );
    const services = { store, clock: () => NOW, settings: SETTINGS };
    expect(await planRun({ run: PARTS }, services)).toEqual({ status: 'index', tars: 1 });
    await openAllTars(store);
    expect(store.keys(bucketLayout.unpacked(PARTS))).toEqual([]);
    expect(await planRun({ run: PARTS }, services)).toEqual({ status: 'index', tars: 1 });
    await openAllTars(store);
    expect(await planRun({ run: PARTS }, services)).toMatchObject({ status: 'planned', objects: 2 });
    expect(store.keys(bucketLayout.unpacked(PARTS))).toHaveLength(2);
    const plan = Plan.parse(JSON.parse(store.text(bucketLayout.plan(PARTS))!));
    expect(plan.input.unpacked).toBe(bucketLayout.unpacked(PARTS));
  });

  test('are within the payload that the job is given, with a member as large as may be', async () => {
    const large = Buffer.alloc(3_999_000, 1);
    const small = Object.fromEntries(Object.entries(many).map(([name]) => [name, 'x'.repeat(100)]));
    const { store, plan } = await planned({ ...small, 'zz.png': large });
    const sizes: number[] = [];
    for (const { part, engine } of plan.jobs) {
      const list = `parts/${part}`;
      for (const item of JSON.parse(store.text(bucketLayout.bundleItems(PARTS, list))!) as unknown[]) {
        const bundle = BundleItem.parse(item);
        await bundleInputs({ Items: [bundle] }, { store });
        const size = store.info(bucketLayout.bundle(PARTS, list, bundle.bundle))!.size;
        sizes.push(size);
        expect(size).toBeLessThanOrEqual(settingsOf('sagemaker', engine).maxPayloadInMB * 1_000_000);
      }
    }
    expect(Math.max(...sizes)).toBeGreaterThan(large.length);
    // As many requests are in flight beside it.
    expect(plan.jobs).toHaveLength(1);
  });
});

import { describe, expect, it } from 'vitest';
import { toRun } from '../../src/cli/runs/run-result.ts';
import { bucketLayout } from '../../src/run/bucket-layout.ts';
import { aDrop } from '../support/a-run.ts';
import type { Laptop } from '../support/laptop.ts';
import { readManifestKeys } from '../support/run-outcome.ts';
import { onSharedLaptop } from '../support/shared-laptop.ts';

let laptop: Laptop;
onSharedLaptop(async (shared) => {
  laptop = shared;
});

/** Its runs freeze, and are then refused: what is in which manifest needs no inference. */
async function givePipeline(name: string, quietSeconds: number): Promise<void> {
  await laptop.givePipeline(name, (config) => {
    config.drop = { quietSeconds };
    config.refuse = 'me';
  });
}

/** A small file as S3 announces it, without the cost of a signed request. */
async function put(pipeline: string, name: string): Promise<void> {
  const key = bucketLayout.dropFolder(aDrop(`${pipeline}/d`)) + name;
  await laptop.stack.objects.write(laptop.application.bucket, key, Buffer.from(name));
}

const isKnown = async (run: string): Promise<boolean> =>
  (await laptop.application.executions('inference').describe(laptop.executionArn(run))) !== undefined;

/** Keys of each generation's manifest, until all these files are in one. */
async function manifestsWith(pipeline: string, files: readonly string[]): Promise<readonly string[][]> {
  return laptop.until(async () => {
    const manifests: string[][] = [];
    for (let number = 1; ; number++) {
      const run = `${pipeline}/d/${String(number).padStart(6, '0')}`;
      if (!(await isKnown(run))) break;
      manifests.push(await readManifestKeys(laptop.application.store, run));
    }
    const listed = new Set(manifests.flat());
    return files.every((file) => listed.has(file)) ? manifests : undefined;
  });
}

describe.concurrent('which run a file belongs to', () => {
  it('5,000 files in one burst make one run, with every file in its manifest once', async () => {
    // Longer than a loaded machine pauses.
    await givePipeline('flood', 15);
    const names = Array.from({ length: 5_000 }, (_, index) => `${String(index).padStart(5, '0')}.png`);
    for (let from = 0; from < names.length; from += 100)
      await Promise.all(names.slice(from, from + 100).map((name) => put('flood', name)));

    const { report, manifest } = await laptop.outcome('flood/d/000001');

    expect(manifest).toEqual(names);
    expect(report.total).toBe(5_000);
    expect(await isKnown('flood/d/000002')).toBe(false);
  });

  it('files that arrive while a run freezes, after it froze and after it ended are each in exactly one manifest', async () => {
    await givePipeline('late', 1);
    const { store } = laptop.application;
    const first = toRun('late/d/000001');
    await put('late', 'a-before.png');
    await laptop.until(() => store.describe(bucketLayout.freezing(first)));
    await put('late', 'b-while.png');
    await laptop.until(() => store.describe(bucketLayout.frozen(first)));
    await put('late', 'c-after.png');
    await laptop.outcome('late/d/000001');
    await put('late', 'd-ended.png');

    const files = ['a-before.png', 'b-while.png', 'c-after.png', 'd-ended.png'];
    const manifests = await manifestsWith('late', files);

    expect(manifests.flat().sort()).toEqual(files);
    expect(manifests[0]).toContain('a-before.png');
    expect(manifests[0]).not.toContain('d-ended.png');
  });

  it('a generation freezes only after the one before it has ended', async () => {
    await givePipeline('order', 1);
    const { store } = laptop.application;
    await put('order', '1.png');
    await laptop.until(() => store.describe(bucketLayout.frozen(toRun('order/d/000001'))));
    await put('order', '2.png');
    await laptop.outcome('order/d/000002');

    const ended = await store.describe(bucketLayout.ended(toRun('order/d/000001')));
    const freezing = await store.describe(bucketLayout.freezing(toRun('order/d/000002')));
    expect(await readManifestKeys(store, 'order/d/000001')).toEqual(['1.png']);
    expect(await readManifestKeys(store, 'order/d/000002')).toEqual(['2.png']);
    expect(freezing!.lastModified.getTime()).toBeGreaterThanOrEqual(ended!.lastModified.getTime());
  });
});

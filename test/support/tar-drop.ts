import { hash } from 'node:crypto';
import { indexTars } from '../../src/app/inputs/index-tars.ts';
import { planRun } from '../../src/app/plan/plan-run.ts';
import { bundleFactJson } from '../../src/app/records/bundle-facts.ts';
import type { Frozen } from '../../src/drop/frozen.ts';
import { isTar } from '../../src/drop/tar-key.ts';
import type { BundleFact } from '../../src/plan/engine/first-bundle.ts';
import { Plan } from '../../src/plan/plan.ts';
import { bucketLayout } from '../../src/run/bucket-layout.ts';
import { type RunParts, toRunId } from '../../src/run/run-id.ts';
import { compareByteOrder } from '../../src/text/byte-order.ts';
import { type DropFixture, frozenDrop, NOW, PARTS, SETTINGS } from './drop-fixture.ts';
import type { MemoryObjectStore } from './memory-object-store.ts';

type Files = Readonly<Record<string, string | Uint8Array>>;
const clock = () => NOW;

/** A bucket with a pipeline, a model and a frozen drop of files that are really there. */
export async function frozenFiles(files: Files, fixture: DropFixture = {}): Promise<MemoryObjectStore> {
  const store = await frozenDrop({ ...fixture, files: {} });
  const frozen = JSON.parse(store.text(bucketLayout.frozen(PARTS))!) as Frozen;
  const entries = Object.entries(files)
    .map(([name, body]) => {
      const { key, size, etag, lastModified } = store.put(frozen.sourcePrefix + name, body);
      return { key, size, etag, lastModified: lastModified!.toISOString() };
    })
    .sort((a, b) => compareByteOrder(a.key, b.key));
  store.put(bucketLayout.manifest(PARTS), entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
  const tars = entries.filter(({ key }) => isTar(key)).length;
  const bytes = entries.reduce((sum, { size }) => sum + size, 0);
  store.put(bucketLayout.frozen(PARTS), JSON.stringify({ ...frozen, objects: entries.length, bytes, tars }));
  return store;
}

/** Does what state `IndexTars` does with each item; `times` above one repeat each as a retry would. */
export async function openAllTars(store: MemoryObjectStore, run: RunParts = PARTS, times = 1): Promise<void> {
  const items = JSON.parse(store.text(bucketLayout.tars(run))!) as unknown[];
  for (const item of items)
    for (let time = 0; time < times; time++)
      await indexTars(indexTars.input.parse(item), { store, leftMs: () => Infinity });
}

/** Plans a run as the state machine does, tars included. */
export async function planWithTars(store: MemoryObjectStore, run: RunParts = PARTS) {
  const services = { store, clock, settings: SETTINGS };
  for (;;) {
    const planned = await planRun({ run }, services);
    if (planned.status !== 'index') return planned;
    await openAllTars(store, run);
  }
}

/** Plans a run whose archive is known to answer bundles. */
export async function planOfBundles(store: MemoryObjectStore, run: RunParts = PARTS) {
  const planned = await planWithTars(store, run);
  const { firstBundle } = Plan.parse(JSON.parse(store.text(bucketLayout.plan(run))!));
  if (firstBundle === null) return planned;
  const fact: BundleFact = { schema: 1, refused: null, run: toRunId(run), at: NOW.toISOString() };
  await bundleFactJson(firstBundle.archive, firstBundle.way).write(store, fact);
  return planWithTars(store, run);
}

/** The content that an input is known by. */
export const md5 = (body: string | Uint8Array): string => hash('md5', body);

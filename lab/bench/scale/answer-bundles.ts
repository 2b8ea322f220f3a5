import { readBundleItems } from '../../../src/app/records/bundle-items.ts';
import { readBundleNames } from '../../../src/app/records/bundles.ts';
import type { ObjectStore } from '../../../src/aws/s3/object-store.ts';
import { bucketLayout } from '../../../src/run/bucket-layout.ts';
import type { RunParts } from '../../../src/run/run-id.ts';
import { toAnswerLine, toBundleHead } from '../../../src/transform/output-bundle.ts';
import { indexOf, outputOf } from './synthetic-run.ts';

/** Writes the answers to the bundles of a list. */
export async function answerBundles(store: ObjectStore, run: RunParts, list: string): Promise<void> {
  for (const item of await readBundleItems(store, run, list)) {
    const names = await readBundleNames(store, { run, list, start: item.start, end: item.end });
    const lines = names.map((name) => toAnswerLine(name, Buffer.from(outputOf(indexOf(name)))));
    const head = toBundleHead({ inputs: names.length, failed: [], ms: null, memoryMB: null, isJoint: false });
    await store.write(bucketLayout.bundleOutput(run, list, item.bundle), head + lines.join(''));
  }
}

import { readBundleItems, readBundleNames } from '../../../src/app/records/bundles.ts';
import type { ObjectStore } from '../../../src/aws/s3/object-store.ts';
import { bucketLayout } from '../../../src/run/bucket-layout.ts';
import type { RunParts } from '../../../src/run/run-id.ts';
import { toAnswerLine, toBundleHead } from '../../../src/transform/output-bundle.ts';
import { INPUTS, outputOf } from './synthetic-run.ts';

/** Writes the bundles of a list, empty, and the answers to them. */
export async function answerBundles(store: ObjectStore, run: RunParts, list: string): Promise<void> {
  for (const item of await readBundleItems(store, run, list)) {
    const names = await readBundleNames(store, { run, list, start: item.start, end: item.end });
    const lines = names.map((name) =>
      toAnswerLine(name, Buffer.from(outputOf(Number(name.slice(INPUTS.length, INPUTS.length + 8))))),
    );
    const head = toBundleHead({ inputs: names.length, failed: [] });
    await store.write(bucketLayout.bundle(run, list, item.bundle), '');
    await store.write(bucketLayout.bundleOutput(run, list, item.bundle), head + lines.join(''));
  }
}

/**
 * One side of the bench of engine lambda, on the files that `prepared` has made: `node side.ts ours|loop FOLDER [ANSWERS]`. Prints
 * how many images have answers; writes these into ANSWERS if it's given.
 */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { modelOpener } from '../../../functions/runtime/open-model.ts';
import { predictShard } from '../../../src/app/engine/lambda/predict-shard.ts';
import { readBundleItems } from '../../../src/app/records/bundle-items.ts';
import { bucketLayout } from '../../../src/run/bucket-layout.ts';
import { BundleHead, OutputBundle } from '../../../src/transform/output-bundle.ts';
import { PREDICT_MEMORY_MB } from '../../../src/transform/predict-function.ts';
import { PARTS } from '../../../test/support/drop-fixture.ts';
import { folderStore } from '../folder-store.ts';
import { bareLoop } from './loop.ts';

const LIST = 'parts/1';
const [side = '', folder = '', answersFile] = process.argv.slice(2);
/** The scores of each image, in the order of their names. */
type Answers = (readonly number[])[];

/** `predict-shard` for all bundles of the run, from the reading of the inputs to the answers written. */
async function ours(): Promise<{ readonly answered: number; readonly answers: () => Answers }> {
  const root = path.join(folder, 'bucket');
  const store = folderStore(root);
  const run = path.join(root, bucketLayout.run(PARTS));
  // A repeated call goes on where the one before has stopped: this is a first one.
  for (const name of readdirSync(run, { recursive: true, encoding: 'utf8' }))
    if (/^(?:shards|predictions)$/.test(path.basename(name)))
      rmSync(path.join(run, name), { recursive: true });
  const services = {
    store,
    clock: () => new Date(),
    openModel: modelOpener(store),
    memoryMB: PREDICT_MEMORY_MB,
    peakMB: () => 0,
    ticks: () => () => undefined,
    startMs: () => 0,
  };
  const outputs: string[] = [];
  let answered = 0;
  for (const bundle of await readBundleItems(store, PARTS, LIST)) {
    const Items = [{ ...bundle, run: PARTS, list: LIST }] as const;
    const { isDone } = await predictShard({ what: 'bundles', Items: [...Items] }, services);
    if (!isDone) throw new Error(`bundle ${bundle.bundle} took too long`);
    const file = path.join(root, bucketLayout.bundleOutput(PARTS, LIST, bundle.bundle));
    const text = readFileSync(file);
    const { inputs, failed } = BundleHead.parse(JSON.parse(text.toString('utf8', 0, text.indexOf(10))));
    answered += inputs - failed.length;
    outputs.push(file);
  }
  const answers = (): Answers =>
    outputs.flatMap((file) => {
      const bytes = readFileSync(file);
      const { inputs } = BundleHead.parse(JSON.parse(bytes.toString('utf8', 0, bytes.indexOf(10))));
      const bundle = new OutputBundle(bytes);
      return Array.from({ length: inputs }, (_, at): readonly number[] => {
        const { predictions } = JSON.parse(Buffer.from(bundle.answer(at) ?? '{}').toString());
        return predictions[0];
      });
    });
  return { answered, answers };
}

const { answered, answers } = await (side === 'ours' ? ours() : bareLoop(folder));
if (answersFile !== undefined) writeFileSync(answersFile, JSON.stringify(answers()));
console.log(JSON.stringify({ answers: answered }));
process.exit();

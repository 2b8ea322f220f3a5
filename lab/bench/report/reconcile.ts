/** Steps before folding, in a process of their own so that no figure includes them: plan.json, reconciled.jsonl, shards.json. */
import { readdirSync } from 'node:fs';
import { bucketLayout } from '../../../src/run/bucket-layout.ts';
import { ShardCutter } from '../../../src/transform/shard-cutter.ts';
import { planWith, runKeys } from '../../../test/support/report-run.ts';
import { folderStore } from '../folder-store.ts';
import { labelsOf } from './outputs.ts';

const [root = '', classes = ''] = process.argv.slice(2);
const RUN = 'bench/drop/000001';
const run = runKeys(RUN);
const store = folderStore(root);
const prefix = bucketLayout.dropFolder(run);

const cutter = new ShardCutter(RUN);
let lines = '';
let records = 0;
for (const output of readdirSync(`${root}/${bucketLayout.predictions(run)}`).sort()) {
  const entry = {
    key: `${prefix}${output.slice(0, -4)}`,
    size: 1,
    etag: 'e',
    lastModified: '2026-11-21T09:00:00.000Z',
    output: `${bucketLayout.predictions(run)}${output}`,
  };
  const line = `${JSON.stringify(entry)}\n`;
  cutter.add(line.length, 1);
  lines += line;
  records++;
}
const plan = planWith({
  objects: records,
  input: { unpacked: null, bucket: 'bench', prefix },
  labels: {
    task: 'classification',
    classes: labelsOf(Number(classes)),
    truth: { from: 'key', pattern: '([a-zA-Z]+)\\.png$' },
    file: null,
    etag: null,
    index: null,
    strict: false,
    check: null,
    reading: null,
    classOffset: 0,
    scores: 'as-answered',
    threshold: null,
    single: 'class',
    outcomes: false,
    since: [],
    gateActs: false,
  },
  report: {
    topK: [1, 5],
    images: true,
    slices: [],
    clusters: null,
    baseline: null,
  },
});
await store.write(bucketLayout.plan(run), JSON.stringify(plan));
await store.write(bucketLayout.reconciled(run), lines);
await store.write(bucketLayout.shards(run), JSON.stringify(cutter.finish()));

/**
 * Our side: the shards of a run are folded and the report is written, by the Lambdas' own code. Prints how many records the
 * report counts, and how many are right.
 */
import * as z from 'zod';
import { imageFacts } from '../../../functions/runtime/image-facts.ts';
import { thumbnail } from '../../../functions/runtime/thumbnail.ts';
import { foldPredictions } from '../../../src/app/report/fold-predictions.ts';
import { writeReport } from '../../../src/app/report/write-report.ts';
import { Report } from '../../../src/report/report.ts';
import { bucketLayout } from '../../../src/run/bucket-layout.ts';
import { memoryEngineLogs } from '../../../test/support/memory-engine-logs.ts';
import { runKeys } from '../../../test/support/report-run.ts';
import { folderStore } from '../folder-store.ts';

const [root = ''] = process.argv.slice(2);
const RUN = 'bench/drop/000001';
const run = runKeys(RUN);
const store = folderStore(root);
const shards = z
  .array(foldPredictions.input)
  .parse(JSON.parse((await store.readText(bucketLayout.shards(run))) ?? ''));

for (const shard of shards) await foldPredictions(shard, { store, imageFacts, clock: () => new Date(0) });
const clock = () => new Date('2026-11-21T10:05:00.000Z');
await writeReport(
  { run, startedAt: '2026-11-21T10:00:00.000Z' },
  { store, clock, logs: memoryEngineLogs(), thumbnail },
);
const { records, correct } = Report.parse(
  JSON.parse((await store.readText(bucketLayout.reportJson(run))) ?? ''),
);
console.log(JSON.stringify({ answers: records, correct }));

/** Our side: the shards of a run are folded and the report is written, by the Lambdas' own code. Prints what it took. */
import { readdirSync } from 'node:fs';
import { foldPredictions } from '../../src/app/report/fold-predictions.ts';
import { writeReport } from '../../src/app/report/write-report.ts';
import { bucketLayout } from '../../src/drop/bucket-layout.ts';
import { Report } from '../../src/report/report.ts';
import { ShardCutter } from '../../src/transform/shard-cutter.ts';
import { planWith, runKeys } from '../../test/support/report-run.ts';
import { folderStore } from './folder-store.ts';
import { labelsOf } from './outputs.ts';

const [root = '', classes = '', most = 'Infinity'] = process.argv.slice(2);
const RUN = 'bench/drop/000001';
const run = runKeys(RUN);
const store = folderStore(root);
const prefix = bucketLayout.incoming(run.pipeline, run.drop);

const cutter = new ShardCutter(RUN);
let lines = '';
for (const output of readdirSync(`${root}/${bucketLayout.predictions(run)}`)
  .sort()
  .slice(0, Number(most))) {
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
}
const shards = cutter.finish();
const truth = { from: 'key', pattern: '([a-zA-Z]+)\\.png$' } as const;
const plan = planWith({
  input: { bucket: 'bench', prefix },
  labels: { classes: labelsOf(Number(classes)), truth, classOffset: 0 },
  report: { topK: [1, 5], baseline: null },
});
await store.write(bucketLayout.plan(run), JSON.stringify(plan));
await store.write(bucketLayout.reconciled(run), lines);
await store.write(bucketLayout.shards(run), JSON.stringify(shards));

const started = process.cpuUsage();
for (const shard of shards) await foldPredictions({ ...shard }, { store });
const folded = process.cpuUsage(started);
const clock = () => new Date('2026-11-21T10:05:00.000Z');
await writeReport({ run: RUN, startedAt: '2026-11-21T10:00:00.000Z' }, { store, clock });
const { user, system } = process.cpuUsage(started);
const report = Report.parse(JSON.parse((await store.readText(bucketLayout.reportJson(run))) ?? ''));
console.log(
  JSON.stringify({
    records: report.records,
    correct: report.correct,
    cpuSeconds: (user + system) / 1e6,
    foldSeconds: (folded.user + folded.system) / 1e6,
    withStartSeconds: (process.cpuUsage().user + process.cpuUsage().system) / 1e6,
    peakMB: process.resourceUsage().maxRSS / 1024,
  }),
);

/**
 * Ten million outcomes of a thousand classes as 10,000 tallies, merged and rendered by WriteReport's own code. Fifty
 * different tallies are made first, and each is read 200 times: merging costs the same as if all differed.
 */
import { thumbnail } from '../../../functions/runtime/thumbnail.ts';
import { type ShardTally, tallyJson } from '../../../src/app/records/scoring.ts';
import { LabelEvidence } from '../../../src/app/report/label-evidence.ts';
import { writeReport } from '../../../src/app/report/write-report.ts';
import { Ledger } from '../../../src/judging/ledger.ts';
import { ClassList } from '../../../src/label/class-list.ts';
import { resolvePrediction } from '../../../src/label/resolve-prediction.ts';
import { countOutcome } from '../../../src/metric/count-outcome.ts';
import { toStoredTally } from '../../../src/metric/stored-tally.ts';
import { createTally } from '../../../src/metric/tally.ts';
import { bucketLayout } from '../../../src/run/bucket-layout.ts';
import { independence } from '../../../src/transform/batch-dependence.ts';
import { asAnswered } from '../../../test/support/as-answered.ts';
import { memoryEngineLogs } from '../../../test/support/memory-engine-logs.ts';
import { normal, random } from '../../../test/support/random.ts';
import { planWith, runKeys } from '../../../test/support/report-run.ts';
import { folderStore } from './folder-store.ts';
import { labelsOf } from './outputs.ts';

const CLASSES = 1_000;
const RECORDS = 1_000;
const DIFFERENT = 50;
const [root = '', tallies = '10000'] = process.argv.slice(2);
const count = Number(tallies);
const RUN = 'merge/drop/000001';
const run = runKeys(RUN);
const folder = folderStore(root);
const labels = labelsOf(CLASSES);

const next = random(1);
const draws = Float64Array.from({ length: 65_536 }, () => Math.exp(1.5 * normal(next)));
for (let shard = 0; shard < DIFFERENT; shard++) {
  const classes = new ClassList(labels);
  // A run of as many records keeps no scores one by one.
  const tally = createTally(classes, 0, count * RECORDS);
  const ledger = new Ledger();
  for (let record = 0; record < RECORDS; record++) {
    const truth = Math.floor(next() * CLASSES);
    const from = Math.floor(next() * draws.length);
    const scores = Float64Array.from({ length: CLASSES }, (_, id) => {
      const draw = draws[(from + id * 37) % draws.length] ?? 0;
      return id === truth ? draw * 400 : draw;
    });
    const sum = scores.reduce((total, score) => total + score, 0);
    const key = `incoming/merge/drop/${shard}-${record}.png`;
    tally.inputs++;
    const shares = scores.map((score) => score / sum);
    const prediction = resolvePrediction({ scores: shares }, classes, asAnswered());
    countOutcome(tally, { key, recordIndex: 0, truth, ...prediction });
    ledger.addAnswered(truth, prediction.predicted);
  }
  const stored: ShardTally = {
    ...{ schema: 1, shard, tally: toStoredTally(tally), ledger: ledger.store() },
    ...{ failures: [], exemplars: [], labels: new LabelEvidence().finish().stored },
    dependence: independence(),
  };
  await tallyJson(run, shard).write(folder, stored);
}
const plan = planWith({
  objects: count * RECORDS,
  labels: {
    classes: labels,
    truth: null,
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
await folder.write(bucketLayout.plan(run), JSON.stringify(plan));
await folder.write(
  bucketLayout.shards(run),
  JSON.stringify(
    Array.from({ length: count }, (_, shard) => ({ run: RUN, shard, start: 0, end: 1, inputs: RECORDS })),
  ),
);
const tallyKey = new Map(
  Array.from({ length: count }, (_, shard) => [
    bucketLayout.tally(run, shard),
    bucketLayout.tally(run, shard % DIFFERENT),
  ]),
);
const store = { ...folder, readText: (key: string) => folder.readText(tallyKey.get(key) ?? key) };
store.in = () => store;

const started = process.cpuUsage();
const began = performance.now();
const clock = () => new Date('2026-11-21T10:05:00.000Z');
await writeReport(
  { run, startedAt: '2026-11-21T10:00:00.000Z' },
  { store, clock, logs: memoryEngineLogs(), thumbnail },
);
const { user, system } = process.cpuUsage(started);
const html = (await store.readBytes(bucketLayout.reportHtml(run)))?.length ?? 0;
console.log(
  JSON.stringify({
    tallies: count,
    outcomes: count * RECORDS,
    tallyKB: ((await folder.readBytes(bucketLayout.tally(run, 0)))?.length ?? 0) / 1000,
    cpuSeconds: (user + system) / 1e6,
    wallSeconds: (performance.now() - began) / 1000,
    peakMB: process.resourceUsage().maxRSS / 1024,
    htmlKB: html / 1000,
  }),
);

import { spawnSync } from 'node:child_process';
import { imageFacts } from '../../functions/runtime/image-facts.ts';
import { thumbnail } from '../../functions/runtime/thumbnail.ts';
import { foldPredictions } from '../../src/app/report/fold-predictions.ts';
import { LabelEvidence } from '../../src/app/report/label-evidence.ts';
import { writeReport } from '../../src/app/report/write-report.ts';
import { CellExemplars } from '../../src/judging/cell-exemplars.ts';
import { bucketLayout } from '../../src/run/bucket-layout.ts';
import { toRunId } from '../../src/run/run-id.ts';
import { memoryEngineLogs } from '../../test/support/memory-engine-logs.ts';
import { normal, random } from '../../test/support/random.ts';
import { planWith, reconciledRun } from '../../test/support/report-run.ts';

// `node lab/bench/judging-cost.ts [ROUNDS]`: processor time and memory of folding and reporting a run in memory, one image a record, 20 % of them
// wrong: without records that stand for cells, labels worth a look and slices, with these, and with slices of 2 and of 8 dimensions of 1,200 values
// each, which is more than are told apart. Each is a process of its own, by turns; the table has the least of the rounds.
// `node lab/bench/judging-cost.ts RECORDS CLASSES SLICES` is one of them; -1 slices are none, and nothing else.

if (process.argv.length < 5) {
  compare(Number(process.argv[2] ?? 3));
  process.exit();
}
const [records = 100_000, classes = 10, asked = 0] = process.argv.slice(2).map(Number);
const slices = Math.max(0, asked);
if (asked < 0) {
  CellExemplars.prototype.add = () => undefined;
  LabelEvidence.prototype.add = () => undefined;
}
const PER_SHARD = 5_000;
const VALUES = 1_200;
/** Levels of folders in every key, sliced or not. */
const FOLDERS = 8;
const OUTPUTS = 500;
const names = Array.from({ length: classes }, (_, at) => `c${String(at).padStart(4, '0')}`);
const next = random(1);
const outputs = Array.from({ length: OUTPUTS }, (_, at) => {
  const truth = at % classes;
  const raw = names.map((__, index) => Math.exp(normal(next) + (index === truth ? 4 : 0)));
  const sum = raw.reduce((total, score) => total + score, 0);
  return Buffer.from(JSON.stringify({ predictions: [raw.map((score) => score / sum)] }));
});
const { store, run } = reconciledRun([], {
  plan: {
    labels: { ...planWith().labels, classes: names, truth: { from: 'key', pattern: '(c[0-9]+)\\.png$' } },
    report: {
      ...planWith().report,
      slices: Array.from({ length: slices }, (_, at) => ({ from: 'folder', name: `d${at}`, level: at + 1 })),
    },
    objects: records,
  },
});
const lastModified = '2026-11-21T09:00:00.000Z';
const parts: string[] = [];
const shards: { run: typeof run; shard: number; start: number; end: number; inputs: number }[] = [];
for (let first = 0, start = 0; first < records; first += PER_SHARD) {
  const count = Math.min(PER_SHARD, records - first);
  const part = Array.from({ length: count }, (_, offset) => {
    const at = first + offset;
    const label = next() < 0.8 ? (at % OUTPUTS) % classes : Math.floor(next() * classes);
    const folders = Array.from({ length: FOLDERS }, (__, level) => `${(at * (level + 7)) % VALUES}/`).join(
      '',
    );
    const file = `${folders}${String(at).padStart(7, '0')}-${names[label]}.png`;
    const output = `${bucketLayout.predictions(run)}${file}.out`;
    return `${JSON.stringify({ key: `${bucketLayout.dropFolder(run)}${file}`, size: 1, etag: 'e', lastModified, output })}\n`;
  }).join('');
  parts.push(part);
  shards.push({ run, shard: shards.length, start, end: start + part.length, inputs: count });
  start += part.length;
}
store.put(bucketLayout.reconciled(run), parts.join(''));
store.put(bucketLayout.shards(run), JSON.stringify(shards.map((shard) => ({ ...shard, run: toRunId(run) }))));
const isOutput = (key: string): boolean => key.startsWith(bucketLayout.predictions(run));
const readBytes: typeof store.readBytes = (key, range) =>
  isOutput(key)
    ? Promise.resolve(outputs[Number(/(\d{7})-[^/]*$/.exec(key)?.[1]) % OUTPUTS])
    : store.readBytes(key, range);
const served = { ...store, readBytes };

let peak = 0;
const watch = (): void => {
  peak = Math.max(peak, process.memoryUsage().rss);
};
const began = performance.now();
const cpu = process.cpuUsage();
for (const shard of shards) {
  await foldPredictions(shard, { store: served, imageFacts });
  watch();
}
const folded = performance.now();
const services = {
  store: served,
  clock: () => new Date('2026-11-21T10:05:00.000Z'),
  logs: memoryEngineLogs(),
  thumbnail,
};
await writeReport({ run, startedAt: '2026-11-21T10:00:00.000Z' }, services);
watch();
const reported = performance.now();
console.log(
  JSON.stringify({
    records,
    classes,
    slices,
    foldMs: Math.round(folded - began),
    reportMs: Math.round(reported - folded),
    cpuMs: Math.round((process.cpuUsage(cpu).user + process.cpuUsage(cpu).system) / 1000),
    peakMb: Math.round(peak / 2 ** 20),
  }),
);

/** Prints a table of Markdown. */
function compare(rounds: number): void {
  console.log(
    '| records × classes | what | processor time | against without | memory | against without |\n|---|---|---|---|---|---|',
  );
  const cases = [
    ['without', -1],
    ['with exemplars and suspect labels', 0],
    ['and slices of 2 dimensions', 2],
    ['and slices of 8 dimensions', 8],
  ] as const;
  for (const size of [
    [100_000, 10],
    [20_000, 1_001],
  ]) {
    const least = cases.map(() => ({ cpuMs: Infinity, peakMb: Infinity }));
    for (let round = 0; round < rounds; round++)
      for (const [at, [, dimensions]] of cases.entries()) {
        const args = [process.argv[1] ?? '', ...size.map(String), String(dimensions)];
        const { stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' });
        const { cpuMs, peakMb } = JSON.parse(stdout) as { cpuMs: number; peakMb: number };
        const best = least[at] ?? { cpuMs, peakMb };
        least[at] = { cpuMs: Math.min(best.cpuMs, cpuMs), peakMb: Math.min(best.peakMb, peakMb) };
      }
    const [base = { cpuMs: 1, peakMb: 1 }] = least;
    for (const [at, { cpuMs, peakMb }] of least.entries())
      console.log(
        `| ${size.join(' × ')} | ${cases[at]?.[0]} | ${cpuMs} ms | ${(cpuMs / base.cpuMs).toFixed(2)} | ${peakMb} MiB | ${(peakMb / base.peakMb).toFixed(2)} |`,
      );
  }
}

import { expect, test } from 'vitest';
import { planRun } from '../../../src/app/plan/plan-run.ts';
import { readInputs } from '../../../src/app/records/inputs.ts';
import { bucketLayout } from '../../../src/run/bucket-layout.ts';
import { type DropFixture, frozenDrop, NOW, PARTS, PIPELINE, SETTINGS } from '../../support/drop-fixture.ts';

const FILES = { 'a.png': 3, 'b.png': 3, 'c.png': 3, 'd.png': 4 };

/** Plans a drop whose files have these ETags. */
async function planned(etags: readonly string[], drop: DropFixture = {}) {
  const store = await frozenDrop({ files: FILES, ...drop });
  const manifest = bucketLayout.manifest(PARTS);
  const lines = store.text(manifest)!.trim().split('\n');
  const renamed = lines.map((line, at) => ({ ...JSON.parse(line), etag: etags[at] }));
  store.put(manifest, renamed.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
  await planRun({ run: PARTS }, { store, clock: () => NOW, settings: SETTINGS });
  return store;
}

/** Lists the inputs that the run predicts. */
async function listed(etags: readonly string[]) {
  const store = await planned(etags);
  const inputs = await Array.fromAsync(readInputs(store, PARTS));
  return {
    copies: inputs.map(({ copy }) => copy === true),
    isListed: store.text(bucketLayout.sample(PARTS)) !== undefined,
  };
}

test('the first of each content counts, and the others are marked in the list of the run', async () => {
  const { copies } = await listed(['e', 'f', 'e', 'e']);
  expect(copies).toEqual([false, false, true, false]);
});

test('a drop without copies needs no list', async () => {
  expect(await listed(['e', 'f', 'g', 'h'])).toEqual({
    copies: [false, false, false, false],
    isListed: false,
  });
});

test.each<[string, string[], object, number, DropFixture['files']?]>([
  ['distinct inputs', ['e', 'f', 'g', 'h'], {}, 2],
  ['copies', ['e', 'f', 'e', 'h'], {}, 0],
  ['inputs in groups', ['e', 'f', 'g', 'h'], { report: { clusters: { from: 'folder', level: 1 } } }, 0],
  ['inputs that are not sent', ['e', 'f', 'g', 'h'], {}, 0, { ...FILES, 'd.png': 0 }],
])('what a gate asks of %s is counted if each counts once', async (_, etags, more, told, files = FILES) => {
  const pipeline = {
    ...PIPELINE,
    labels: { ...PIPELINE.labels, truth: { from: 'key', pattern: '([a-z])[.]png' } },
    gate: { minAccuracy: 0.5, maxErrorRate: 0.5, minLabeled: null, confidence: 0.9 },
    ...more,
  };
  const store = await planned(etags, {
    files,
    pipeline: { ...pipeline, labels: { ...pipeline.labels, classes: ['a', 'b', 'c', 'd'] } },
  });
  const { notes } = JSON.parse(store.text(bucketLayout.plan(PARTS))!) as { notes: string[] };
  expect(notes.filter((note) => note.includes('to prove it at 90%'))).toHaveLength(told);
});

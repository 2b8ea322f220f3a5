import { expect, test } from 'vitest';
import { planRun } from '../../../src/app/plan/plan-run.ts';
import { readInputs } from '../../../src/app/records/inputs.ts';
import { bucketLayout } from '../../../src/run/bucket-layout.ts';
import { frozenDrop, NOW, PARTS, SETTINGS } from '../../support/drop-fixture.ts';

const FILES = { 'a.png': 3, 'b.png': 3, 'c.png': 3, 'd.png': 4 };

/** Plans a drop whose files have these ETags, and lists the inputs that the run predicts. */
async function listed(etags: readonly string[]) {
  const store = await frozenDrop({ files: FILES });
  const manifest = bucketLayout.manifest(PARTS);
  const lines = store.text(manifest)!.trim().split('\n');
  const renamed = lines.map((line, at) => ({ ...JSON.parse(line), etag: etags[at] }));
  store.put(manifest, renamed.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
  await planRun({ run: PARTS }, { store, clock: () => NOW, settings: SETTINGS });
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

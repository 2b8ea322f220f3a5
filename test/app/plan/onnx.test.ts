import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { planRun } from '../../../src/app/plan/plan-run.ts';
import { toReportSetup } from '../../../src/app/report/report-setup.ts';
import { Plan } from '../../../src/plan/plan.ts';
import { bucketLayout } from '../../../src/run/bucket-layout.ts';
import { frozenDrop, NOW, PARTS, SETTINGS } from '../../support/drop-fixture.ts';

const EXAMPLE = new URL('../../../examples/onnx-fashion-mnist/', import.meta.url);
const archive = readFileSync(new URL('model.tar.gz', EXAMPLE));
const pipeline = JSON.parse(readFileSync(new URL('pipeline.json', EXAMPLE), 'utf8'));

/** The plan of the example with changed settings, or why there is none. */
async function plan(
  change: (config: any) => void,
  files: Record<string, number> = { '1_bag.png': 3 },
): Promise<Plan | string> {
  const config = structuredClone(pipeline);
  change(config);
  const store = await frozenDrop({ archive, pipeline: config, files });
  const services = { store, clock: () => NOW, settings: SETTINGS };
  const isPlanned = await planRun({ run: PARTS }, services).then(
    () => true,
    () => false,
  );
  return isPlanned
    ? JSON.parse(store.text(bucketLayout.plan(PARTS))!)
    : store.text(bucketLayout.problems(PARTS))!;
}

test('a model whose scores are more than labels.classes is refused by what its graph says', async () => {
  const refused = await plan((config) => (config.labels.classes = ['bag', 'coat', 'shirt']));
  expect(refused).toContain('answers 10 scores a record');
});

test('instances with a GPU are told that it stays idle; functions and instances without one are not', async () => {
  const notes = async (change: (config: any) => void) => ((await plan(change)) as Plan).notes.join('\n');
  const gpu = await notes((config) => (config.transform.instanceTypes = ['ml.g4dn.xlarge']));
  expect(gpu).toContain('ml.c6i.xlarge costs less than ml.g4dn.xlarge, and its GPU would stay idle');
  expect(await notes(() => undefined)).not.toContain('GPU');
});

test('the report names the archive that was uploaded, whatever handlers were added to it', async () => {
  const sha256 = createHash('sha256').update(archive).digest('hex');
  const artifact = 's3://bucket/pipelines/shapes/model.tar.gz';
  const files = Object.fromEntries(Array.from({ length: 256 }, (_, at) => [`${at}_bag.png`, 3]));
  for (const bundle of ['never', 'auto']) {
    const planned = Plan.parse(await plan((config) => Object.assign(config.transform, { bundle }), files));
    const digests = [planned.model.sha256, planned.model.served?.sha256, sha256];
    expect(new Set(digests).size).toBe(3);
    expect(digests.includes(undefined)).toBe(bundle === 'never');
    expect(toReportSetup(planned, [])).toMatchObject({ modelSha256: sha256, artifact });
  }
});

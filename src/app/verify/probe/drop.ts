import type { ObjectStore } from '../../../aws/s3/object-store.ts';
import { bucketLayout } from '../../../run/bucket-layout.ts';
import type { RunParts } from '../../../run/run-id.ts';
import { CPU_INSTANCE } from '../estimates.ts';
import { testArchive } from './archive.ts';

/** Every answer of the test model is class `yes`, and so is the name of every file. */
const PIPELINE = {
  model: { framework: 'tensorflow', frameworkVersion: '2.19.0' },
  transform: { contentType: 'application/x-image', instanceTypes: [CPU_INSTANCE] },
  labels: { classes: ['yes', 'no'], truth: { from: 'key', pattern: '(yes)-' } },
  drop: { quietSeconds: 1 },
};

/** Uploads the test model, its pipeline and a drop of files with known answers. */
export async function dropTestFiles(
  store: ObjectStore,
  run: RunParts,
  { files, settings }: { readonly files: number; readonly settings: object },
): Promise<void> {
  await store.write(bucketLayout.pipelineModel(run.pipeline), await testArchive());
  await store.write(bucketLayout.pipelineConfig(run.pipeline), JSON.stringify({ ...PIPELINE, ...settings }));
  const incoming = bucketLayout.dropFolder(run);
  for (let file = 1; file <= files; file++) await store.write(`${incoming}yes-${file}.png`, `file ${file}`);
  await store.write(bucketLayout.dropReady(run), '');
}

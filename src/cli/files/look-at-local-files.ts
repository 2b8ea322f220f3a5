import { open, readFile } from 'node:fs/promises';
import { openedColumns } from '../../app/inputs/opened-columns.ts';
import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { inOrder } from '../../concurrency/in-order.ts';
import { kindOf } from '../../drop/drop-key.ts';
import { HEAD_BYTES } from '../../file-kind/file-kind.ts';
import { unpackedHead } from '../../file-kind/unpacked-head.ts';
import { LookedAt, LooksAt } from '../../input/looked-at.ts';
import { mergeJob } from '../../pipeline/merge-job.ts';
import { parseJobConfig, parsePipelineConfig } from '../../pipeline/parse-config.ts';
import type { PipelineConfig } from '../../pipeline/pipeline-config.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import type { LocalFile } from './local-files.ts';
import { LookedAtTables } from './looked-at-tables.ts';

const READS_AT_ONCE = 16;

/**
 * Looks at the inputs of a folder as the plan of their run will; undefined if the plan will refuse the settings, opens
 * tables, or takes other inputs.
 */
export async function lookAtLocalFiles(
  store: Pick<ObjectStore, 'readText'>,
  pipeline: string,
  files: readonly LocalFile[],
): Promise<LookedAt | undefined> {
  const config = await configOf(store, pipeline, files);
  if (config === undefined || config.columns !== null) return undefined;
  const looked = new LookedAt(config.transform);
  for await (const [{ relative: name, sizeBytes }, head] of headsOf(files))
    looked.add({ name, head, sizeBytes, unpacked: await unpackedHead(head) });
  return looked;
}

/** Looks at the tables of a folder as the plan of their run will; undefined if it opens none. */
export async function lookAtLocalTables(
  store: Pick<ObjectStore, 'readText'>,
  pipeline: string,
  files: readonly LocalFile[],
): Promise<LookedAtTables | undefined> {
  const config = await configOf(store, pipeline, files);
  const columns = config && openedColumns(config);
  if (!columns) return undefined;
  const looked = new LookedAtTables(columns);
  for await (const [{ relative, sizeBytes }, head] of headsOf(files))
    await looked.add(relative, head, sizeBytes);
  return looked;
}

/** The first bytes of the inputs that are looked at. */
function headsOf(files: readonly LocalFile[]) {
  const looks = new LooksAt<LocalFile>(({ relative }) => relative);
  for (const file of files)
    if (file.sizeBytes > 0 && kindOf(file.relative, 'inference') === 'file') looks.add(file);
  return inOrder(looks.files(), READS_AT_ONCE, headOf);
}

/** The settings of a drop, by its pipeline and the job.json among its files. */
async function configOf(
  store: Pick<ObjectStore, 'readText'>,
  pipeline: string,
  files: readonly LocalFile[],
): Promise<PipelineConfig | undefined> {
  const text = await store.readText(bucketLayout.pipelineConfig(pipeline));
  const parsed = text === undefined ? undefined : parsePipelineConfig(text);
  const own = files.find(({ relative }) => relative === 'job.json');
  const job = own && parseJobConfig(await readFile(own.file, 'utf8'));
  if (parsed === undefined || !('value' in parsed) || (job && !('value' in job))) return undefined;
  if (job?.value.input !== undefined) return undefined;
  return mergeJob(parsed.value, job?.value).config;
}

async function headOf({ file, sizeBytes }: LocalFile): Promise<Uint8Array> {
  const handle = await open(file);
  try {
    const length = Math.min(sizeBytes, HEAD_BYTES);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

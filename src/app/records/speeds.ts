import * as z from 'zod';
import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { isCondition } from '../../problem/conditions.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { settingsKey } from '../../transform/engine-settings.ts';
import { MeasuredSpeed } from '../../transform/measured-speed.ts';
import { jsonDocument } from './document.ts';

/** Measurements that are kept: enough for a few probes with several instance types. */
const MAX_SPEEDS = 100;

/** Measurements of a pipeline's probes, oldest first, each settings once. */
const speedsJson = jsonDocument({
  key: bucketLayout.speeds,
  schema: z.object({ schema: z.literal(1), speeds: z.array(MeasuredSpeed) }),
  write: 'replace',
  indent: 2,
});

/** The measurements of a pipeline; `message` where the file is not as a probe writes it. */
export async function readSpeeds(
  store: Pick<ObjectStore, 'readText'>,
  pipeline: string,
): Promise<readonly MeasuredSpeed[] | { readonly message: string }> {
  try {
    return (await speedsJson(pipeline).read(store))?.speeds ?? [];
  } catch (error) {
    if (!(error instanceof SyntaxError) && !isCondition(error, 'StoredByEarlierBuild')) throw error;
    return { message: `is not what inferdrop probe writes: delete it, or run inferdrop probe ${pipeline}` };
  }
}

/** Adds measurements; each replaces the one with the same settings. */
export async function addSpeeds(
  store: Pick<ObjectStore, 'readText' | 'write'>,
  pipeline: string,
  measured: readonly MeasuredSpeed[],
): Promise<void> {
  const read = await readSpeeds(store, pipeline);
  const known = 'message' in read ? [] : read;
  const speeds = new Map([...known, ...measured].map((speed) => [settingsKey(speed.engine), speed]));
  await speedsJson(pipeline).write(store, { schema: 1, speeds: [...speeds.values()].slice(-MAX_SPEEDS) });
}

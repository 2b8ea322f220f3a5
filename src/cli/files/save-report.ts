import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import type { RunParts } from '../../run/run-id.ts';

/** Copies a run's files for readers into a folder; returns the path of report.html. */
export async function saveReport(store: ObjectStore, run: RunParts, folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  const files = [
    bucketLayout.reportHtml(run),
    bucketLayout.reportJson(run),
    bucketLayout.confusionMatrix(run),
    bucketLayout.summary(run),
    bucketLayout.errors(run),
    bucketLayout.flips(run),
    bucketLayout.suspectLabels(run),
    bucketLayout.receipt(run),
  ];
  for (const key of files) {
    const body = await store.readStream(key);
    // A run without labels has no matrix and no suspect labels, one without a baseline no flips.
    if (body) await pipeline(body, createWriteStream(path.join(folder, path.posix.basename(key))));
  }
  return path.join(folder, 'report.html');
}

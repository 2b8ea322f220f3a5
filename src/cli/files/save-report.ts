import { createWriteStream } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { reportJson } from '../../app/records/report.ts';
import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { linkPage } from '../../report/page/page-links.ts';
import type { Report } from '../../report/report.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { parseRunId, type RunParts } from '../../run/run-id.ts';
import { makeFolder } from './make-folder.ts';

/** Folder of the pages of other runs, next to a saved report. */
const OTHER_RUNS = 'runs';

/** Copies a run's files for readers into a folder, with the pages of the runs that its page names; returns the path of report.html. */
export async function saveReport(store: ObjectStore, run: RunParts, folder: string): Promise<string> {
  await makeFolder(folder);
  const files: string[] = [];
  for (const key of [
    bucketLayout.reportJson(run),
    bucketLayout.confusionMatrix(run),
    bucketLayout.summary(run),
    bucketLayout.errors(run),
    bucketLayout.flips(run),
    bucketLayout.suspectLabels(run),
    bucketLayout.receipt(run),
  ]) {
    const body = await store.readStream(key);
    // A run without labels has no matrix and no suspect labels, one without a baseline no flips.
    if (body === undefined) continue;
    const name = path.posix.basename(key);
    await pipeline(body, createWriteStream(path.join(folder, name)));
    files.push(name);
  }
  const file = path.join(folder, 'report.html');
  const page = await store.readText(bucketLayout.reportHtml(run));
  if (page !== undefined)
    await writeFile(file, linkPage(page, { files, runs: await saveOtherPages(store, run, folder) }));
  return file;
}

/** Saves the pages of the runs that a run was compared with, came after, or scores again, if they are there; returns their addresses. */
async function saveOtherPages(
  store: ObjectStore,
  run: RunParts,
  folder: string,
): Promise<ReadonlyMap<string, string>> {
  const addresses = new Map<string, string>();
  if (run.kind !== 'inference') return addresses;
  const report = await reportJson(run).read(store);
  if (report === undefined) return addresses;
  for (const [role, other] of otherRuns(report)) {
    const parts = parseRunId(other);
    const page = parts && (await store.readText(bucketLayout.reportHtml(parts)));
    if (page === undefined || addresses.has(other)) continue;
    // Named by its role, since the name of a drop need not be one of a file.
    const address = `${OTHER_RUNS}/${role}.html`;
    await mkdir(path.join(folder, OTHER_RUNS), { recursive: true });
    await writeFile(path.join(folder, address), page);
    addresses.set(other, address);
  }
  return addresses;
}

function otherRuns({ comparison, rescoreOf, previous }: Report): (readonly [role: string, run: string])[] {
  return [
    ...(comparison === null ? [] : [['baseline', comparison.baseline] as const]),
    ...(rescoreOf === null ? [] : [['original', rescoreOf] as const]),
    ...(previous === null ? [] : [['previous', previous.run] as const]),
  ];
}

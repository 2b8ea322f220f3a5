import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { createGzip } from 'node:zlib';
import { pack } from 'tar-stream';
import * as z from 'zod';
import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { Condition } from '../../problem/conditions.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { RunParts } from '../../run/run-id.ts';
import { compareByteOrder } from '../../text/byte-order.ts';
import type { TrainingPlan } from '../../training/training-plan.ts';
import { trainingPlanJson } from '../records/training-plan.ts';
import { packagedSourceJson } from '../records/training-work.ts';
import { useCase } from '../use-case.ts';

interface PackageSourceServices {
  readonly store: ObjectStore;
}

/**
 * State `PackageSource`: packs the files of the source folder as the sourcedir.tar.gz that the training toolkit unpacks. Equal files give
 * equal bytes, so that the archive is kept by its digest and a repetition of the step writes the same.
 *
 * @throws {Condition} `SourceChanged` if a file has changed since the plan
 */
export const packageSource = useCase({
  /** Sent by state `PackageSource`; the plan of the training names the files. */
  input: z.object({ run: RunParts }),
  /** Digest and size in bytes of the archive, for people: later states read source.json. */
  output: z.object({ sha256: z.string(), bytes: z.int().positive() }),
})(async ({ run }, { store }: PackageSourceServices) => {
  const { source } = await trainingPlanJson(run).require(store);
  const archive = await packFiles(store, source);
  const sha256 = createHash('sha256').update(archive).digest('hex');
  const key = bucketLayout.source(sha256);
  if ((await store.describe(key)) === undefined)
    await store.write(key, archive, { contentType: 'application/gzip' });
  const bytes = archive.length;
  await packagedSourceJson(run).write(store, { schema: 1, sha256, bytes, files: source.files.length });
  return { sha256, bytes };
});

/** The header's byte for the operating system; 255 is "unknown". */
const GZIP_OS_BYTE = 9;

async function packFiles(store: ObjectStore, { prefix, files }: TrainingPlan['source']): Promise<Buffer> {
  const tar = pack();
  const packed = buffer(tar.pipe(createGzip({ level: 9 })));
  for (const { path, etag } of files.toSorted((a, b) => compareByteOrder(a.path, b.path))) {
    const found = await store.open(`${prefix}${path}`);
    if (found?.etag !== etag) {
      const what = found === undefined ? 'was removed' : 'was replaced';
      throw new Condition(
        'SourceChanged',
        `${prefix}${path} ${what} after the training was planned: start it again with inferdrop rerun`,
      );
    }
    // Scripts that end with .sh are started as they are.
    const entry = { name: path, mtime: new Date(0), mode: 0o755, uid: 0, gid: 0 };
    tar.entry(entry, await buffer(found.body));
  }
  tar.finalize();
  const archive = await packed;
  archive[GZIP_OS_BYTE] = 255;
  return archive;
}

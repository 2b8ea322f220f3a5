import {
  BadModelArchive,
  DiskTooSmall,
  unpackModelArchive,
  unpackTar,
} from '@inferdrop/model-container/internal/model-archive';
import { conversionJson } from '../../src/app/records/conversion.ts';
import type { ObjectStore } from '../../src/aws/s3/object-store.ts';
import { Condition } from '../../src/problem/conditions.ts';
import { bucketLayout } from '../../src/run/bucket-layout.ts';
import { unpackKept } from './unpack-kept.ts';

/**
 * Unpacks an archive by its digest; gives the bytes of its files.
 *
 * @throws {ModelRefused} {RunFileMissing}
 */
export async function unpackArchive(store: ObjectStore, sha256: string, folder: string): Promise<number> {
  const key = bucketLayout.model(sha256);
  const remedy = 'Rerun the run, which stores it again';
  const fileBytes = await unpackKept(
    store,
    { key, sha256, what: 'archive', remedy },
    folder,
    unpackModelArchive,
  );
  if (fileBytes === undefined) throw new Condition('RunFileMissing', `${key} is not there: rerun the run`);
  return fileBytes;
}

/**
 * Unpacks what a version of the converter has made of an archive; undefined if there is nothing.
 *
 * @throws {ModelRefused}
 */
export async function unpackConversion(
  store: ObjectStore,
  { sha256, version }: { readonly sha256: string; readonly version: string },
  folder: string,
): Promise<number | undefined> {
  const document = conversionJson(sha256, version);
  const found = await document.read(store);
  if (found === undefined) return undefined;
  const key = bucketLayout.convertedModel(sha256, version, found.sha256);
  const remedy = `Remove ${document.key}, and rerun the run, which converts the model again`;
  const kept = { key, sha256: found.sha256, what: 'conversion', remedy };
  return unpackKept(store, kept, folder, unpackTar).catch((error: unknown): never => {
    if (!(error instanceof BadModelArchive) || error instanceof DiskTooSmall) throw error;
    throw new Condition(
      'ModelRefused',
      `${key} is not the conversion that was stored there: it is no whole tar. ${remedy}`,
    );
  });
}

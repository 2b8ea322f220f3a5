import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { convertArchive, packFolder } from '@inferdrop/model-container/internal/convert-archive';
import { converterDigest } from '@inferdrop/savedmodel/internal/converter-digest';
import type { ConvertModel } from '../../src/app/engine/lambda/predicting-model.ts';
import { conversionJson } from '../../src/app/records/conversion.ts';
import type { ObjectStore } from '../../src/aws/s3/object-store.ts';
import { bucketLayout } from '../../src/run/bucket-layout.ts';
import { modelRefusal } from './model-refusal.ts';
import { scratchFolder } from './scratch-folder.ts';
import { unpackArchive } from './unpack-model.ts';

/** Converts models that the bucket keeps, each once for a version of the converter: the digest of its sources. */
export function modelConverter(store: ObjectStore, versionNow = converterDigest): ConvertModel {
  return async (sha256, use) => {
    const version = await versionNow();
    const document = conversionJson(sha256, version);
    const keyOf = (digest: string): string => bucketLayout.convertedModel(sha256, version, digest);
    const before = await document.read(store);
    // Whoever has removed the tar has it made again.
    if (before !== undefined && (await store.describe(keyOf(before.sha256)))?.size === before.sizeBytes)
      return;
    const folder = await scratchFolder('conversion');
    try {
      await unpackArchive(store, sha256, folder);
      await convertArchive(folder);
      const made = await measure(packFolder(folder));
      const options = { contentType: 'application/x-tar' };
      await store.writeStream(keyOf(made.sha256), packFolder(folder), options);
      // Last, so that one that is killed before has made nothing that is read.
      await document.write(store, made);
    } catch (error) {
      throw modelRefusal(error, use);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  };
}

async function measure(pieces: AsyncIterable<Uint8Array>) {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  for await (const piece of pieces) {
    hash.update(piece);
    sizeBytes += piece.length;
  }
  return { sha256: hash.digest('hex'), sizeBytes };
}

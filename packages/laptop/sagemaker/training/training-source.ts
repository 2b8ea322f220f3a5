import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { BadModelArchive, unpackModelArchive } from '@inferdrop/model-container/internal/model-archive';
import type { HostFolders } from '@inferdrop/training-container/training-request';
import type { ObjectAccess } from '../../kernel/ports.ts';
import { JobFailure } from '../jobs/job-failure.ts';
import { parseS3Uri } from '../jobs/s3-uri.ts';
import type { CreateTrainingJobInput } from './training-job-record.ts';

/**
 * Unpacks the archive that the hyperparameter `sagemaker_submit_directory` names into `code/` of every host, as the toolkit of AWS's
 * images does: from S3, or with network isolation from a channel. A job without that hyperparameter has its code elsewhere.
 *
 * @throws {JobFailure} where the archive cannot be read
 */
export async function unpackSource(
  objects: ObjectAccess,
  { HyperParameters = {}, EnableNetworkIsolation = false }: CreateTrainingJobInput,
  hosts: readonly HostFolders[],
): Promise<void> {
  const source = readText(HyperParameters['sagemaker_submit_directory']);
  if (source === undefined) return;
  for (const host of hosts) {
    const archive = await openArchive(objects, source, host, EnableNetworkIsolation);
    try {
      await unpackModelArchive(archive, host.code);
    } catch (error) {
      if (!(error instanceof BadModelArchive)) throw error;
      throw sourceFailed(source, error.message);
    }
  }
}

async function openArchive(
  objects: ObjectAccess,
  source: string,
  { optMl }: HostFolders,
  isIsolated: boolean,
): Promise<Readable> {
  const location = parseS3Uri(source);
  if (location === undefined) {
    const file = path.join(optMl, path.posix.relative('/opt/ml', path.posix.normalize(source)));
    const isInside = source.startsWith('/opt/ml/') && file.startsWith(`${optMl}${path.sep}`);
    if (!isInside || !(await isFile(file)))
      throw sourceFailed(source, 'there is no such archive below /opt/ml');
    return createReadStream(file);
  }
  if (isIsolated)
    throw sourceFailed(
      source,
      'the job has EnableNetworkIsolation, so that its containers do not reach S3: give the code as a channel',
    );
  let archive: Readable | undefined;
  try {
    archive = objects.hasBucket(location.bucket)
      ? await objects.readStream(location.bucket, location.key)
      : undefined;
  } catch (error) {
    throw sourceFailed(source, error instanceof Error ? error.message : String(error));
  }
  if (archive === undefined) throw sourceFailed(source, 'Not Found');
  return archive;
}

async function isFile(file: string): Promise<boolean> {
  const found = await stat(file).catch(() => undefined);
  return found?.isFile() ?? false;
}

/** Values of hyperparameters are JSON where the SDK wrote them. */
function readText(value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  try {
    const read: unknown = JSON.parse(value);
    return typeof read === 'string' ? read : value;
  } catch {
    return value;
  }
}

function sourceFailed(source: string, reason: string): JobFailure {
  return new JobFailure(`AlgorithmError: Framework Error: \nsagemaker_submit_directory ${source}: ${reason}`);
}

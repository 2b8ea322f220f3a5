import type { HostFolders } from '@inferdrop/training-container/training-request';
import type { ObjectAccess } from '../../kernel/ports.ts';
import { JobFailure } from '../jobs/job-failure.ts';
import { requireS3Uri } from '../jobs/s3-uri.ts';
import { outputPrefix } from './describe-job.ts';
import { mergeFolders, packFiles } from './host-files.ts';
import type { TrainingJobRecord } from './training-job-record.ts';

/**
 * Uploads the hosts' results as `model.tar.gz` and `output.tar.gz`. An empty folder makes no object.
 *
 * @param withModel false for a failed job
 * @returns names of links and the like, which are left behind
 * @throws {JobFailure} if the upload fails
 */
export async function uploadOutputs(
  objects: ObjectAccess,
  job: TrainingJobRecord,
  hosts: readonly HostFolders[],
  withModel: boolean,
): Promise<readonly string[]> {
  const prefix = outputPrefix(job);
  const archives = [
    ...(withModel ? [{ folders: hosts.map(({ model }) => model), uri: `${prefix}/model.tar.gz` }] : []),
    { folders: hosts.map(({ outputData }) => outputData), uri: `${prefix}/output.tar.gz` },
  ];
  const left: string[] = [];
  for (const { folders, uri } of archives) {
    const { files, others } = await mergeFolders(folders);
    left.push(...others);
    if (files.length > 0) await uploadObject(objects, uri, packFiles(files));
  }
  return left;
}

/** @throws {JobFailure} where it cannot be written */
export async function uploadObject(
  objects: ObjectAccess,
  uri: string,
  body: AsyncIterable<Buffer>,
): Promise<void> {
  const { bucket, key } = requireS3Uri(uri);
  try {
    if (!objects.hasBucket(bucket)) throw new Error(`bucket ${bucket} does not exist`);
    await objects.write(bucket, key, body, { reason: 'CompleteMultipartUpload' });
  } catch (error) {
    throw uploadFailed(uri, error instanceof Error ? error.message : String(error));
  }
}

/** The failure of a job if its artifact can't be stored at `uri`. */
export function uploadFailed(uri: string, reason: string): JobFailure {
  return new JobFailure(`ClientError: Artifact upload failed:Unable to upload ${uri} (${reason})`);
}

import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { HostFolders } from '@inferdrop/training-container/training-request';
import type { ObjectAccess } from '../../kernel/ports.ts';
import { inParallel } from '../jobs/in-parallel.ts';
import { type InputObjects, listInputObjects, partitionKeys, relativeTo } from '../jobs/input-objects.ts';
import { JobFailure } from '../jobs/job-failure.ts';
import { requireS3Uri, withoutTrailingSlashes } from '../jobs/s3-uri.ts';
import type { Channel } from './training-job-record.ts';

const LANES = 8;

/**
 * Puts a channel's objects into the folder of its name on every host: all of them, or of sharded ones each host's own.
 *
 * @throws {JobFailure} naming what could not be read
 */
export async function downloadChannel(
  objects: ObjectAccess,
  { ChannelName, DataSource: { S3DataSource: source } }: Channel,
  hosts: readonly HostFolders[],
  stop: AbortSignal,
): Promise<void> {
  const inputs = await listChannel(objects, source);
  const parts =
    source.S3DataDistributionType === 'ShardedByS3Key'
      ? partitionKeys(inputs.keys, hosts.length)
      : hosts.map(() => inputs.keys);
  for (const [index, { data }] of hosts.entries()) {
    const folder = path.join(data, ChannelName);
    await mkdir(folder, { recursive: true });
    await downloadKeys(objects, { ...inputs, keys: parts[index] ?? [] }, folder, stop);
  }
}

/**
 * Copies the files under `CheckpointConfig.S3Uri`, if there are any, onto every host.
 *
 * @throws {JobFailure} naming the unreadable object
 */
export async function restoreCheckpoints(
  objects: ObjectAccess,
  uri: string,
  hosts: readonly HostFolders[],
  stop: AbortSignal,
): Promise<void> {
  const inputs = await listChannel(objects, {
    S3DataType: 'S3Prefix',
    S3Uri: `${withoutTrailingSlashes(uri)}/`,
  });
  for (const { checkpoints } of hosts) await downloadKeys(objects, inputs, checkpoints, stop);
}

/** @throws {JobFailure} naming what could not be listed */
export async function listChannel(
  objects: ObjectAccess,
  source: { readonly S3DataType: string; readonly S3Uri: string },
): Promise<InputObjects> {
  try {
    const { bucket } = requireS3Uri(source.S3Uri);
    if (!objects.hasBucket(bucket)) throw new Error(`bucket ${bucket} does not exist`);
    return await listInputObjects(objects, source);
  } catch (error) {
    throw downloadFailed(`Unable to list ${source.S3Uri}`, error);
  }
}

async function downloadKeys(
  objects: ObjectAccess,
  { bucket, prefix, keys }: InputObjects,
  folder: string,
  stop: AbortSignal,
): Promise<void> {
  await inParallel(keys, LANES, async (key) => {
    try {
      stop.throwIfAborted();
      const file = path.join(folder, safePath(relativeTo(prefix, key)));
      const body = objects.hasBucket(bucket) ? await objects.readStream(bucket, key) : undefined;
      if (body === undefined) throw new Error('NoSuchKey: The object does not exist');
      await mkdir(path.dirname(file), { recursive: true });
      await pipeline(body, createWriteStream(file), { signal: stop });
    } catch (error) {
      stop.throwIfAborted();
      throw downloadFailed(`Unable to download object s3://${bucket}/${key}`, error);
    }
  });
}

/** Keys may be any text; a file stays below its folder. */
function safePath(relative: string): string {
  const parts = relative.split('/');
  if (relative === '' || /[\0\\]/.test(relative) || parts.some((part) => /^\.{0,2}$/.test(part)))
    throw new Error(`the key is no path of a file below the channel: ${JSON.stringify(relative)}`);
  return relative;
}

/** Sentence on a download that failed and why, with the code of S3 where there is one. */
export function downloadProblem(what: string, error: unknown): string {
  const { name, message } = error instanceof Error ? error : { name: '', message: String(error) };
  const code = name === 'Error' || name === '' ? '' : `${name}: `;
  return `${what} (${code}${message})`;
}

/** The failure of a job with unreadable input. */
export function downloadFailed(what: string, error: unknown): JobFailure {
  return new JobFailure(`ClientError: Data download failed:${downloadProblem(what, error)}`);
}

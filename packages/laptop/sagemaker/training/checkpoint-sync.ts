import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { HostFolders } from '@inferdrop/training-container/training-request';
import type { Clock } from '../../kernel/clock.ts';
import type { ObjectAccess } from '../../kernel/ports.ts';
import { requireS3Uri, withoutTrailingSlashes } from '../jobs/s3-uri.ts';
import { entriesOf } from './host-files.ts';
import { uploadObject } from './upload-outputs.ts';

/** How often the folders are looked at; how often SageMaker does is not documented. */
const LOOK_MS = 2_000;

/** Keeps `CheckpointConfig.S3Uri` in line with the hosts' `/opt/ml/checkpoints` while they run. */
export interface CheckpointSync {
  /**
   * Stops looking, and stores what the hosts have left.
   *
   * @throws {JobFailure} where it cannot be stored
   */
  finish(): Promise<void>;
}

interface CheckpointSyncOptions {
  readonly objects: ObjectAccess;
  readonly clock: Clock;
  readonly uri: string;
  /** Already holding the files restored from S3. */
  readonly hosts: readonly HostFolders[];
  /** Stops the sync if `finish` isn't called. */
  readonly until: AbortSignal;
  /** Called about files that couldn't be stored while the job runs; the sync tries them again. */
  readonly note: (text: string) => void;
  /** Called when the first checkpoint has been stored. */
  readonly onStored: () => void;
}

/** Content of a folder: size and time of each file by its name. */
type Files = ReadonlyMap<string, string>;

/** Begins to look at the folders. */
export async function startCheckpointSync(options: CheckpointSyncOptions): Promise<CheckpointSync> {
  const { clock, hosts, note, until } = options;
  const states = await Promise.all(
    hosts.map(async ({ checkpoints: folder }): Promise<FolderState> => {
      const restored = await filesOf(folder);
      return { folder, stored: new Map(restored), before: restored };
    }),
  );
  let cancel = (): void => undefined;
  let underway = Promise.resolve();
  let told = '';
  until.addEventListener('abort', () => cancel(), { once: true });
  const look = (): void => {
    if (until.aborted) return;
    cancel = clock.after(LOOK_MS, () => {
      underway = syncFolders(options, states, false).then(look, (error: unknown) => {
        const text = error instanceof Error ? error.message : String(error);
        if (text !== told) note(`checkpoints are not stored: ${text}`);
        told = text;
        look();
      });
    });
  };
  look();
  return {
    async finish() {
      cancel();
      await underway;
      cancel();
      await syncFolders(options, states, true);
    },
  };
}

interface FolderState {
  readonly folder: string;
  /** State in S3. */
  readonly stored: Map<string, string>;
  /** State at the previous scan. */
  before: Files;
}

/**
 * Stores what has changed, of files with one name the first host's, and deletes what a host has deleted. A file that is
 * being written waits.
 */
async function syncFolders(
  { objects, uri, note, onStored }: CheckpointSyncOptions,
  states: readonly FolderState[],
  isLast: boolean,
): Promise<void> {
  const uploaded = new Set<string>();
  const gone = new Set<string>();
  for (const state of states) {
    const { folder, stored, before } = state;
    const files = await filesOf(folder);
    state.before = files;
    for (const [name, look] of files) {
      if (stored.get(name) === look || (!isLast && before.get(name) !== look)) continue;
      if (!uploaded.has(name) && !(await uploadFile(objects, path.join(folder, name), toUri(uri, name))))
        continue;
      uploaded.add(name);
      stored.set(name, look);
      onStored();
    }
    for (const name of [...stored.keys()].filter((name) => !files.has(name))) {
      stored.delete(name);
      gone.add(name);
    }
  }
  for (const name of gone) {
    if (uploaded.has(name)) continue;
    const { bucket, key } = requireS3Uri(toUri(uri, name));
    try {
      if (objects.hasBucket(bucket)) await objects.delete(bucket, key);
    } catch (error) {
      note(`a deleted checkpoint stays in S3: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}

/** False where the script has deleted the file meanwhile. */
async function uploadFile(objects: ObjectAccess, file: string, uri: string): Promise<boolean> {
  const isThere = await stat(file).catch(() => undefined);
  if (isThere === undefined) return false;
  await uploadObject(objects, uri, createReadStream(file));
  return true;
}

function toUri(uri: string, name: string): string {
  return `${withoutTrailingSlashes(uri)}/${name}`;
}

async function filesOf(folder: string): Promise<Files> {
  const files = new Map<string, string>();
  for (const entry of (await entriesOf(folder)).filter((one) => one.isFile())) {
    const file = path.join(entry.parentPath, entry.name);
    const found = await stat(file).catch(() => undefined);
    if (found)
      files.set(path.relative(folder, file).replaceAll(path.sep, '/'), `${found.size} ${found.mtimeMs}`);
  }
  return files;
}

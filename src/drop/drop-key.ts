import { bucketLayout } from '../run/bucket-layout.ts';
import { isPipelineName } from '../run/run-id.ts';

const ROOT = 'incoming/';
/** Files directly under the pipeline belong to this drop, as do those in a folder of this name. */
export const DEFAULT_DROP = 'default';

/** S3 limits keys to 1,024 bytes; names of a pipeline, of a generation and of a run's own files take up to 160 of them. */
const MAX_DROP_BYTES = 800;

/**
 * `file` and `job` open a run; `labels` and `ready` only show that the drop is being worked on; `folder` has no effect, nor has
 * `hidden`: files that file managers and archives leave beside a person's.
 */
export type DropKeyKind = 'file' | 'job' | 'labels' | 'ready' | 'folder' | 'hidden';

export interface DropKey {
  readonly pipeline: string;
  readonly drop: string;
  readonly kind: DropKeyKind;
}

/** Parses an uploaded key, or returns in `problem` why it belongs to no drop. */
export function parseDropKey(key: string): DropKey | { readonly problem: string } {
  if (!key.startsWith(ROOT)) return { problem: `key must begin with ${ROOT}, is ${JSON.stringify(key)}` };
  // S3's console creates an object for a new folder.
  if (key === ROOT) return { pipeline: '', drop: '', kind: 'folder' };
  const [pipeline = '', ...path] = key.slice(ROOT.length).split('/');
  if (path.length === 0) {
    return {
      problem: `key must be ${ROOT}<pipeline>/<drop>/<file>, is ${JSON.stringify(key)}: move it below a pipeline`,
    };
  }
  if (!isPipelineName(pipeline)) {
    return {
      problem: `pipeline in ${JSON.stringify(key)} must be 1 to 64 of a-z 0-9 . _ - with a letter or digit at both ends, is ${JSON.stringify(pipeline)}`,
    };
  }
  const [first = '', ...below] = path;
  const drop = below.length === 0 ? DEFAULT_DROP : first;
  if (drop === '')
    return { problem: `drop must have a name, key is ${JSON.stringify(key)}: remove the double slash` };
  const bytes = Buffer.byteLength(drop);
  if (bytes > MAX_DROP_BYTES) {
    return {
      problem: `drop must be named in at most ${MAX_DROP_BYTES} bytes of UTF-8, has ${bytes}: the keys of its runs would exceed what S3 takes`,
    };
  }
  const file = below.length === 0 ? first : below.join('/');
  return { pipeline, drop, kind: kindOf(file) };
}

/** Kind of a file by its path below the drop. Reserved names count directly in the drop only. */
export function kindOf(path: string): DropKeyKind {
  if (path === '' || path.endsWith('/')) return 'folder';
  if (path === 'job.json') return 'job';
  if (path === '_READY') return 'ready';
  if (/^labels\.[^/]*$/.test(path)) return 'labels';
  return isHidden(path) ? 'hidden' : 'file';
}

/**
 * Whether a path below a folder was not made by a person: a name that begins with a dot, Windows' own files, and a Mac's part of
 * a ZIP archive.
 */
export function isHidden(path: string): boolean {
  return /(?:^|\/)(?:\.[^/]|__MACOSX\/|(?:thumbs\.db|desktop\.ini)$)/i.test(path);
}

/** The definition of `isHidden` in words, for messages. */
export const HIDDEN_FILES = 'names that begin with a dot, Thumbs.db, desktop.ini, __MACOSX/';

/** Whether an event of this kind opens a run. `labels.*` and `_READY` belong to files that do. */
export function opensRun(kind: DropKeyKind): boolean {
  return kind === 'file' || kind === 'job';
}

/** The prefix that keys of a drop have in common; outputs are named by the rest of the key. */
export function dropPrefix(pipeline: string, drop: string): string {
  return drop === DEFAULT_DROP ? `${ROOT}${pipeline}/` : bucketLayout.incoming(pipeline, drop);
}

/** Keys at which a file of this name may lie: the default drop has two places, and the first that exists counts. */
export function dropFileKeys(pipeline: string, drop: string, name: string): string[] {
  const inFolder = `${bucketLayout.incoming(pipeline, drop)}${name}`;
  return drop === DEFAULT_DROP ? [`${ROOT}${pipeline}/${name}`, inFolder] : [inFolder];
}

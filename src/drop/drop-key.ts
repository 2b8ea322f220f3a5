import { isHidden } from '../file-kind/hidden-name.ts';
import { bucketLayout } from '../run/bucket-layout.ts';
import { type DropParts, evaluationOf, pipelineNameProblem } from '../run/run-id.ts';
import { RUN_KIND_NAMES, RUN_KINDS, type RunKind } from '../run/run-kind.ts';

/** Folders of drops, each with the kind of the runs that take its files. */
const ROOTS = RUN_KIND_NAMES.map((kind) => ({ kind, root: `${RUN_KINDS[kind].folder}/` }));

/** Files directly under the pipeline belong to this drop, as do those in a folder of this name. */
export const DEFAULT_DROP = 'default';

/**
 * Names of the files that say how far an upload is: complete, or still under way. Clients that write the second one end it
 * with the first.
 */
export const MARKS = { ready: '_READY', uploading: '_UPLOADING' } as const;

/** Label files that are looked for in a drop, whichever of them the settings name. */
export const LABEL_FILE_NAMES: readonly string[] = ['labels.csv', 'labels.jsonl'];

/** S3 limits keys to 1,024 bytes; names of a pipeline, of a generation and of a run's own files take up to 160 of them. */
const MAX_DROP_BYTES = 800;

/**
 * `file`, `job` and `labels` open a run; `mark` only shows that the drop is being worked on; `folder` has no effect, nor has
 * `hidden`: files that file managers and archives leave next to a person's.
 */
export type DropKeyKind = 'file' | 'job' | 'labels' | 'mark' | 'folder' | 'hidden';

interface DropKey {
  readonly drop: DropParts;
  readonly kind: DropKeyKind;
}

/** Parses an uploaded key, or returns in `problem` why it belongs to no drop. */
export function parseDropKey(key: string): DropKey | { readonly problem: string } {
  const found = ROOTS.find(({ root }) => key.startsWith(root));
  if (found === undefined) {
    const roots = ROOTS.map(({ root }) => root).join(' or ');
    return { problem: `key must begin with ${roots}, is ${JSON.stringify(key)}` };
  }
  const { root, kind } = found;
  // S3's console creates an object for a new folder.
  if (key === root) return { drop: { kind, pipeline: '', drop: '' }, kind: 'folder' };
  const [pipeline = '', ...path] = key.slice(root.length).split('/');
  if (path.length === 0) {
    return {
      problem: `key must be ${root}<pipeline>/<drop>/<file>, is ${JSON.stringify(key)}: move it below a pipeline`,
    };
  }
  const wrong = pipelineNameProblem(pipeline);
  if (wrong !== undefined) return { problem: `pipeline in ${JSON.stringify(key)} ${wrong}` };
  const [first = '', ...below] = path;
  const drop = below.length === 0 ? DEFAULT_DROP : first;
  if (drop === '')
    return { problem: `drop must have a name, key is ${JSON.stringify(key)}: remove the double slash` };
  if (RUN_KINDS[kind].isJudged && evaluationOf(drop) !== undefined)
    return {
      problem:
        `drop must not begin with ${drop.charAt(0)}, which stands for the evaluation sets of the pipeline's owner, key ` +
        `is ${JSON.stringify(key)}: rename the folder`,
    };
  const bytes = Buffer.byteLength(drop);
  if (bytes > MAX_DROP_BYTES) {
    return {
      problem:
        `drop must be named in at most ${MAX_DROP_BYTES} bytes of UTF-8, has ${bytes}: the keys of its runs would ` +
        'exceed what S3 takes',
    };
  }
  const file = below.length === 0 ? first : below.join('/');
  return { drop: { kind, pipeline, drop }, kind: kindOf(file, kind) };
}

/**
 * Kind of a file by its path below the drop of runs of a kind. Reserved names count directly in the drop only. A training has no labels
 * of its own: its script reads them as it does any file.
 */
export function kindOf(path: string, runs: RunKind): DropKeyKind {
  if (path === '' || path.endsWith('/')) return 'folder';
  if (path === 'job.json') return 'job';
  if (path === MARKS.ready || path === MARKS.uploading) return 'mark';
  if (RUN_KINDS[runs].isJudged && /^labels\.[^/]*$/.test(path)) return 'labels';
  return isHidden(path) ? 'hidden' : 'file';
}

/** Whether an event of this kind opens a run: `labels.*` may be the labels of an earlier one. */
export function opensRun(kind: DropKeyKind): boolean {
  return kind === 'file' || kind === 'job' || kind === 'labels';
}

/** The prefix that keys of a drop have in common; outputs are named by the rest of the key. */
export function dropPrefix(drop: DropParts): string {
  return drop.drop === DEFAULT_DROP
    ? bucketLayout.pipelineFolder(RUN_KINDS[drop.kind].folder, drop.pipeline)
    : bucketLayout.dropFolder(drop);
}

/** Keys at which a file of this name may lie: the default drop has two places, and the first that exists counts. */
export function dropFileKeys(drop: DropParts, name: string): string[] {
  const inFolder = `${bucketLayout.dropFolder(drop)}${name}`;
  return drop.drop === DEFAULT_DROP ? [`${dropPrefix(drop)}${name}`, inFolder] : [inFolder];
}

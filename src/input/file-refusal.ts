import { isTar } from '../drop/tar-key.ts';
import { type FileKind, fileKind, rowOf } from '../file-kind/file-kind.ts';
import type { FileEnds } from '../file-kind/zip-names.ts';

/** A file of a drop, as far as it is looked at. */
export interface DropFile extends FileEnds {
  readonly name: string;
  /** The first bytes within one that gzip has compressed, if they can be read. */
  readonly unpacked?: Uint8Array | undefined;
}

/** Settings that decide which kinds of files a request can hold. */
export interface SentAs {
  readonly contentType: string;
  readonly splitType: string;
}

/** Content types that say what is in a request; a model that takes another one may read any file. */
const READ = /^\s*(?:text\/|image\/|application\/(?:json|jsonlines|x-npy|x-image)\b)/i;
const LINES =
  'and transform.splitType "Line" makes a record of each line: write a record a line, ' +
  'pandas.read_json(FILE).to_json("table.jsonl", orient="records", lines=True), or set it to "None" to send whole ' +
  'files';

/** The kind of a file: a tar's, if gzip has compressed one. */
export function kindOf(file: DropFile): FileKind {
  const kind = fileKind(file);
  if (kind !== 'gzip') return kind;
  if (file.unpacked === undefined) return isTar(file.name) ? 'tar' : kind;
  const inner = fileKind({ head: file.unpacked, sizeBytes: Infinity });
  return inner === 'tar' || inner === 'model-tar' ? inner : kind;
}

/** Why a file is not sent, in words that follow its name; undefined if it is. */
export function refusalOf(
  file: DropFile,
  { contentType, splitType }: SentAs,
  kind = kindOf(file),
): string | undefined {
  // Lines are read before they are sent, whatever the file is packed or written in.
  const isOpened = splitType === 'Line';
  if (isOpened && kind === 'utf-16') return undefined;
  if (isOpened && kind === 'gzip' && file.unpacked !== undefined)
    return refusalOf(
      { name: file.name, head: file.unpacked, sizeBytes: Infinity },
      { contentType, splitType },
    );
  const { what, role, remedy = '', types } = rowOf(kind);
  const isNever = types === 'none';
  // Files that SageMaker cuts by marks of their own are no others.
  const isRead = READ.test(contentType) && (splitType === 'None' || splitType === 'Line');
  if (!isRead && !isNever) return undefined;
  if (kind === 'tar' && !isTar(file.name))
    return `is ${what}, and its name does not say so: name it ${file.name}.tar, so that its members are inputs`;
  // A document is a record.
  const isSplit = kind === 'json-list' || (kind === 'json' && !/json/i.test(contentType));
  if (isSplit && splitType === 'Line') return `is ${what}, ${LINES}`;
  if (role !== 'refuse' || (types instanceof RegExp && types.test(contentType))) return undefined;
  return `is ${what}: ${remedy}`;
}

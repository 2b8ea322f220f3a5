import { isTar } from '../drop/tar-key.ts';
import { isHidden } from '../file-kind/hidden-name.ts';

/**
 * The part that an entry of a tar plays in a run: a file at a path, an entry that programs add on their own, or a defect that is
 * reported by name.
 */
export type MemberPlace =
  | { readonly kind: 'file' | 'hidden'; readonly path: string }
  | { readonly kind: 'defect'; readonly path: string; readonly defect: string };

// U+FFFD is what a decoder makes of bytes that are no UTF-8.
// eslint-disable-next-line no-control-regex -- these are the characters to find
const UNFIT = /[\u0000-\u001f\u007f\ufffd]/u;

/** The types of entries that have no bytes of their own. */
const KINDS: Readonly<Record<string, string>> = {
  '1': 'a hard link',
  '2': 'a symbolic link',
  '3': 'a device',
  '4': 'a device',
  '6': 'a pipe',
  S: 'a file with holes: pack it without --sparse',
};

/** Judges an entry by its name and type; undefined for a folder, which says nothing. */
export function memberPlace(name: string, type: string): MemberPlace | undefined {
  const path = name
    .split('/')
    .filter((part, at) => part !== '.' && (part !== '' || at === 0))
    .join('/');
  if (type === '5' || name.endsWith('/') || path === '') return undefined;
  const outside = outsideOf(path);
  if (outside === undefined && isHidden(path)) return { kind: 'hidden', path };
  const defect = outside ?? defectOf(path, type);
  return defect === undefined ? { kind: 'file', path } : { kind: 'defect', path: shown(path), defect };
}

function outsideOf(path: string): string | undefined {
  if (path.startsWith('/')) return 'has an absolute path';
  return path.split('/').includes('..') ? 'has a path with ".."' : undefined;
}

function defectOf(path: string, type: string): string | undefined {
  if (UNFIT.test(path)) return 'has a name with a control character, or that is not UTF-8';
  if (type !== '0' && type !== '\0' && type !== '7') return `is ${KINDS[type] ?? 'no plain file'}`;
  return isTar(path) ? 'is a tar within a tar: drop it next to the others' : undefined;
}

/** A path that neither moves a terminal's cursor nor leaves its line. */
function shown(path: string): string {
  return path.replace(new RegExp(UNFIT, 'gu'), '\ufffd');
}

/** Whether a member is an image by its name, which in a tar says what belongs together. */
export function isImageName(name: string): boolean {
  return /[^/]\.(?:png|jpe?g?|gif|bmp|webp|tiff?|dib|ppm)$/i.test(name);
}

/** The part of a path that the files of one sample share: up to the first dot of the file's name, as in WebDataset. */
export function sampleOf(path: string): string {
  return path.slice(0, path.length - extensionOf(path).length).replace(/\.$/, '');
}

/** The rest of the path after that dot; empty if there is none. */
export function extensionOf(path: string): string {
  const file = path.slice(path.lastIndexOf('/') + 1);
  const dot = file.indexOf('.');
  return dot === -1 ? '' : file.slice(dot + 1);
}

import path from 'node:path';

/** Sentences about a place that cannot be read or written, by the code of Node's error. */
const SENTENCES: Readonly<Record<string, (place: string) => string>> = {
  EACCES: (place) => `this user may not use ${place}: correct its permissions`,
  EPERM: (place) => `this user may not use ${place}: correct its permissions`,
  EROFS: (place) => `${place} is on a file system that is read-only: make it writable`,
  EEXIST: (place) => `${place} is there already, and is not what is to be made: rename it`,
  ENOTDIR: (place) => `a part of the path ${place} is a file, and a folder is meant: rename that file`,
  EISDIR: (place) => `${place} is a folder, and a file is meant: rename that folder`,
  ENOENT: (place) =>
    `${place} is not there, or the folder ${path.dirname(place)} is not: make what is missing`,
  ENAMETOOLONG: (place) => `${place} is longer than the file system takes: shorten it`,
  ELOOP: (place) => `the links of ${place} lead in a circle: correct them`,
};

/** Sentence for a person about a file or folder that cannot be read or written, with the remedy; undefined for an error of another kind. */
export function fileProblem(error: unknown, option?: string): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || !('path' in error)) return undefined;
  // A file is copied, linked or renamed to its second place.
  const place = 'dest' in error && typeof error.dest === 'string' ? error.dest : error.path;
  const sentence = SENTENCES[String(error.code)];
  if (typeof place !== 'string' || sentence === undefined) return undefined;
  const other = option === undefined ? 'name another place' : `name another place with ${option}`;
  return `${sentence(path.resolve(place))}, or ${other}`;
}

const FAILURES: Readonly<Record<string, string>> = {
  EACCES: 'this user may not read it',
  EISDIR: 'it is a folder',
  ENOENT: 'it is not there',
  ENOTDIR: 'it is not there, since a part of its path is a file',
};

/** Why a file that a sentence has named could not be read. */
export function readFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return ('code' in error && FAILURES[String(error.code)]) || error.message;
}

/**
 * Whether a path below a folder was not made by a person: a name that begins with a dot, Windows' own files, and a Mac's part of
 * a ZIP archive.
 */
export function isHidden(path: string): boolean {
  return /(?:^|\/)(?:\.[^/]|__MACOSX\/|(?:thumbs\.db|desktop\.ini)$)/i.test(path);
}

/** The definition of `isHidden` in words, for messages. */
export const HIDDEN_FILES = 'names that begin with a dot, Thumbs.db, desktop.ini, __MACOSX/';

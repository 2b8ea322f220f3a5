const FOLDERS = '_temporary|_delta_log|_spark_metadata|__MACOSX|\\.[^/]+';
const FILES = '_SUCCESS|_FAILED|_committed_[^/]*|_started_[^/]*|_(?:common_)?metadata|[^/]*_\\$folder\\$';
const HIDDEN = new RegExp(`(?:^|/)(?:(?:${FOLDERS})/|(?:${FILES}|\\.[^/]+)$)`);
const HIDDEN_BY_WINDOWS = /(?:^|\/)(?:thumbs\.db|desktop\.ini)$/i;

/**
 * Whether a program left a path below a folder for itself: a name that begins with a dot, the marks and logs of Hadoop,
 * Spark and Delta, files of Windows, and a Mac's part of a ZIP archive. Other names that begin with `_` are inputs,
 * such as `_c1.csv`.
 */
export function isHidden(path: string): boolean {
  return HIDDEN.test(path) || HIDDEN_BY_WINDOWS.test(path);
}

/** The definition of `isHidden` in words, for messages. */
export const HIDDEN_FILES =
  'names that begin with a dot, _SUCCESS and other files that Hadoop, Spark, Delta, Windows and macOS write for themselves';

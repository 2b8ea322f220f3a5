import { RE2JS } from 're2js';
import { keyOfName } from '../input/record-name.ts';
import type { Dimension } from './dimension.ts';
import { type ImageFacts, imageValue } from './image-value.ts';

/** Cap on the characters of a value; a longer one is cut, so that a tally stays small whatever the files are called. */
export const MAX_VALUE_LENGTH = 200;

/** The record to find the slices of. */
interface SlicedRecord {
  /** Name of its input. */
  readonly key: string;
  /** Cells of its row in the label file, in the order of `labelColumns`; undefined if it has no row. */
  readonly fields?: readonly string[] | undefined;
  /** Undefined if the input is no image, or was not looked at. */
  readonly image?: ImageFacts | undefined;
}

/** Gives the values of a record in the order of the dimensions; null for a missing value. */
export type SliceValues = (record: SlicedRecord) => readonly (string | null)[];

/**
 * Prepares the dimensions.
 *
 * @param prefix of the inputs, below which folders are counted
 * @param isOpened whether files were opened, so that inputs are named by their records
 * @throws {Error} where a pattern is not RE2 syntax; PlanRun has checked it before
 */
export function sliceValues(dimensions: readonly Dimension[], prefix: string, isOpened = false): SliceValues {
  const patterns = new Map<string, GroupsOf>();
  const folderAt = foldersBelow(prefix);
  let column = 0;
  const readers = dimensions.map((dimension): ((record: SlicedRecord) => string | undefined) => {
    switch (dimension.from) {
      case 'folder':
        return ({ key }) => folderAt(key, dimension.level);
      case 'key': {
        const { pattern, name } = dimension;
        const groupsOf = patterns.get(pattern) ?? namedGroups(pattern);
        patterns.set(pattern, groupsOf);
        return ({ key }) => groupsOf(key)?.get(name);
      }
      case 'file': {
        const place = column++;
        return ({ fields }) => fields?.[place];
      }
      case 'image':
        return ({ image }) => image && imageValue(dimension.property, image);
    }
  });
  const keyOf = keyOfName(isOpened);
  return (record) => {
    const sliced = { ...record, key: keyOf(record.key) };
    return readers.map((read) => bounded(read(sliced)));
  };
}

/**
 * Gives the folder of a level below the prefix, 1 being the first; undefined if the input lies higher. A key is split once
 * for all levels.
 */
function foldersBelow(prefix: string): (key: string, level: number) => string | undefined {
  let last: string | undefined;
  let parts: readonly string[] = [];
  return (key, level) => {
    if (key !== last) parts = (key.startsWith(prefix) ? key.slice(prefix.length) : key).split('/');
    last = key;
    return level < parts.length ? parts[level - 1] : undefined;
  };
}

type GroupsOf = (key: string) => ReadonlyMap<string, string> | undefined;

/** The named groups of a pattern in a key, found once for all dimensions and records that ask for the same key. */
function namedGroups(pattern: string): GroupsOf {
  const compiled = RE2JS.compile(pattern);
  const groups = Object.entries(compiled.namedGroups());
  let last: string | undefined;
  let found: ReadonlyMap<string, string> | undefined;
  return (key) => {
    if (key === last) return found;
    last = key;
    const matcher = compiled.matcher(key);
    found = matcher.find()
      ? new Map(groups.map(([name, group]) => [name, matcher.group(group) ?? '']))
      : undefined;
    return found;
  };
}

function bounded(value: string | undefined): string | null {
  if (value === undefined || value === '') return null;
  return value.length <= MAX_VALUE_LENGTH
    ? value.toWellFormed()
    : `${value.slice(0, MAX_VALUE_LENGTH - 1).toWellFormed()}…`;
}

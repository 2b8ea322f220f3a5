import { RE2JS } from 're2js';
import { keyOfName } from '../input/record-name.ts';
import type { Dimension, ImageProperty } from './dimension.ts';

/** Facts that a file shows of its image. */
export interface ImageFacts {
  readonly format: string;
  /** Pixels as stored, whatever the orientation that Exif asks for; undefined if the header does not say it. */
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  /** Mean luma of all pixels (ITU-R BT.601), 0 black to 255 white; undefined if it was not measured or the file is damaged. */
  readonly brightness?: number | undefined;
  /** Whether the time for measuring brightness was over before the image's turn came. */
  readonly isLate?: boolean;
}

/** Lower limits of the buckets of a side in pixels: each is twice as long as the one before. */
const SIDES = [0, 64, 128, 256, 512, 1024, 2048, 4096] as const;
/** Lower limits of the buckets of brightness: four of the same width. */
const BRIGHTNESSES = [0, 64, 128, 192, 256] as const;

/** Brightness of the images for which there was no time. */
const NOT_MEASURED = 'not measured';

const FORMATS = ['jpeg', 'png', 'gif', 'bmp', 'webp', 'jpeg xl'] as const;

/** All values that a property of images can have. */
export const IMAGE_VALUES: Readonly<Record<ImageProperty, readonly string[]>> = {
  width: SIDES.map((low, at) => bucketName(low, SIDES[at + 1])),
  height: SIDES.map((low, at) => bucketName(low, SIDES[at + 1])),
  format: FORMATS,
  brightness: [
    ...BRIGHTNESSES.slice(0, -1).map((low, at) => bucketName(low, BRIGHTNESSES[at + 1])),
    NOT_MEASURED,
  ],
};

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

/** The value of an image, the name of its bucket where the property is a number; undefined if it is not known. */
export function imageValue(property: ImageProperty, facts: ImageFacts): string | undefined {
  if (property === 'brightness' && facts.isLate === true) return NOT_MEASURED;
  if (property === 'format') return facts.format.toLowerCase();
  const figure = facts[property];
  if (figure === undefined) return undefined;
  const ends = property === 'brightness' ? BRIGHTNESSES : SIDES;
  const at = ends.findLastIndex((low) => figure >= low);
  return IMAGE_VALUES[property][at];
}

/** `64-127`; `4096 or more` for the last. */
function bucketName(low: number, next: number | undefined): string {
  return next === undefined ? `${low} or more` : `${low}-${next - 1}`;
}

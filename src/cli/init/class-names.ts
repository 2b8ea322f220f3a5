import { readFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';

/** Files in which training programs leave the names of the classes, in order. */
const FILES = [
  'labels.txt',
  'classes.txt',
  'class_names.txt',
  'class_names.json',
  'assets/labels.txt',
  'assets/classes.txt',
];

/** Names of the classes, and where they were found. */
export interface FoundNames {
  readonly names: readonly string[];
  readonly place: string;
}

/** Looks for a file of `count` class names in folders, in their order. */
export async function findClassNames(
  folders: readonly string[],
  count: number | undefined,
): Promise<FoundNames | undefined> {
  for (const place of folders.flatMap((folder) => FILES.map((name) => path.join(folder, name)))) {
    const text = await readFile(place, 'utf8').catch((error: unknown) => {
      if (error instanceof Error && 'code' in error && ['ENOENT', 'ENOTDIR'].includes(String(error.code)))
        return undefined;
      throw error;
    });
    const names = text === undefined ? [] : parseNames(text, place);
    if (names.length > 1 && names.length === (count ?? names.length)) return { names, place };
  }
  return undefined;
}

/** Reads class names that were given: a file with one on each line or a list in JSON, or names between commas. */
export async function readClassNames(given: string): Promise<readonly string[]> {
  const text = await readFile(given, 'utf8').catch(() => undefined);
  return text === undefined ? given.split(',').map((name) => name.trim()) : parseNames(text, given);
}

function parseNames(text: string, place: string): readonly string[] {
  if (!place.endsWith('.json'))
    return text
      .split(/\r?\n/)
      .map((name) => name.trim())
      .filter((name) => name !== '');
  const read = z.array(z.string()).safeParse(JSON.parse(text));
  return read.success ? read.data : [];
}

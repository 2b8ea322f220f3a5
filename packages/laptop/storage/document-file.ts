import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import * as z from 'zod';

/** A small keyed collection in one JSON file: resources such as rules and topics, which are few and change seldom. */
export interface Documents<T> {
  get(key: string): T | undefined;
  values(): IterableIterator<T>;
  /** On disk (whole, by rename) when it returns. */
  set(key: string, document: T): void;
  /** False if there was none. */
  delete(key: string): boolean;
}

/**
 * Opens the collection kept in `file`, which need not exist yet.
 *
 * @throws {Error} if the file holds something that `schema` does not accept: an earlier build wrote it
 */
export function openDocuments<T>(file: string, schema: z.ZodType<T>): Documents<T> {
  const documents = readDocuments(file, schema);
  const save = (): void => {
    mkdirSync(dirname(file), { recursive: true });
    const next = `${file}.next`;
    writeFileSync(
      next,
      `${JSON.stringify({ schema: 1, documents: Object.fromEntries(documents) }, null, 1)}\n`,
    );
    renameSync(next, file);
  };
  return {
    get: (key) => documents.get(key),
    values: () => documents.values(),
    set: (key, document) => {
      documents.set(key, document);
      save();
    },
    delete: (key) => {
      const existed = documents.delete(key);
      if (existed) save();
      return existed;
    },
  };
}

function readDocuments<T>(file: string, schema: z.ZodType<T>): Map<string, T> {
  const text = readIfThere(file);
  if (text === undefined) return new Map();
  const Whole = z.object({ schema: z.literal(1), documents: z.record(z.string(), schema) });
  const parsed = Whole.safeParse(JSON.parse(text));
  if (!parsed.success) {
    const wrong = parsed.error.issues.map(({ path, message }) => `${path.map(String).join('.')}: ${message}`);
    throw new Error(
      `${file} was made by an earlier build of inferdrop: remove the data folder, or give another one with --data (${wrong.join('; ')})`,
    );
  }
  return new Map(Object.entries(parsed.data.documents));
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

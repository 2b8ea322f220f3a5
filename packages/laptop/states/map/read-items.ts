import { gunzipSync } from 'node:zlib';
import * as z from 'zod';
import type { ItemReader, ReaderConfig } from '../definition/fields.ts';
import { isJsonArray, isJsonObject, type Json, parseJson } from '../json.ts';
import { errorName, StatesError } from '../states-error.ts';
import type { SdkCalls } from '../tasks/sdk-calls.ts';
import { readCsv } from './csv.ts';
import { listObjects, readObject } from './s3-objects.ts';

const DELIMITERS = { COMMA: ',', PIPE: '|', SEMICOLON: ';', SPACE: ' ', TAB: '\t' } as const;

/**
 * Reads the items of a Distributed Map from S3.
 *
 * @throws {StatesError} `States.ItemReaderFailed`
 */
export async function readItems(
  sdk: SdkCalls,
  reader: ItemReader,
  args: Json,
  maxItems: number | undefined,
): Promise<readonly Json[]> {
  const most = maxItems ?? Infinity;
  try {
    if (!isJsonObject(args)) throw new Error('ItemReader.Arguments must be an object');
    if (reader.Resource.endsWith('s3:listObjectsV2')) {
      const objects = await listObjects(sdk, args, most);
      return objects.map(({ Key, Size, ETag, LastModified, StorageClass }) => ({
        Etag: ETag,
        Key,
        LastModified: Math.floor(LastModified.getTime() / 1000),
        Size,
        StorageClass,
      }));
    }
    const config = reader.ReaderConfig ?? {};
    const body = await readObject(sdk, args);
    const text = (body[0] === 0x1f && body[1] === 0x8b ? gunzipSync(body) : body).toString('utf8');
    return await itemsIn(sdk, text, config, args['Bucket'] ?? null, most);
  } catch (error) {
    if (error instanceof StatesError) throw error;
    throw new StatesError(errorName.itemReaderFailed, error instanceof Error ? error.message : String(error));
  }
}

async function itemsIn(
  sdk: SdkCalls,
  text: string,
  config: ReaderConfig,
  bucket: Json,
  most: number,
): Promise<readonly Json[]> {
  switch (config.InputType) {
    case 'JSON':
      return jsonItems(text, config.ItemsPointer).slice(0, most);
    case 'JSONL':
      return jsonLines(text, most);
    case 'CSV':
      return csvItems(text, config, most);
    case 'MANIFEST':
      return inventoryItems(sdk, text, bucket, most);
    case undefined:
      throw new Error('ReaderConfig.InputType is missing');
  }
}

function jsonItems(text: string, pointer: string | undefined): readonly Json[] {
  let value: Json | undefined = parseJson(text);
  for (const part of pointer?.slice(1).split('/') ?? []) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    value = isJsonArray(value) ? value[Number(key)] : isJsonObject(value) ? value[key] : undefined;
  }
  if (isJsonArray(value)) return value;
  throw new Error(`the JSON ${pointer === undefined ? 'document' : `at ${pointer}`} is not an array`);
}

function jsonLines(text: string, most: number): Json[] {
  const items: Json[] = [];
  let number = 0;
  for (const line of text.split('\n')) {
    number++;
    if (items.length >= most) break;
    if (line.trim() === '') continue;
    try {
      items.push(parseJson(line));
    } catch (error) {
      throw new Error(`line ${number} is not JSON: ${String(error)}`, { cause: error });
    }
  }
  return items;
}

function csvItems(text: string, config: ReaderConfig, most: number): Json[] {
  const rows = readCsv(text, DELIMITERS[config.CSVDelimiter ?? 'COMMA']);
  const headers: readonly string[] =
    config.CSVHeaderLocation === 'GIVEN' ? (config.CSVHeaders ?? []) : (rows.next().value ?? []);
  const items: Json[] = [];
  for (const row of rows) {
    if (items.length >= most) break;
    items.push(Object.fromEntries(headers.map((name, index) => [name, row[index] ?? ''])));
  }
  return items;
}

const Inventory = z.object({
  fileFormat: z.literal('CSV', 'only CSV inventories can be read'),
  fileSchema: z.string(),
  files: z.array(z.object({ key: z.string() })),
});

/** The rows of the files that an S3 inventory's manifest.json lists. */
async function inventoryItems(sdk: SdkCalls, text: string, bucket: Json, most: number): Promise<Json[]> {
  const { fileSchema, files } = Inventory.parse(parseJson(text));
  const headers = fileSchema.split(',').map((name) => name.trim());
  const items: Json[] = [];
  for (const { key } of files) {
    const body = await readObject(sdk, { Bucket: bucket, Key: key });
    const rows = (body[0] === 0x1f && body[1] === 0x8b ? gunzipSync(body) : body).toString('utf8');
    for (const row of readCsv(rows, ',')) {
      if (items.length >= most) return items;
      items.push(Object.fromEntries(headers.map((name, index) => [name, row[index] ?? ''])));
    }
  }
  return items;
}

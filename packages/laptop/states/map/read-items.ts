import * as z from 'zod';
import { isJsonArray, type Json, parseJson } from '../json.ts';
import { errorName, StatesError } from '../states-error.ts';
import type { MapObjects } from './map-objects.ts';

const Place = z.strictObject({ Bucket: z.string(), Key: z.string() });

/**
 * Reads the items of a Distributed Map from a JSON array in S3.
 *
 * @throws {StatesError} `States.ItemReaderFailed`
 */
export async function readItems(objects: MapObjects, args: Json): Promise<readonly Json[]> {
  try {
    const place = Place.safeParse(args);
    if (!place.success)
      throw new Error(`The ItemReader's Arguments are not valid: ${z.prettifyError(place.error)}`);
    const items = parseJson(await objects.read(place.data.Bucket, place.data.Key));
    if (isJsonArray(items)) return items;
    throw new Error('the JSON document is not an array');
  } catch (error) {
    throw new StatesError(errorName.itemReaderFailed, error instanceof Error ? error.message : String(error));
  }
}

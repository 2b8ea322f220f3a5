import * as z from 'zod';
import type { ObjectAccess } from '../../kernel/ports.ts';
import { BadManifest } from '../jobs/input-objects.ts';
import { parseS3Uri, requireS3Uri, type S3Location } from '../jobs/s3-uri.ts';

/** An attribute of a line: an object for a name with the suffix `-ref`, else the value's text. */
export type ManifestAttribute = S3Location | { readonly text: string };

const Line = z.record(z.string(), z.unknown());

/**
 * Reads JSON lines: of each line the named attributes, in the order of the names (developer guide, "Augmented Manifest Files for
 * Training Jobs").
 *
 * @throws {BadManifest} naming the line
 */
export async function readAugmentedManifest(
  objects: ObjectAccess,
  uri: string,
  attributeNames: readonly string[],
): Promise<readonly (readonly ManifestAttribute[])[]> {
  const { bucket, key } = requireS3Uri(uri);
  const body = await objects.read(bucket, key);
  if (body === undefined) throw new BadManifest(`${uri}: the manifest is gone`);
  const lines = body.toString('utf8').split('\n');
  const read = lines.flatMap((text, index) => {
    if (text.trim() === '') return [];
    const where = `${uri}, line ${index + 1}`;
    const line = parseLine(text, where);
    return [attributeNames.map((name) => toAttribute(line, name, where))];
  });
  if (read.length === 0) throw new BadManifest(`${uri}: the manifest must have a line of JSON, has none`);
  return read;
}

function parseLine(text: string, where: string): z.infer<typeof Line> {
  try {
    return Line.parse(JSON.parse(text));
  } catch {
    throw new BadManifest(`${where} must be an object of JSON, is ${text.slice(0, 80)}`);
  }
}

function toAttribute(line: z.infer<typeof Line>, name: string, where: string): ManifestAttribute {
  const value = line[name];
  if (value === undefined) throw new BadManifest(`${where} must have the attribute ${name}`);
  if (!name.endsWith('-ref')) return { text: typeof value === 'string' ? value : JSON.stringify(value) };
  const location = typeof value === 'string' ? parseS3Uri(value) : undefined;
  if (location === undefined)
    throw new BadManifest(`${where}: ${name} must be an S3 URI, is ${JSON.stringify(value)}`);
  return location;
}

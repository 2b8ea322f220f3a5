import * as z from 'zod';
import { validationException } from '../../kernel/aws-error.ts';
import type { ObjectAccess } from '../../kernel/ports.ts';
import { isAccessDenied } from '../objects-as-role.ts';
import { parseS3Uri, requireS3Uri, type S3Location } from './s3-uri.ts';

/** Everything a job reads, as it was listed when the job started. */
export interface InputObjects {
  readonly bucket: string;
  /** Prefix that output keys are relative to. */
  readonly prefix: string;
  readonly keys: readonly string[];
}

/** The manifest object is not what SageMaker's format asks for. */
export class BadManifest extends Error {
  override readonly name = 'BadManifest';
}

/** Where a job's input lies, as requests say it. */
interface S3Source {
  readonly S3DataType: string;
  readonly S3Uri: string;
}

/**
 * The check that the service makes before it accepts a job. A manifest's objects are not looked up, but it must name at least
 * one.
 *
 * @throws {AwsError} `ValidationException` if there is no input
 */
export async function checkInputExists(
  objects: ObjectAccess,
  source: S3Source,
  role: string,
  region: string,
): Promise<void> {
  const { S3Uri } = source;
  const { bucket } = requireS3Uri(S3Uri);
  if (objects.hasBucket(bucket) && (await mayFindInput(objects, source))) return;
  throw validationException(
    `No S3 objects found under S3 URL "${S3Uri}" given in input data source. Please ensure that the bucket exists in ` +
      `the selected region (${region}), that objects exist under that S3 prefix, and that the role "${role}" has ` +
      `"s3:ListBucket" permissions on bucket "${bucket}".`,
  );
}

/** Objects that a role may not read do not exist for it. */
async function mayFindInput(objects: ObjectAccess, source: S3Source): Promise<boolean> {
  try {
    return await hasInput(objects, source);
  } catch (error) {
    if (isAccessDenied(error)) return false;
    throw error;
  }
}

async function hasInput(objects: ObjectAccess, { S3DataType, S3Uri }: S3Source): Promise<boolean> {
  const { bucket, key } = requireS3Uri(S3Uri);
  if (S3DataType === 'ManifestFile') {
    const body = await objects.read(bucket, key);
    return body !== undefined && !/^\s*\[\s*(?:\{[^}]*\}\s*)?\]\s*$/.test(body.toString('utf8'));
  }
  for (const _object of objects.list(bucket, key)) return true;
  return false;
}

/**
 * Lists the job's inputs: every key below the prefix (folder markers left out), or what the manifest names, each once.
 *
 * @throws {BadManifest} if the manifest is not `[{"prefix":"s3://…/"}, "relative/key", …]`
 */
export async function listInputObjects(
  objects: ObjectAccess,
  { S3DataType, S3Uri }: S3Source,
): Promise<InputObjects> {
  const location = requireS3Uri(S3Uri);
  return S3DataType === 'ManifestFile' ? readManifest(objects, location) : listPrefix(objects, location);
}

function listPrefix(objects: ObjectAccess, { bucket, key: prefix }: S3Location): InputObjects {
  const keys: string[] = [];
  for (const { key } of objects.list(bucket, prefix)) if (!key.endsWith('/')) keys.push(key);
  return { bucket, prefix, keys };
}

const Manifest = z.tuple([z.object({ prefix: z.string() })], z.string());

async function readManifest(objects: ObjectAccess, { bucket, key }: S3Location): Promise<InputObjects> {
  const where = `s3://${bucket}/${key}`;
  const body = await objects.read(bucket, key);
  if (!body) throw new BadManifest(`${where}: the manifest is gone`);
  const [{ prefix }, ...names] = parseManifest(body.toString('utf8'), where);
  const location = parseS3Uri(prefix);
  if (!location) throw new BadManifest(`${where}: prefix must be an S3 URI, is ${JSON.stringify(prefix)}`);
  const keys = new Set(names.map((name) => location.key + name));
  return { bucket: location.bucket, prefix: location.key, keys: [...keys] };
}

function parseManifest(text: string, where: string): z.infer<typeof Manifest> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new BadManifest(
      `${where}: the manifest is not JSON (${error instanceof Error ? error.message : String(error)})`,
    );
  }
  const manifest = Manifest.safeParse(json);
  if (!manifest.success) throw new BadManifest(`${where}: ${z.prettifyError(manifest.error)}`);
  return manifest.data;
}

/** Deals what was listed to the instances in turn; each belongs to one instance only. */
export function partitionKeys<T>(keys: readonly T[], instances: number): readonly (readonly T[])[] {
  const parts: T[][] = Array.from({ length: instances }, () => []);
  keys.forEach((key, index) => parts[index % instances]?.push(key));
  return parts;
}

/**
 * Path of an object below an input's URI. Relative to `images/` is what follows it; to `images`, what follows the slash after it; and
 * where the URI is the whole key or a part of a name, the key from the URI's last slash on.
 */
export function relativeTo(prefix: string, key: string): string {
  const rest = key.slice(prefix.length);
  if (prefix === '' || prefix.endsWith('/')) return rest;
  if (rest.startsWith('/')) return rest.slice(1);
  return key.slice(prefix.lastIndexOf('/') + 1);
}

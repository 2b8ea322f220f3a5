import * as z from 'zod';
import { bucketLayout } from '../run/bucket-layout.ts';
import type { DropParts } from '../run/run-id.ts';
import { RUN_KINDS } from '../run/run-kind.ts';
import { compareByteOrder } from '../text/byte-order.ts';
import { parseS3Uri } from '../text/s3-uri.ts';
import { parseWrittenJson } from '../text/written-json.ts';
import type { DropProblem } from './frozen.ts';

/** Where the roles of a run may read from. */
interface ReadablePlaces {
  readonly ownBucket: string;
  /** Folders of the application's own bucket, each with a trailing slash. */
  readonly ownFolders: readonly string[];
  /** Buckets of the stack parameter ReadBuckets, which may be read as a whole. */
  readonly readBuckets: readonly string[];
}

/** Where a run's inputs lie when `job.json` says that they are not in the drop. */
export type DropInput =
  | { readonly kind: 'prefix'; readonly bucket: string; readonly prefix: string }
  | { readonly kind: 'manifest'; readonly bucket: string; readonly key: string };

/**
 * Folders of the application's own bucket that a drop may take inputs from: no other pipeline's. A training may learn from
 * labeled drops.
 */
function inputFolders({ kind, pipeline }: DropParts): string[] {
  const folders = new Set([RUN_KINDS[kind].folder, RUN_KINDS.inference.folder]);
  return [
    ...[...folders].map((folder) => bucketLayout.pipelineFolder(folder, pipeline)),
    bucketLayout.shared(),
  ];
}

const Stated = z.object({
  input: z.union([z.object({ s3Prefix: z.string() }), z.object({ manifest: z.string() })]),
});

const Wait = z.object({
  drop: z.object({
    quietSeconds: z.number().min(0).max(86_400).optional().catch(undefined),
    maxWaitMinutes: z.number().min(1).max(10_080).optional().catch(undefined),
  }),
});

/** The settings of `pipeline.json` and `job.json` that freezing needs. Defaults replace broken ones: PlanRun reports them. */
export function readWaitSettings(
  pipelineText: string | undefined,
  jobText: string | undefined,
): { quietSeconds: number; maxWaitMinutes: number } {
  const [pipeline, job] = [pipelineText, jobText].map(
    (text) => Wait.safeParse(parseLeniently(text)).data?.drop,
  );
  return {
    quietSeconds: job?.quietSeconds ?? pipeline?.quietSeconds ?? 60,
    maxWaitMinutes: job?.maxWaitMinutes ?? pipeline?.maxWaitMinutes ?? 30,
  };
}

const DropsPerDay = z.object({ limits: z.object({ maxDropsPerDay: z.int().min(1).nullable() }) });

/** `limits.maxDropsPerDay` of `pipeline.json`, which freezing asks for; a broken one is the default, and PlanRun reports it. */
export function readMaxDropsPerDay(pipelineText: string | undefined): number | null {
  const stated = DropsPerDay.safeParse(parseLeniently(pipelineText)).data;
  return stated === undefined ? 1_000 : stated.limits.maxDropsPerDay;
}

/** The `input` of `job.json`; undefined if there is none, or none that can be read, which PlanRun refuses. */
export function readDropInput(jobText: string | undefined): { field: string; uri: string } | undefined {
  const stated = Stated.safeParse(parseLeniently(jobText)).data?.input;
  if (stated === undefined) return undefined;
  if ('s3Prefix' in stated) return { field: 'input.s3Prefix', uri: stated.s3Prefix };
  return { field: 'input.manifest', uri: stated.manifest };
}

/** Where the inputs that a job.json states may lie. */
export interface InputPlaces {
  readonly ownBucket: string;
  /** The drop of the job.json. */
  readonly drop: DropParts;
  /** Buckets of the stack parameter ReadBuckets, which may be read as a whole. */
  readonly readBuckets: readonly string[];
}

/** Decides whether a drop of the pipeline may take the stated input. */
export function resolveDropInput(
  { field, uri }: { readonly field: string; readonly uri: string },
  { ownBucket, drop, readBuckets }: InputPlaces,
): DropInput | DropProblem {
  const refuse = (message: string): DropProblem => ({
    file: 'job.json',
    field,
    value: uri,
    message,
  });
  const parsed = parseS3Uri(uri);
  if (parsed === undefined) return refuse(`must be s3://<bucket>/<key>, is ${JSON.stringify(uri)}`);
  const { bucket, key } = parsed;
  const ownFolders = inputFolders(drop);
  const wrong = unreadable({ bucket, key, uri }, { ownBucket, ownFolders, readBuckets });
  if (wrong !== undefined) return refuse(wrong);
  if (field === 'input.manifest')
    return key === '' ? refuse(`must name an object, is ${uri}`) : { kind: 'manifest', bucket, key };
  return { kind: 'prefix', bucket, prefix: key };
}

const ManifestFile = z.tuple([z.object({ prefix: z.string().min(1) })]).rest(z.string().min(1));

/** The objects that a manifest in SageMaker's format names: `[{"prefix":"s3://b/p/"},"a.png",…]`. */
export interface StatedObjects {
  readonly bucket: string;
  readonly prefix: string;
  /** Whole keys, in byte order, each once. */
  readonly keys: readonly string[];
  /** Whole keys as they are listed. */
  readonly listed: readonly string[];
}

/** Reads a manifest in SageMaker's format, or returns why it is invalid. */
export function readSageMakerManifest(uri: string, text: string): StatedObjects | DropProblem {
  const refuse = (message: string): DropProblem => ({
    file: uri,
    field: 'input.manifest',
    value: uri,
    message: `${uri}: ${message}`,
  });
  const file = ManifestFile.safeParse(parseLeniently(text)).data;
  if (file === undefined) {
    return refuse(`must be a JSON array of {"prefix":"s3://bucket/folder/"} and then of keys below it`);
  }
  const [{ prefix }, ...names] = file;
  const parsed = parseS3Uri(prefix);
  if (parsed === undefined)
    return refuse(`prefix must be s3://<bucket>/<prefix>, is ${JSON.stringify(prefix)}`);
  if (names.length === 0) return refuse('must name at least one object, names none');
  const wayUp = names.find((name) => name.split('/').some((folder) => folder === '..' || folder === '.'));
  if (wayUp !== undefined)
    return refuse(`must not name a key with a folder named . or .., names ${JSON.stringify(wayUp)}`);
  const listed = names.map((name) => `${parsed.key}${name}`);
  const keys = [...new Set(listed)].sort(compareByteOrder);
  return { bucket: parsed.bucket, prefix: parsed.key, keys, listed };
}

function parseLeniently(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return parseWrittenJson(text);
  } catch {
    // No message here: the code that needs the content of the file refuses it with line and column.
    return undefined;
  }
}

/** Why a run may not read an object or prefix that a person named; undefined if it may. */
export function unreadable(
  { bucket, key, uri }: { readonly bucket: string; readonly key: string; readonly uri: string },
  { ownBucket, ownFolders, readBuckets }: ReadablePlaces,
): string | undefined {
  // S3 takes such names literally; HTTP clients may resolve them.
  if (key.split('/').some((folder) => folder === '..' || folder === '.'))
    return `must not have a folder named . or .., is ${uri}`;
  if (
    bucket === ownBucket ? ownFolders.some((folder) => key.startsWith(folder)) : readBuckets.includes(bucket)
  )
    return undefined;
  const own = ownFolders.map((folder) => `s3://${ownBucket}/${folder}`);
  const allowed = [...own, ...readBuckets.map((name) => `s3://${name}/`)].join(' or ');
  return `must begin with ${allowed}, is ${uri}: copy it there, or add its bucket to the stack parameter ReadBuckets`;
}

import { type DropParts, evaluationOf, type RunParts, toDropId, toRunId } from './run-id.ts';
import { RUN_KIND_NAMES, RUN_KINDS, type RunKind } from './run-kind.ts';

/** Value of a place in braces: a run, a drop, the folder of a drop's files, a time, a number, or a name. */
type Place<Name extends string> = Name extends 'run'
  ? RunParts
  : Name extends 'drop' | 'dropFolder'
    ? DropParts
    : Name extends 'kind'
      ? RunKind
      : Name extends `${string}:newest`
        ? Date
        : Name extends `${string}:${string}`
          ? number
          : string;

type Places<Template extends string> = Template extends `${string}{${infer Name}}${infer Rest}`
  ? [place: Place<Name>, ...rest: Places<Rest>]
  : [];

type Value = string | number | Date | DropParts | RunParts;

/**
 * Roles that write there, each named after its function, or `model`, `training`, `states` and `predict-shards` for AWS's own services;
 * `people` stands for everybody else. A list is about runs that predict.
 */
export type Writers =
  | readonly string[]
  | {
      readonly inference?: readonly string[];
      readonly training?: readonly string[];
      /** Further writers in runs of evaluation sets. */
      readonly evaluation?: readonly string[];
      /** Roles that delete it, in every kind of run that has it. */
      readonly deletes?: readonly string[];
    };

/** A key of the bucket, and who writes there. */
export interface StoredKey<Given extends unknown[] = never[]> {
  (...given: Given): string;
  /** The key with its places in braces. */
  readonly template: string;
  /** Undefined for a folder in which only documents with rows of their own are written. */
  readonly writers?: Writers;
  /** Whether everything that begins with the key belongs to the row, by names that other people choose. */
  readonly isOpen: boolean;
}

/** A document by its template, such as `runs/{run}/fold/{shard:000000}.json`. */
export function written<const Template extends string>(
  template: Template,
  writers: Writers,
): StoredKey<Places<Template>> {
  return Object.assign(keyOf(template), { template, writers, isOpen: false });
}

/** A folder in which other people choose the names, such as names of inputs. */
export function writtenBelow<const Template extends string>(
  template: Template,
  writers: Writers,
): StoredKey<Places<Template>> {
  return Object.assign(keyOf(template), { template, writers, isOpen: true });
}

/** The beginning of the keys of other rows. */
export function folder<const Template extends string>(template: Template): StoredKey<Places<Template>> {
  return Object.assign(keyOf(template), { template, isOpen: false });
}

/** Beginnings of the names of runs by their kind. */
const PREFIXES = new Map<string, string>(RUN_KIND_NAMES.map((kind) => [kind, RUN_KINDS[kind].prefix]));

/** Files that judge the models which the pipeline trains. */
export const evaluationSet = writtenBelow('pipelines/{pipeline}/evaluation/{name}/', ['people']);

function keyOf<Template extends string>(template: Template): (...given: Places<Template>) => string;
function keyOf(template: string): (...given: readonly Value[]) => string {
  const [first = '', ...parts] = template.split(/[{}]/);
  return (...given) =>
    first + given.map((value, at) => toText(parts[2 * at] ?? '', value) + (parts[2 * at + 1] ?? '')).join('');
}

function toText(place: string, value: Value): string {
  if (typeof value === 'number') return String(value).padStart(place.length - place.indexOf(':') - 1, '0');
  if (value instanceof Date) return String(9_999_999_999_999 - value.getTime()).padStart(13, '0');
  if (typeof value === 'string') return place === 'kind' ? (PREFIXES.get(value) ?? value) : value;
  if (place === 'dropFolder') return toDropFolder(value);
  return place === 'run' && 'generation' in value ? toRunId(value) : toDropId(value);
}

function toDropFolder({ kind, pipeline, drop }: DropParts): string {
  const evaluation = RUN_KINDS[kind].isJudged ? evaluationOf(drop) : undefined;
  return evaluation === undefined
    ? `${RUN_KINDS[kind].folder}/${pipeline}/${drop}/`
    : evaluationSet(pipeline, evaluation);
}

import { CANARY_PIPELINE } from '../src/app/verify/probe/name.ts';
import { bucketLayout } from '../src/run/bucket-layout.ts';
import type { StoredKey } from '../src/run/stored-key.ts';
import { toRoleId } from './generated-roles.ts';

/** Patterns of keys that a role has rights to. */
interface RoleWrites {
  readonly write?: readonly string[];
  readonly delete?: readonly string[];
  /** Keys that `write` reaches, and that belong to others. */
  readonly never?: readonly string[];
}

/** Patterns for places that differ between kinds of runs; every other place is one star. */
const PLACES = {
  inference: { run: '*/*/*', drop: '*/*', kind: '', dropFolder: 'incoming/*/*/' },
  training: { run: 'training/*/*/*', drop: 'training/*/*', kind: 'training/', dropFolder: 'training/*/*/' },
  evaluation: { run: '*/@*/*', drop: '*/@*', kind: '', dropFolder: 'pipelines/*/evaluation/*/' },
} as const;
const KINDS = ['inference', 'training', 'evaluation'] as const;
type Kind = (typeof KINDS)[number];

/** Roles that work for one pipeline. */
const ONE_PIPELINE: Readonly<Record<string, string>> = { canary: CANARY_PIPELINE };
/** Folders of trainings. */
const TRAININGS = /^[a-z]+\/training\//;

/** A row of the layout in runs of one kind. */
export interface Row {
  readonly name: string;
  readonly key: Pick<StoredKey, 'template' | 'isOpen'>;
  readonly kind: Kind;
  readonly writers: readonly string[];
  readonly deleters: readonly string[];
}

/** Rows of the layout that have a writer, once for each kind of run. */
export const ROWS: readonly Row[] = Object.entries(bucketLayout).flatMap(([name, key]) => {
  const { writers } = key;
  if (writers === undefined) return [];
  const { deletes = [], ...by } = 'includes' in writers ? { inference: writers } : writers;
  const kinds = KINDS.filter((kind) => by[kind] !== undefined);
  return (kinds.length === 0 ? KINDS.slice(0, 1) : kinds).map((kind) => ({
    name,
    key,
    kind,
    writers: by[kind] ?? [],
    deleters: deletes,
  }));
});

/**
 * Rights to write of each role, by the writers of the layout. A star of IAM takes slashes along, so a pattern reaches further than its
 * document: where other people choose names, and in trainings, a role is denied what isn't its own.
 */
export function roleWrites(): Readonly<Record<string, RoleWrites>> {
  const names = new Set(ROWS.flatMap(({ writers, deleters }) => [...writers, ...deleters]));
  names.delete('people');
  return Object.fromEntries([...names].sort().map((name) => [toRoleId(name), writesOf(name)]));
}

/** A row's keys as a pattern of IAM, in one pipeline if the role works for one. */
function toPattern({ key, kind }: Row, role: string): string {
  const places: Readonly<Record<string, string>> = PLACES[kind];
  const stars = key.template.replace(/\{([^{}]+)\}/g, (_, place: string) => places[place] ?? '*');
  const pattern = `${stars}${key.isOpen ? '*' : ''}`.replace(/\*+/g, '*');
  return pattern.replace('*', ONE_PIPELINE[role] ?? '*');
}

function writesOf(role: string): RoleWrites {
  const patternsOf = (rows: readonly Row[]): string[] => rows.map((row) => toPattern(row, role));
  const own = ROWS.filter(({ writers }) => writers.includes(role));
  const others = ROWS.filter(({ writers }) => writers.length > 0 && !writers.includes(role));
  const allowed = patternsOf(own);
  // In an open folder of its own every name is the role's.
  const closed = patternsOf(own.filter(({ key }) => !key.isOpen));
  const never = others.flatMap((row) => {
    const pattern = toPattern(row, '');
    const reaches = (one: string): boolean =>
      meet(one, pattern) && (row.kind === 'training' || !TRAININGS.test(one));
    if (!allowed.some(reaches) || allowed.some((one) => covers(pattern, one))) return [];
    const [folder = ''] = TRAININGS.exec(pattern) ?? [];
    if (folder !== '' && !allowed.some((one) => one.startsWith(folder))) return [`${folder}*`];
    return closed.some(reaches) && (row.key.isOpen || row.kind === 'training') ? [pattern] : [];
  });
  const lists = {
    write: widest(allowed),
    delete: widest(patternsOf(ROWS.filter(({ deleters }) => deleters.includes(role)))),
    never: widest(never),
  };
  return Object.fromEntries(Object.entries(lists).filter(([, patterns]) => patterns.length > 0));
}

/** Patterns that no other one of them covers, each once. */
function widest(patterns: readonly string[]): string[] {
  const each = [...new Set(patterns)].sort();
  return each.filter((one) => !each.some((other) => other !== one && covers(other, one)));
}

/** Whether a pattern matches everything that a narrower one does. */
function covers(wide: string, narrow: string): boolean {
  if (wide.startsWith('*'))
    return covers(wide.slice(1), narrow) || (narrow !== '' && covers(wide, narrow.slice(1)));
  return wide.charAt(0) === narrow.charAt(0) && (wide === '' || covers(wide.slice(1), narrow.slice(1)));
}

/** Whether there's a key that both patterns match. */
function meet(a: string, b: string): boolean {
  const [first, second] = [a.charAt(0), b.charAt(0)];
  if (first === '*') return meet(a.slice(1), b) || (b !== '' && meet(a, b.slice(1)));
  if (second === '*') return meet(b, a);
  return first === second && (a === '' || meet(a.slice(1), b.slice(1)));
}

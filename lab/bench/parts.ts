import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { installEngine } from '@inferdrop/model-container/internal/engine-environment';
import { REQUEST_LIMITS } from '../../src/transform/request-limits.ts';
import { pythonEnvironment } from '../python-environment.ts';
import { BUILD } from './build-folder.ts';
import { type BundledModel, MODELS } from './bundles/models.ts';
import { reportSides } from './report/sides.ts';
import { prepared, type SubjectName, SUBJECTS } from './shard/subject.ts';
import { type Cost, type Side, sideBySide } from './side-by-side.ts';

/** A figure: what a further input costs each side, ours first, in microseconds of processor time. */
export interface Figure {
  readonly what: string;
  readonly inputs: number;
  readonly costs: readonly {
    readonly side: string;
    readonly furtherMicroseconds: number;
    readonly wholeSeconds: number;
  }[];
}

/** How much is done: `isSmall` for a round that only shows that all of it works, without what Python would have to install. */
export interface Round {
  readonly isSmall: boolean;
  readonly rounds: number;
}

/** The parts of `npm run bench`. */
export const PARTS: Readonly<Record<string, (round: Round) => Promise<Figure>>> = {
  small: (round) => shard('small', { ...round, few: 1_000, many: 11_000 }),
  photographs: (round) => shard('photographs', { ...round, few: 50, many: 550 }),
  report: (round) => report(10, { ...round, few: 10_000, many: 100_000 }),
  scores: (round) => report(1_001, { ...round, few: 2_000, many: 20_000 }),
  ...Object.fromEntries(
    Object.entries(MODELS).map(([name, model]) => [
      name,
      (round: Round) => bundles(name, model, { ...round, few: 5_000, many: 25_000 }),
    ]),
  ),
};

type Sized = Round & { readonly few: number; readonly many: number };
const SMALL = [4, 40] as const;

async function shard(name: SubjectName, { isSmall, rounds, few, many }: Sized): Promise<Figure> {
  const [small, large] = isSmall ? SMALL : [few, many];
  const folders = new Map([
    [small, await prepared(name, small)],
    [large, await prepared(name, large)],
  ]);
  const side = path.join(import.meta.dirname, 'shard', 'side.ts');
  const given = (inputs: number, file?: string): string[] => [
    folders.get(inputs) ?? '',
    ...(file === undefined ? [] : [file]),
  ];
  const node = (title: string, which: string): Side => ({
    name: title,
    command: (...args) => [process.execPath, side, which, ...given(...args)],
  });
  const python = (title: string, which: string): Side => ({
    name: title,
    command: (...args) => [
      path.join(pythonEnvironment('bench/shard'), 'python'),
      path.join(import.meta.dirname, 'shard', 'classify.py'),
      which,
      ...given(...args),
    ],
  });
  const sides = [node('predict-shard, answers written', 'ours'), node('bare loop, nothing written', 'loop')];
  if (!isSmall) sides.push(python('Daft', 'daft'), python('Ray Data', 'ray'));
  return figure(
    SUBJECTS[name].title,
    large,
    await sideBySide({ sides, small, large, rounds, tolerance: 1e-4 }),
  );
}

async function report(classes: number, { isSmall, rounds, few, many }: Sized): Promise<Figure> {
  const [small, large] = isSmall ? SMALL : [few, many];
  mkdirSync(BUILD, { recursive: true });
  const sides = reportSides({ classes, counts: [small, large], withPython: !isSmall });
  return figure(
    `outputs of ${classes.toLocaleString('en-US')} classes, read, folded, reported`,
    large,
    await sideBySide({ sides, small, large, rounds }),
  );
}

async function bundles(
  name: string,
  { title, framework, type }: BundledModel,
  { isSmall, rounds, few, many }: Sized,
): Promise<Figure> {
  if (framework === 'pytorch') await installEngine('pytorch', (line) => process.stderr.write(`${line}\n`));
  const [small, large] = isSmall ? SMALL : [few, many];
  const program = path.join(import.meta.dirname, 'bundles', 'side.ts');
  const side = (form: string, title: string): Side => ({
    name: title,
    command: (inputs, file) => [
      ...([process.execPath, program, name, form, String(inputs)] as const),
      ...(file === undefined ? [] : [file]),
    ],
  });
  const sides = [
    ...(type === 'text/csv' ? [side('records', `as lines of ${REQUEST_LIMITS.records.inputs}`)] : []),
    side('tar', `in tars of ${REQUEST_LIMITS.tar.inputs}`),
    side('one', 'one by one'),
  ];
  return figure(title, large, await sideBySide({ sides, small, large, rounds, tolerance: 1e-4 }));
}

function figure(what: string, inputs: number, costs: ReadonlyMap<string, Cost>): Figure {
  return { what, inputs, costs: [...costs].map(([side, cost]) => ({ side, ...cost })) };
}

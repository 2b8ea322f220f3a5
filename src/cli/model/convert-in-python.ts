import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { loadAnsweringModel } from '@inferdrop/model-container/internal/onnx-answering-model';
import { runTool, ToolMissing } from '@inferdrop/model-container/internal/run-tool';
import type { Converted, ForPython } from '../../models/source.ts';
import { plural, short } from '../../text/figures.ts';
import { isThere } from '../init/is-there.ts';
import type { Decide } from '../init/question.ts';
import { Refusal } from '../refusal.ts';
import { ROOT } from '../root-folder.ts';

/** The Python that may run a model's program. */
export interface OwnPython {
  /** The one that a person named, and thereby allowed. */
  readonly path: string | undefined;
  /** Asks whether one that was found may. */
  readonly decide?: Decide;
  /** Rows to compare the answers on. */
  readonly sample?: {
    readonly titles: readonly string[] | undefined;
    readonly rows: readonly (readonly string[])[];
  };
}

/** The file that a script writes next to the models. */
const Facts = z.object({
  library: z.string(),
  converter: z.string(),
  columns: z.array(z.string()),
  classes: z.array(z.string()),
  /** Function of the library that gave the answers. */
  method: z.string(),
  /** Whether the rows are the sample's, and not drawn. */
  isSample: z.boolean(),
  rows: z.array(z.array(z.number())).nonempty(),
  answers: z.array(z.array(z.number())),
});

/** Largest difference of two answers, as a share of them from 1 on. */
const MOST_DIFFERENT = 1e-5;

/**
 * Converts a model in the Python that made it, and compares the answers of both.
 *
 * @throws {Refusal} without leave or packages, for a model that isn't converted, and for one that answers otherwise
 */
export async function convertInPython(
  file: string,
  { what, script, packages, strange }: ForPython,
  scratch: string,
  { path: named, decide, sample }: OwnPython = { path: undefined },
): Promise<Converted> {
  if (strange !== undefined && named === undefined)
    throw new Refusal(`${file} would import ${strange}, which no model needs: it was not loaded`);
  const needs = `it needs ${packages.join(' and ')} (pip install ${packages.join(' ')})`;
  const python = named ?? (await foundPython(file));
  if (named === undefined) {
    const text =
      `${file} is ${what}. It is a program, which was read without running it. Let ${python} convert it, with your ` +
      'rights (yes or no)?';
    const answer = await decide?.({
      text,
      option: '--python PATH',
      problem: (typed) => (['yes', 'no'].includes(typed) ? undefined : 'must be yes or no'),
    });
    if (answer !== 'yes')
      throw new Refusal(
        `${file} is ${what}, and is converted by the Python that made it: give it with --python PATH; ${needs}`,
      );
  }
  const folder = await mkdtemp(path.join(scratch, 'python-'));
  const given = path.join(folder, 'sample.json');
  await writeFile(given, JSON.stringify({ titles: sample?.titles ?? [], rows: sample?.rows ?? [] }));
  const imports = packages.map((one) => `version(${JSON.stringify(one.split('=')[0])})`).join(', ');
  const run = (args: readonly string[]): ReturnType<typeof runTool> =>
    runTool(python, args).catch((error: unknown): never => {
      throw error instanceof ToolMissing ? new Refusal(`--python ${python} is not there: ${needs}`) : error;
    });
  const { code: missing } = await run(['-c', `from importlib.metadata import version; print(${imports})`]);
  if (missing !== 0)
    throw new Refusal(
      `${file} is ${what}, and ${python} can't convert it yet: ${python} -m pip install ${packages.join(' ')}`,
    );
  const { code, output } = await run([path.join(ROOT, script), file, given, folder]);
  if (code !== 0)
    throw new Refusal(
      `${file} was not converted by ${python}, which said: ${output.trim().split('\n').at(-1) ?? ''}`,
    );
  const facts = Facts.parse(JSON.parse(await readFile(path.join(folder, 'facts.json'), 'utf8')));
  const { library, converter, columns, classes, method, isSample, rows } = facts;
  const converted = (await readdir(folder)).filter((name) => name.endsWith('.onnx'));
  const models = await Promise.all(converted.map((name) => compare(path.join(folder, name), facts)));
  const [nearest] = models
    .flatMap((one) => ('reason' in one ? [] : [one]))
    .toSorted((a, b) => a.difference - b.difference);
  if (nearest === undefined) {
    const reasons = models.flatMap((one) => ('reason' in one ? [one.reason] : []));
    throw new Refusal(`${file} became no model that answers here: ${reasons.join('; ')}`);
  }
  const { row, here, there, difference } = nearest;
  if (!(difference <= MOST_DIFFERENT))
    throw new Refusal(
      `the converted model answers row ${row + 1} of ${isSample ? 'the sample' : 'drawn numbers'} with ` +
        `${here.map((one) => short(one, 4)).join(', ')}, ${library} with ` +
        `${there.map((one) => short(one, 4)).join(', ')}: it was not packed. Serve it with an inference.py; its model_fn loads it`,
    );
  const drawn = isSample ? 'of the sample' : 'that were drawn';
  return {
    onnx: await readFile(nearest.file),
    library,
    what,
    columns: columns.length === 0 ? undefined : columns,
    classes: classes.length === 0 ? undefined : classes,
    task: classes.length === 0 ? 'regression' : 'classification',
    notes: [
      `converted by ${converter}; largest difference to ${method} on ${plural(rows.length, 'row')} ${drawn}: ` +
        `${difference.toExponential(0)}`,
    ],
  };
}

/** A Python near the model or here, or the machine's. */
async function foundPython(file: string): Promise<string> {
  const environments = [process.env.VIRTUAL_ENV, path.join(path.dirname(file), '.venv'), '.venv'];
  for (const environment of environments) {
    if (environment === undefined) continue;
    const python = path.join(environment, 'bin', 'python');
    if (await isThere(python)) return python;
  }
  return 'python3';
}

/** Answers of a converted model next to the library's, in the row where they differ most. */
interface Compared {
  readonly file: string;
  readonly row: number;
  readonly difference: number;
  readonly here: readonly number[];
  readonly there: readonly number[];
}

/** Compares a converted model with its library; a reason if onnxruntime can't run it. */
async function compare(
  file: string,
  { rows, answers }: z.infer<typeof Facts>,
): Promise<Compared | { readonly reason: string }> {
  const model = await loadAnsweringModel(file, undefined).catch((error: unknown) => ({
    reason: error instanceof Error ? error.message : String(error),
  }));
  if ('reason' in model) return model;
  let furthest: Compared = {
    file,
    row: 0,
    difference: -1,
    here: [],
    there: [],
  };
  try {
    for (const [row, cells] of rows.entries()) {
      const there = answers[row] ?? [];
      const answer = await model.answer(Buffer.from(cells.join(',')));
      if ('refused' in answer) return { reason: answer.refused };
      const scores = [...answer.outputs.values()].findLast(({ dtype }) => dtype.startsWith('float'));
      const here = Array.from(scores?.data ?? [], Number);
      const difference =
        here.length === there.length
          ? Math.max(
              ...here.map(
                (one, at) => Math.abs(one - (there[at] ?? NaN)) / Math.max(1, Math.abs(there[at] ?? 0)),
              ),
            )
          : Infinity;
      if (!(difference <= furthest.difference)) furthest = { file, row, difference, here, there };
      if (Number.isNaN(difference)) break;
    }
  } finally {
    await model.close();
  }
  return furthest;
}

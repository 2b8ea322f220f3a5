import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { runTool, ToolMissing } from '@inferdrop/model-container/internal/run-tool';
import type { ForPython } from '../../models/source.ts';
import { isThere } from '../init/is-there.ts';
import type { Decide } from '../init/question.ts';
import { Refusal } from '../refusal.ts';
import { ROOT } from '../root-folder.ts';

/** The file that a script writes next to its models. */
export const FACTS = 'facts.json';

/** The Python that may run a model's program. */
export interface OwnPython {
  /** The one that a person named, and thereby allowed. */
  readonly path: string | undefined;
  /** One that has what the script needs, to be asked for. */
  readonly usual?: string;
  /** Asks whether one that was found may. */
  readonly decide?: Decide;
  /** Rows to compare the answers on. */
  readonly sample?: {
    readonly titles: readonly string[] | undefined;
    readonly rows: readonly (readonly string[])[];
  };
  /** Image files to compare the answers on. */
  readonly files?: readonly string[];
}

/** A model that Python reads. */
export interface ProgramFile {
  readonly file: string;
  /** The file in words of messages. */
  readonly name: string;
  /** Folder that an environment may lie in. */
  readonly near: string;
  readonly found: ForPython;
  /** Another way to get what the script needs, for messages. */
  readonly instead?: string | undefined;
}

/**
 * Runs the script of a model in its owner's Python, after a yes.
 *
 * @param sample file with the inputs that are compared
 * @param out folder that the script writes to
 * @returns the facts that it wrote there
 * @throws {Refusal} without leave or packages, and for a script that fails, with its last line
 */
export async function runOwnPython(
  { file, name, near, found: { what, script, packages, strange }, instead }: ProgramFile,
  sample: string,
  out: string,
  { path: named, usual, decide }: OwnPython,
): Promise<unknown> {
  if (strange !== undefined && named === undefined)
    throw new Refusal(`${name} would ${strange}: it was not loaded`);
  const needs = `it needs ${new Intl.ListFormat('en').format(packages)} (pip install ${packages.join(' ')})${instead ?? ''}`;
  const python = named ?? usual ?? (await foundPython(near));
  if (named === undefined) {
    const text =
      `${name} is ${what}. It is a program, which was read without running it. Let ${python} convert it, with your ` +
      'rights (yes or no)';
    const answer = await decide?.({
      text,
      option: '--python PATH',
      remedy: needs,
      problem: (typed) => (['yes', 'no'].includes(typed) ? undefined : 'must be yes or no'),
    });
    if (answer !== 'yes')
      throw new Refusal(
        `${name} is ${what}, and is converted by the Python that made it: give it with --python PATH; ${needs}`,
      );
  }
  const run = (options: readonly string[]): ReturnType<typeof runTool> =>
    runTool(python, options).catch((error: unknown): never => {
      throw error instanceof ToolMissing ? new Refusal(`--python ${python} is not there: ${needs}`) : error;
    });
  // tensorflow-cpu and its like are other packages with the same module.
  const names = JSON.stringify(packages.map((one) => one.split('=')[0]));
  const check = `from importlib import metadata, util; [util.find_spec(n) or metadata.version(n) for n in ${names}]`;
  const { code: missing } = await run(['-c', check]);
  if (missing !== 0)
    throw new Refusal(
      `${name} is ${what}, and ${python} can't convert it yet: ${python} -m pip install ${packages.join(' ')}${instead ?? ''}`,
    );
  const { code, output } = await run([path.join(ROOT, script), file, sample, out]);
  const facts = path.join(out, FACTS);
  const last = output.trim().split('\n').at(-1) ?? '';
  if (code !== 0 || !(await isThere(facts)))
    throw new Refusal(
      `${name} was not converted by ${python}, which said: ${last === '' ? 'nothing' : last}. A model that cannot be ` +
        'converted is served with --code and an inference.py that loads it in model_fn',
    );
  return JSON.parse(await readFile(facts, 'utf8'));
}

/** A Python near the model or here, or the machine's. */
async function foundPython(near: string): Promise<string> {
  for (const environment of [process.env.VIRTUAL_ENV, path.join(near, '.venv'), '.venv'])
    for (const program of environment === undefined ? [] : ['bin/python', 'Scripts/python.exe']) {
      const python = path.join(environment ?? '', program);
      if (await isThere(python)) return python;
    }
  return 'python3';
}

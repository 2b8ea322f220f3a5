/**
 * `npm run lab -- trees [--count N] [--seed N]`: random models of XGBoost, LightGBM and CatBoost, converted and run in the
 * product's engine,
 * against the answers of their libraries. Another seed draws other models; without one, the week's.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import * as z from 'zod';
import { loadInThisProcess } from '@inferdrop/savedmodel/internal/load-in-this-process';
import { tensorOfNumbers } from '@inferdrop/savedmodel/internal/tensor-of-numbers';
import type { Tensor } from '@inferdrop/savedmodel/servable-model';
import { convertTrees, type TreeModelKind, treeModelKind, TreesRefused } from '@inferdrop/trees';
import { pythonEnvironment } from '../../python-environment.ts';

const WEEK_MS = 7 * 24 * 3_600_000;
const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '40' },
    seed: { type: 'string' },
    library: { type: 'string' },
  },
});
const seed = values.seed ?? String(Math.floor(Date.now() / WEEK_MS));
const libraries = values.library === undefined ? ['xgboost', 'lightgbm', 'catboost'] : [values.library];

const Facts = z.looseObject({
  file: z.string(),
  rows: z.number(),
  columns: z.number(),
  outputs: z.number(),
  /** Refusals that are right, by a word of the facts. */
  refused: z.boolean(),
});
type Facts = z.infer<typeof Facts>;

/** Largest difference that is taken, relative to answers above 1. */
const BOUND = 1e-6;

type Outcome =
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'answered'; readonly difference: number };

const folder = mkdtempSync(path.join(tmpdir(), 'inferdrop-trees-'));
let wrong = 0;
try {
  const python = path.join(pythonEnvironment('oracle/trees'), 'python');
  process.stdout.write(`seed ${seed}\n`);
  for (const library of libraries) {
    const script = [path.join(import.meta.dirname, 'make_models.py'), folder, library, values.count, seed];
    const { status } = spawnSync(python, script, { stdio: 'inherit' });
    if (status !== 0) process.exit(1);
    wrong += await compareAll(library);
  }
} finally {
  rmSync(folder, { recursive: true });
}
process.exitCode = wrong === 0 ? 0 : 1;

/** Compares all models of a library, and returns how many are wrong. */
async function compareAll(library: string): Promise<number> {
  const differences: number[] = [];
  const refusals = new Map<string, number>();
  const problems: string[] = [];
  for (const name of readdirSync(folder).filter(
    (file) => file.startsWith(library) && file.endsWith('.facts'),
  )) {
    const facts = Facts.parse(JSON.parse(readFileSync(path.join(folder, name), 'utf8')));
    const outcome = await outcomeOf(facts, library);
    if (outcome.kind === 'refused') {
      refusals.set(outcome.reason, (refusals.get(outcome.reason) ?? 0) + 1);
      if (!facts.refused) problems.push(`${facts.file} is refused: ${outcome.reason}`);
    } else {
      differences.push(outcome.difference);
      if (facts.refused) problems.push(`${facts.file} should be refused`);
      if (!(outcome.difference <= BOUND)) problems.push(`${facts.file} differs by ${outcome.difference}`);
    }
    if (problems.length > 0 && problems.at(-1)?.startsWith(facts.file) === true)
      problems.push(`  ${JSON.stringify(facts)}`);
  }
  if (differences.length < Number(values.count) / 2)
    problems.push(`only ${differences.length} of ${values.count} models could be compared`);
  const exact = differences.filter((difference) => difference === 0).length;
  process.stdout.write(
    `${library}: ${differences.length} models compared, ${exact} equal in every bit, largest difference ${Math.max(...differences)}\n`,
  );
  for (const [reason, count] of refusals) process.stdout.write(`  ${count} refused: ${reason}\n`);
  for (const problem of problems) process.stdout.write(`  ${problem}\n`);
  return problems.length;
}

async function outcomeOf(facts: Facts, library: string): Promise<Outcome> {
  const bytes = readFileSync(path.join(folder, facts.file));
  const kind: TreeModelKind | undefined = treeModelKind(bytes);
  if (kind !== library) return { kind: 'refused', reason: `taken for ${kind ?? 'nothing'}` };
  try {
    const { onnx } = convertTrees(bytes, 'the model');
    writeFileSync(path.join(folder, 'model.onnx'), onnx);
  } catch (error) {
    if (!(error instanceof TreesRefused)) throw error;
    return { kind: 'refused', reason: error.message.slice(0, 90) };
  }
  const [inputs, wanted] = [numbersOf(facts, 'rows'), numbersOf(facts, 'answers')];
  const answers = await answersTo(inputs, [facts.rows, facts.columns]);
  const width = answers.data.length / facts.rows;
  // A library answers a yes or no with the probability of yes.
  const skipped = facts.outputs === 1 && width === 2 ? 1 : 0;
  const differences = Array.from(wanted, (value, at) => {
    const row = Math.floor(at / facts.outputs);
    const answer = Number(answers.data[row * width + skipped + (at % facts.outputs)]);
    return answer === value ? 0 : Math.abs(answer - value) / Math.max(1, Math.abs(value));
  });
  return {
    kind: 'answered',
    difference: differences.some(Number.isNaN) ? NaN : differences.reduce((a, b) => Math.max(a, b), 0),
  };
}

function numbersOf({ file }: Facts, what: string): Float64Array {
  return new Float64Array(Uint8Array.from(readFileSync(path.join(folder, `${file}.${what}`))).buffer);
}

async function answersTo(
  cells: Float64Array,
  shape: readonly number[],
): Promise<Exclude<Tensor, { dtype: 'string' }>> {
  const model = await loadInThisProcess(path.join(folder, 'model.onnx'));
  const [signature] = model.signatures;
  const [input] = signature?.inputs ?? [];
  if (signature === undefined || input === undefined) throw new Error('the converted model has no input');
  const dtype = input.dtype === 'float64' ? 'float64' : 'float32';
  const outputs = await model.run(
    signature.name,
    new Map([[input.name, tensorOfNumbers(dtype, shape, Array.from(cells))]]),
  );
  await model.close();
  const [answers] = outputs.values();
  if (answers === undefined || answers.dtype === 'string')
    throw new Error('the converted model has no answers');
  return answers;
}

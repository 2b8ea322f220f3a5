// Judges models that zoo/run.py has saved with TensorFlow's answers: a line each with its conversion's time, the peak
// memory of this process until then, and the largest difference. The folder of one that agrees is removed.
//
//     node zoo.ts FOLDER…
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { halfToNumber } from '../engine/half-precision.ts';
import { type ConvertedSignature, loadModel } from '../engine/load-model.ts';
import { openModelSession } from '../engine/model-session.ts';
import { tensorOfBytes } from '../savedmodel/dense-tensor.ts';
import { type DType, type Tensor, UnsupportedModel } from '../savedmodel/servable-model.ts';

type Described =
  | {
      readonly dtype: Exclude<DType, 'string'>;
      readonly shape: readonly number[];
      readonly data: string;
    }
  | { readonly dtype: 'string'; readonly shape: readonly number[]; readonly data: readonly string[] };

interface Case {
  /** The operation by which the model must be refused; TensorFlow wasn't asked then. */
  readonly refused?: string;
  /** Share of an output's largest magnitude, or of each number's `own`, by which answers may differ. */
  readonly tolerance: number;
  readonly own: boolean;
  readonly inputs: Readonly<Record<string, Described>>;
  readonly outputs: Readonly<Record<string, Described>>;
}

/** Smallest magnitude that a difference is measured by: at a tolerance of 1e-5, 2e-38 and 0 are equal. */
const SMALLEST = 2e-38 / 1e-5;

for (const folder of process.argv.slice(2)) {
  const { agrees, words } = await judge(folder);
  process.stdout.write(`${basename(folder).padEnd(36)} ${words}\n`);
  if (agrees) rmSync(folder, { recursive: true });
}

async function judge(folder: string): Promise<{ readonly agrees: boolean; readonly words: string }> {
  const text = readFileSync(join(folder, 'case.json'), 'utf8');
  const { refused, tolerance, own, inputs, outputs }: Case = JSON.parse(text);
  const started = performance.now();
  let converted: ConvertedSignature;
  try {
    converted = loadModel(folder).convert('serving_default');
  } catch (error) {
    if (!(error instanceof UnsupportedModel)) throw error;
    const agrees = refused !== undefined && error.ops.some((op) => op.split(' ')[0] === refused);
    return { agrees, words: `${agrees ? 'refused:' : 'REFUSED'} ${error.message}` };
  }
  if (refused !== undefined) return { agrees: false, words: `ACCEPTED, in spite of ${refused}` };
  const session = await openModelSession(converted);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const peakMb = Math.round(peakMemoryMb());
  const answer = await session.run(tensors(inputs));
  await session.release();
  const differences = [...tensors(outputs)].map(([output, expected]) => {
    const given = answer.get(output);
    if (given?.dtype !== expected.dtype || given.shape.join() !== expected.shape.join()) return Infinity;
    return relativeDifference(given, expected, own);
  });
  const largest = Math.max(...differences);
  const agrees = largest <= tolerance;
  const wrong = agrees ? '' : `WRONG, more than ${tolerance}`;
  const found = `converted in ${seconds} s, peak memory ${peakMb} MB, largest difference ${largest.toExponential(1)}`;
  return { agrees, words: `${found} ${wrong}` };
}

/** Linux's `maxRSS` counts the program that started this one. */
function peakMemoryMb(): number {
  const status = '/proc/self/status';
  const [, peakKb] = /VmHWM:\s+(\d+)/.exec(existsSync(status) ? readFileSync(status, 'utf8') : '') ?? [];
  return Number(peakKb ?? process.resourceUsage().maxRSS) / 1024;
}

function tensors(described: Readonly<Record<string, Described>>): Map<string, Tensor> {
  return new Map(
    Object.entries(described).map(([key, { dtype, shape, data }]) => [
      key,
      dtype === 'string'
        ? { dtype, shape, data: data.map((text) => Buffer.from(text, 'base64')) }
        : tensorOfBytes(dtype, shape, Buffer.from(data, 'base64'), key),
    ]),
  );
}

/** Infinity for values that must be equal and aren't. */
function relativeDifference(given: Tensor, expected: Tensor, own: boolean): number {
  if (expected.dtype === 'string') {
    const same = expected.data.every((text, index) =>
      Buffer.from(text).equals(Buffer.from(given.data[index] as Uint8Array)),
    );
    return same ? 0 : Infinity;
  }
  const [ours, theirs] = [numbersOf(given), numbersOf(expected)];
  if (!expected.dtype.startsWith('float'))
    return theirs.every((value, index) => value === ours[index]) ? 0 : Infinity;
  const largest = theirs.reduce((most, value) => Math.max(most, Math.abs(value)), Number.MIN_VALUE);
  return theirs.reduce((most, value, index) => {
    const given = ours[index] ?? NaN;
    if (Object.is(value, given)) return most;
    // Numbers that float32 doesn't hold normalized are zero for TensorFlow, or not, by their place in the tensor.
    const magnitude = own ? Math.max(Math.abs(value), SMALLEST) : largest;
    const difference = Math.abs(value - given) / magnitude;
    return Math.max(most, Number.isNaN(difference) ? Infinity : difference);
  }, 0);
}

function numbersOf({ dtype, data }: Tensor): number[] {
  if (dtype === 'float16') return Array.from(data, Number).map(halfToNumber);
  return Array.from<unknown, number>(data, Number);
}

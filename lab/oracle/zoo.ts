// Judges one model that lab/oracle/zoo/run.py has saved with TensorFlow's answer: a line with its conversion's time, the peak
// memory of this process, and the largest difference.
//
//     node zoo.ts NAME FOLDER
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { tensorOfBytes } from '@inferdrop/savedmodel/dense-tensor';
import { halfToNumber } from '@inferdrop/savedmodel/half-precision';
import { loadModel } from '@inferdrop/savedmodel/load-model';
import { type DType, type Tensor, UnsupportedModel } from '@inferdrop/savedmodel/servable-model';
import { openModelSession } from '../../packages/savedmodel/engine/model-session.ts';

type Described =
  | {
      readonly dtype: Exclude<DType, 'string'>;
      readonly shape: readonly number[];
      readonly data: string;
    }
  | { readonly dtype: 'string'; readonly shape: readonly number[]; readonly data: readonly string[] };

interface Case {
  /** Share of an output's largest magnitude by which answers may differ. */
  readonly tolerance: number;
  readonly inputs: Readonly<Record<string, Described>>;
  readonly outputs: Readonly<Record<string, Described>>;
}

const [name = '', folder = ''] = process.argv.slice(2);
const { tolerance, inputs, outputs }: Case = JSON.parse(readFileSync(join(folder, 'case.json'), 'utf8'));
const started = performance.now();
const session = await openModelSession(convert());
const tookMs = performance.now() - started;
const peakMb = peakMemoryMb();
const answer = await session.run(tensors(inputs));
await session.release();
const differences = [...tensors(outputs)].map(([output, expected]) => {
  const given = answer.get(output);
  if (given?.dtype !== expected.dtype || given.shape.join() !== expected.shape.join()) return Infinity;
  return relativeDifference(given, expected);
});
const largest = Math.max(...differences);
const agrees = largest <= tolerance;
process.stdout.write(
  `${name.padEnd(36)} converted in ${(tookMs / 1000).toFixed(1)} s, peak memory ${Math.round(peakMb)} MB, ` +
    `largest difference ${largest.toExponential(1)} ${agrees ? '' : `WRONG, more than ${tolerance}`}\n`,
);
process.exitCode = agrees ? 0 : 1;

/** The converted signature. What is refused ends the program with its reason. */
function convert() {
  try {
    return loadModel(folder).convert('serving_default');
  } catch (error) {
    if (!(error instanceof UnsupportedModel)) throw error;
    process.stdout.write(`${name.padEnd(36)} REFUSED ${error.message}\n`);
    process.exit(1);
  }
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

/** Infinity for what must be equal and is not. */
function relativeDifference(given: Tensor, expected: Tensor): number {
  if (expected.dtype === 'string') {
    const same = expected.data.every((text, index) =>
      Buffer.from(text).equals(Buffer.from(given.data[index] as Uint8Array)),
    );
    return same ? 0 : Infinity;
  }
  const [ours, theirs] = [numbersOf(given), numbersOf(expected)];
  if (!expected.dtype.startsWith('float'))
    return theirs.every((value, index) => value === ours[index]) ? 0 : Infinity;
  const magnitude = theirs.reduce((most, value) => Math.max(most, Math.abs(value)), Number.MIN_VALUE);
  return theirs.reduce((most, value, index) => {
    const difference = Object.is(value, ours[index]) ? 0 : Math.abs(value - (ours[index] ?? NaN)) / magnitude;
    return Math.max(most, Number.isNaN(difference) ? Infinity : difference);
  }, 0);
}

function numbersOf({ dtype, data }: Tensor): number[] {
  if (dtype === 'float16') return Array.from(data, Number).map(halfToNumber);
  return Array.from<unknown, number>(data, Number);
}

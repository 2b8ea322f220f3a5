import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { crc32, gunzipSync } from 'node:zlib';
import { tensorOfBytes } from '@inferdrop/savedmodel/internal/dense-tensor';
import { elementSizeBytes } from '@inferdrop/savedmodel/internal/element-type';
import { halfToNumber } from '@inferdrop/savedmodel/internal/half-precision';
import { type LoadedModel, loadModel } from '@inferdrop/savedmodel/internal/load-model';
import { type DType, type Tensor, UnsupportedModel } from '@inferdrop/savedmodel/servable-model';
import { sliceRows } from '../../engine/join-tensors.ts';
import { type ModelSession, openModelSession } from '../../engine/model-session.ts';

type Described =
  | readonly [name: string, dtype: Exclude<DType, 'string'>, shape: readonly number[]]
  /** Strings in base64. */
  | readonly [name: string, dtype: 'string', shape: readonly number[], texts: readonly string[]];

interface Entry {
  readonly name: string;
  readonly op: string;
  readonly scale: number;
  readonly tolerance?: number;
  readonly inputs: readonly Described[];
  readonly outputs?: readonly Described[];
  readonly error?: string;
  readonly optimized?: boolean;
  readonly kernels?: boolean;
}

/** One case of `lab/operations/cases.py`: a signature of a model, its feeds, and TensorFlow's answer or error. */
interface OperationCase {
  readonly name: string;
  readonly op: string;
  readonly scale: number;
  readonly tolerance: number | undefined;
  /** Whether TensorFlow's optimizer changes its answer. */
  readonly isOptimized: boolean;
  /** Whether TensorFlow answers otherwise for a row alone, or takes numbers on the way for zero: what its kernels decide. */
  readonly isOfKernels: boolean;
  readonly inputs: ReadonlyMap<string, Tensor>;
  readonly expected: ReadonlyMap<string, Tensor> | { readonly error: string };
}

/** What became of a case. */
export interface Judgment {
  readonly op: string;
  readonly name: string;
  /**
   * `stopped`: TensorFlow answers, and onnxruntime fails the request with an error. `kernels`: a chain shows a bit in which
   * kernels differ, since what follows rounds it or makes it large.
   */
  readonly verdict: 'equal' | 'refused' | 'stopped' | 'kernels' | 'wrong';
  readonly isOptimized: boolean;
  /** Whether a row alone has another answer than in a batch, where the graph shows that rows are independent. */
  readonly differsAlone?: boolean;
  /** What is refused or said, or how the answers differ. */
  readonly detail: string;
}

/** The cases of a file with the model that holds their graphs. */
export function readCases(file: string): {
  readonly model: LoadedModel;
  readonly cases: readonly OperationCase[];
} {
  const bytes = gunzipSync(readFileSync(file));
  const textSize = bytes.readUInt32LE(0);
  const modelSize = bytes.readUInt32LE(4);
  const { cases }: { cases: readonly Entry[] } = JSON.parse(bytes.subarray(8, 8 + textSize).toString());
  let position = 8 + textSize + modelSize;
  const read = (described: readonly Described[]) =>
    new Map(
      described.map(([name, dtype, shape, texts]) => {
        if (dtype === 'string') {
          const data = texts.map((text) => Buffer.from(text, 'base64'));
          return [name, { dtype, shape, data } as Tensor] as const;
        }
        const size = shape.reduce((product, length) => product * length, 1) * elementSizeBytes(dtype);
        const tensor = tensorOfBytes(dtype, shape, bytes.subarray(position, position + size), name);
        position += size;
        return [name, tensor] as const;
      }),
    );
  const folder = mkdtempSync(join(tmpdir(), 'operations-'));
  try {
    writeFileSync(join(folder, 'saved_model.pb'), bytes.subarray(8 + textSize, 8 + textSize + modelSize));
    const model = loadModel(folder);
    return {
      model,
      cases: cases.map(({ name, op, scale, tolerance, inputs, outputs, error = '', ...more }) => {
        const { optimized = false, kernels = false } = more;
        const given = read(inputs);
        const expected = outputs ? read(outputs) : { error };
        return {
          name,
          op,
          scale,
          tolerance,
          inputs: given,
          expected,
          isOptimized: optimized,
          isOfKernels: kernels,
        };
      }),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * Runs the cases of a file, or a share of them. `before` is called with each case, so that a crash can be attributed.
 *
 * @param oneOf 3 for about a third of them, which their names choose, and the first four of each operation
 */
export async function judgeCases(
  file: string,
  before: (name: string) => void = () => undefined,
  oneOf = 1,
): Promise<readonly Judgment[]> {
  const { model, cases } = readCases(file);
  const judgments: Judgment[] = [];
  const taken = new Map<string, number>();
  for (const one of cases) {
    const [operation = ''] = one.op.split(' ');
    const count = taken.get(operation) ?? 0;
    if (count >= 4 && crc32(`${one.op} ${one.name}`) % oneOf !== 0) continue;
    taken.set(operation, count + 1);
    before(`${one.op} ${one.name}`);
    const { op, name, isOptimized } = one;
    judgments.push({ op, name, isOptimized, ...(await judge(model, one)) });
  }
  return judgments;
}

async function judge(
  model: LoadedModel,
  one: OperationCase,
): Promise<Omit<Judgment, 'op' | 'name' | 'isOptimized'>> {
  let answer: ReadonlyMap<string, Tensor>;
  let differsAlone = false;
  try {
    const converted = model.convert(one.name);
    const session = await openModelSession(converted);
    try {
      answer = await session.run(one.inputs);
      if (one.op.startsWith('chain ') && converted.mixedBy === undefined)
        differsAlone = await differsByRow(session, one.inputs, answer);
    } finally {
      await session.release();
    }
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    if (error instanceof UnsupportedModel) return { verdict: 'refused', detail: error.message };
    const isNamed = error.name === 'InvalidFeeds' || error.name === 'BrokenModel';
    if (isNamed && 'error' in one.expected) return { verdict: 'equal', detail: error.message };
    const verdict = error.name === 'InvalidFeeds' ? 'stopped' : 'wrong';
    return { verdict, detail: `${error.name}: ${error.message}` };
  }
  if ('error' in one.expected) return { verdict: 'wrong', detail: `no error, but ${one.expected.error}` };
  const difference = differenceOf(answer, one.expected, one);
  return difference === undefined
    ? { verdict: 'equal', detail: '', differsAlone }
    : {
        verdict: one.isOfKernels || OF_KERNELS.test(one.op) ? 'kernels' : 'wrong',
        detail: difference,
        differsAlone,
      };
}

/**
 * Inverses are off by a bit by their place in TensorFlow's tensors, as are some powers, softplus, expm1 and log1p; atan
 * ends elsewhere; a remainder makes any last bit large; softmax of a row with NaN is 0 there, and Relu6 of -0 has no
 * sign.
 */
const OF_KERNELS =
  /^chain .*\b(recip|rsqrt|pow-|pow4|pow1.5|mod|softmax|softplus|expm1|log1p|atan|relu6)|^chain .*r\/1\b/;

/** Sends the rows of a batch one by one, from the last to the first. */
async function differsByRow(
  session: ModelSession,
  inputs: ReadonlyMap<string, Tensor>,
  answer: ReadonlyMap<string, Tensor>,
) {
  const [rows = 0] = [...inputs.values()].map(({ shape }) => shape[0]);
  if ([...inputs.values(), ...answer.values()].some(({ shape }) => shape[0] !== rows)) return false;
  for (let row = rows - 1; row >= 0; row--) {
    const own = new Map([...inputs].map(([name, tensor]) => [name, sliceRows(tensor, row, row + 1)]));
    const alone = await session.run(own);
    for (const [name, tensor] of answer) {
      const part = sliceRows(tensor, row, row + 1);
      if (!isDeepStrictEqual(part.data, alone.get(name)?.data)) return true;
    }
  }
  return false;
}

const TOLERANCE: Partial<Readonly<Record<DType, number>>> = { float32: 1e-5, float64: 1e-9, float16: 2e-3 };

function elementOf({ dtype, data }: Tensor, index: number) {
  const element = data[index];
  return dtype === 'float16' ? halfToNumber(Number(element)) : element;
}

export function differenceOf(
  answer: ReadonlyMap<string, Tensor>,
  expected: ReadonlyMap<string, Tensor>,
  { scale, tolerance }: OperationCase,
): string | undefined {
  for (const [name, right] of expected) {
    const given = answer.get(name);
    if (given === undefined) return `no ${name}`;
    if (given.dtype !== right.dtype) return `${name} is ${given.dtype}, not ${right.dtype}`;
    if (given.shape.join() !== right.shape.join())
      return `${name} has shape [${given.shape.join()}], not [${right.shape.join()}]`;
    const allowed = tolerance ?? TOLERANCE[right.dtype];
    for (let index = 0; index < right.data.length; index++) {
      const ours = elementOf(given, index);
      const theirs = elementOf(right, index);
      if (Object.is(ours, theirs)) continue;
      if (ours instanceof Uint8Array && theirs instanceof Uint8Array) {
        if (Buffer.compare(ours, theirs) === 0) continue;
        return `${name}[${index}] is "${String(Buffer.from(ours))}", not "${String(Buffer.from(theirs))}"`;
      }
      const equal =
        allowed !== undefined &&
        Number.isFinite(theirs) &&
        Math.abs(Number(ours) - Number(theirs)) <= allowed * Math.max(scale, Math.abs(Number(theirs)));
      if (!equal) return `${name}[${index}] is ${String(ours)}, not ${String(theirs)}`;
    }
  }
  return undefined;
}

import { isUtf8 } from 'node:buffer';
import * as z from 'zod';
import { toJsonLine } from '../text/json-lines.ts';
import { parsedJson } from '../text/parse-json.ts';
import type { BatchDependence } from './batch-dependence.ts';

const Count = z.int().nonnegative();

/** The first line of a bundle of answers: what a comparison with the inputs needs. */
export const BundleHead = z.object({
  /** Inputs of the bundle. */
  inputs: Count,
  /** Those without an answer: the place in the bundle, ascending, and a status as in HTTP. */
  failed: z.array(z.tuple([Count, z.int()])),
  /** Milliseconds of work; null if unknown. */
  ms: z.number().nonnegative().nullable(),
  /** Memory in MB that was paid for; null if memory isn't billed. */
  memoryMB: z.number().nonnegative().nullable(),
  /** Name and version of the program that ran the model; absent if the job's log says it. */
  runtime: z.string().optional(),
  /** Notes for the report, in sentences; absent without any. */
  notes: z.array(z.string()).optional(),
  /** Whether any of its answers were made together. */
  isJoint: z.boolean(),
  /**
   * Whether its process had found, by then, that inputs are answered differently together than on their own; absent if it never
   * answers inputs together.
   */
  differs: z.boolean().optional(),
});
export type BundleHead = z.infer<typeof BundleHead>;
const DependenceOfHead = BundleHead.pick({ isJoint: true, differs: true });

/** The head of a text of answers; undefined if its first line is no head. */
export function headOf(answers: string): BundleHead | undefined {
  return BundleHead.safeParse(parsedJson(answers.split('\n', 1)[0] ?? '')).data;
}

/** The head as a line. */
export function toBundleHead(head: BundleHead): string {
  return toJsonLine(head);
}

/** A line with the answer for an input, byte for byte as the model's handler gave it. */
export function toAnswerLine(key: string, answer: Uint8Array): string {
  const text = Buffer.from(answer.buffer, answer.byteOffset, answer.byteLength);
  return isUtf8(text)
    ? toJsonLine({ key, output: text.toString() })
    : toJsonLine({ key, base64: text.toString('base64') });
}

/** A line with the reason why an input has no answer. */
export function toErrorLine(
  key: string,
  error: { readonly status: number; readonly message: string },
): string {
  return toJsonLine({ key, error });
}

/** A reading of a bundle of answers by place: lines are found at once, and read on demand. */
export class OutputBundle {
  readonly #bytes: Buffer;
  /** Beginnings of the lines, with the end of the last one. */
  readonly #starts: readonly number[];

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const starts = [0];
    for (let at = this.#bytes.indexOf(10); at >= 0; at = this.#bytes.indexOf(10, at + 1)) starts.push(at + 1);
    if (starts.at(-1) !== bytes.length) starts.push(bytes.length + 1);
    this.#starts = starts;
  }

  /** Whether its answers may depend on each other, by its head. */
  get dependence(): BatchDependence {
    const { isJoint, differs = false } = DependenceOfHead.parse(this.#line(-1));
    return { isJoint, differs };
  }

  /** The answer for the input at a place; undefined if there is none. */
  answer(index: number): Uint8Array | undefined {
    const line = this.#line(index);
    if (line === undefined) return undefined;
    if ('output' in line && typeof line.output === 'string') return Buffer.from(line.output);
    if ('base64' in line && typeof line.base64 === 'string') return Buffer.from(line.base64, 'base64');
    return undefined;
  }

  /** Words of the model about the input at a place, which it has not answered; empty if there are none. */
  message(index: number): string {
    const line = this.#line(index);
    const error = line !== undefined && 'error' in line ? line.error : undefined;
    return typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : '';
  }

  #line(index: number): object | undefined {
    const start = this.#starts[index + 1];
    const end = this.#starts[index + 2];
    if (start === undefined || end === undefined) return undefined;
    const value: unknown = JSON.parse(this.#bytes.toString('utf8', start, end - 1));
    return typeof value === 'object' && value !== null ? value : undefined;
  }
}

import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { extract } from 'tar-stream';
import * as z from 'zod';
import type { ServableModel } from '@inferdrop/savedmodel/servable-model';
import type { TorchAnswer, TorchRequest } from '../pytorch/torch-worker.ts';
import { answerRequest } from './answer-request.ts';
import type { ImageSettings } from './read-image.ts';

const About = z.object({ inputs: z.int().nonnegative(), contentType: z.string() });
const Records = z.tuple([About], z.string().nullable());

/** Whether a request holds many inputs: a tar, or records as lines. */
export function isBundle({ headers }: Pick<TorchRequest, 'headers'>): boolean {
  return /^application\/(?:x-tar|vnd\.inferdrop\.records)\s*(?:;|$)/i.test(
    headerOf(headers, 'content-type') ?? '',
  );
}

/** Answers many inputs as `python/bundle_inference.py` of the PyTorch container does for a handler with `transform_fn`. */
export async function answerBundle(
  model: ServableModel,
  { headers, body }: Pick<TorchRequest, 'headers' | 'body'>,
  images: ImageSettings | undefined,
  maxResponseBytes: number,
): Promise<TorchAnswer> {
  const began = performance.now();
  const isTar = /x-tar/i.test(headerOf(headers, 'content-type') ?? '');
  const { about, inputs } = isTar ? await filesOf(body) : recordsOf(body);
  const own = { accept: headerOf(headers, 'accept') ?? '*/*', 'content-type': about.contentType };
  const outcomes = await Promise.all(
    Array.from({ length: about.inputs }, async (_, at) => {
      const input = inputs[at];
      if (input === undefined) return refusal(404, 'it was not there when the bundle was made');
      return toOutcome(await answerRequest(model, { headers: own, body: input }, images));
    }),
  );
  const failed: [number, number][] = [];
  let left = maxResponseBytes - 64 * (about.inputs + 16);
  const lines = outcomes.map((found, at) => {
    let outcome: Outcome = found;
    let line = JSON.stringify({ ...outcome, key: nameOf(at) });
    if (line.length > left) {
      const message = `its answer has ${line.length} bytes, and a bundle's answers may have at most ${maxResponseBytes}`;
      outcome = refusal(413, message);
      line = JSON.stringify({ ...outcome, key: nameOf(at) });
    }
    left -= line.length;
    if ('error' in outcome) failed.push([at, outcome.error.status]);
    return line;
  });
  const ms = Math.round(performance.now() - began);
  const head = JSON.stringify({ inputs: about.inputs, failed, ms, memoryMB: null, isJoint: false });
  return {
    kind: 'answer',
    status: 200,
    headers: { 'content-type': 'application/jsonl' },
    body: Buffer.from(`${[head, ...lines].join('\n')}\n`),
  };
}

type Refusal = { readonly error: { readonly status: number; readonly message: string } };
type Outcome = { readonly output: string } | { readonly base64: string } | Refusal;

function refusal(status: number, message: string): Refusal {
  return { error: { status, message } };
}

function toOutcome(answer: TorchAnswer): Outcome {
  if (answer.kind === 'failed') return refusal(answer.status, answer.message);
  const text = answer.body.toString();
  if (answer.status >= 400) return refusal(answer.status, text.trimEnd());
  return Buffer.from(text).equals(answer.body)
    ? { output: text }
    : { base64: answer.body.toString('base64') };
}

function nameOf(at: number): string {
  return String(at).padStart(6, '0');
}

function headerOf(headers: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.entries(headers).find(([found]) => found.toLowerCase() === name)?.[1];
}

interface Opened {
  readonly about: z.infer<typeof About>;
  /** Bodies by place; undefined for one that is gone. */
  readonly inputs: readonly (Uint8Array | undefined)[];
}

async function filesOf(tar: Uint8Array): Promise<Opened> {
  const files = new Map<string, Buffer>();
  for await (const entry of Readable.from([Buffer.from(tar)]).pipe(extract()))
    files.set(entry.header.name, await buffer(entry));
  const about = About.parse(JSON.parse(files.get('bundle.json')?.toString() ?? 'null'));
  return { about, inputs: Array.from({ length: about.inputs }, (_, at) => files.get(nameOf(at))) };
}

/** Lines of JSON: what is said of the records, then each as a text. */
function recordsOf(body: Uint8Array): Opened {
  const lines = Buffer.from(body).toString().split('\n').filter(Boolean);
  const [about, ...records] = Records.parse(lines.map((line): unknown => JSON.parse(line)));
  return { about, inputs: records.map((record) => (record === null ? undefined : Buffer.from(record))) };
}

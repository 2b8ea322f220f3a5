// Packs, inspects and serves the models that make_models.py has written, and compares every answer with the handler's and the library's.
//
//     node compare.ts FOLDER
import { createReadStream, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as z from 'zod';
import { createContainerHost } from '@inferdrop/model-container/container-host';
import { unpackModelArchive } from '@inferdrop/model-container/internal/model-archive';
import { packModel } from '../../../src/cli/model/enter-model.ts';
import { inspectModel } from '../../../src/cli/model/inspect-model.ts';
import { onnx } from '../../../src/frameworks/onnx/archive.ts';

const Case = z.object({
  images: z.unknown(),
  requests: z.array(
    z.object({
      contentType: z.string(),
      accept: z.string(),
      status: z.int(),
      answer: z.string(),
      /** Answers of the model's own library, by outputs; null if it wasn't called. */
      own: z.record(z.string(), z.unknown()).nullable(),
    }),
  ),
});
type Request = z.infer<typeof Case>['requests'][number];

/** Libraries compute with other kernels than onnxruntime; the handler with the same ones. */
const OF_LIBRARY = 2e-4;
const OF_HANDLER = 1e-6;

const [folder = ''] = process.argv.slice(2);
const work = mkdtempSync(path.join(tmpdir(), 'inferdrop-onnx-oracle-'));
const start = createContainerHost({ notice: () => undefined });
const wrong: string[] = [];
let compared = 0;
const names = readdirSync(folder).sort();
for (const name of names) {
  const before = wrong.length;
  const count = await judge(name);
  compared += count;
  process.stdout.write(
    `${name.padEnd(40)} ${count} answers ${wrong.length === before ? 'agree' : 'WRONG'}\n`,
  );
}
await rm(work, { recursive: true, force: true });
for (const line of wrong) process.stdout.write(`${line}\n`);
process.stdout.write(`${names.length} ONNX models, ${compared} answers, ${wrong.length} wrong\n`);
process.exitCode = wrong.length === 0 && compared > 0 ? 0 : 1;

async function judge(name: string): Promise<number> {
  const source = path.join(folder, name);
  const { images, requests } = Case.parse(JSON.parse(readFileSync(path.join(source, 'case.json'), 'utf8')));
  const archive = path.join(work, `${name}.tar.gz`);
  await packModel({ model: path.join(source, 'model.onnx'), code: undefined, output: archive });
  const { problems } = await inspectModel(archive);
  wrong.push(...problems.map((problem) => `${name}: the archive ${problem}`));
  const modelDir = path.join(work, name);
  await unpackModelArchive(createReadStream(archive), modelDir);
  await mkdir(path.join(modelDir, 'code'), { recursive: true });
  for (const file of onnx.ownHandler([])) await writeFile(path.join(modelDir, file.name), file.body);
  const container = start({
    image: 'r/pytorch-inference:2.6.0-cpu-py312',
    modelDir,
    cores: 1,
    environment: images === null ? {} : { INFERDROP_ONNX_IMAGES: JSON.stringify(images) },
    networkIsolation: false,
    log: () => undefined,
  });
  try {
    const url = await container.listening;
    for (const [at, request] of requests.entries()) {
      const response = await fetch(`${url.href}/invocations`, {
        method: 'POST',
        headers: { 'content-type': request.contentType, accept: request.accept },
        body: Uint8Array.from(readFileSync(path.join(source, `${at}.request`))),
      });
      const found = difference(request, response.status, Buffer.from(await response.arrayBuffer()));
      if (found !== undefined) wrong.push(`${name}, request ${at} (${request.contentType}): ${found}`);
    }
  } catch (error) {
    wrong.push(`${name}: ${String(error)}`);
  } finally {
    await container.stop();
  }
  return requests.length;
}

function difference(request: Request, status: number, body: Buffer): string | undefined {
  const { answer, accept, own } = request;
  if (status !== request.status)
    return `status ${status} and not ${request.status}: ${body.toString().slice(0, 200)} / ${answer.slice(0, 200)}`;
  // The words of libraries that cannot read a request are their own.
  if (status !== 200)
    return firstWords(body.toString()) === firstWords(answer) ? undefined : `${body.toString()} / ${answer}`;
  if (accept === 'application/x-npy')
    return body.toString('hex') === answer ? undefined : 'other bytes than NumPy writes';
  const ours = numbersOf(body.toString(), accept);
  const theirs = numbersOf(answer, accept);
  const apart = farthest(ours, theirs);
  if (apart > OF_HANDLER)
    return `${apart} from the handler: ${body.toString().slice(0, 200)} / ${answer.slice(0, 200)}`;
  if (own === null) return undefined;
  const far = farthest(ours, libraryNumbers(own, body.toString()));
  return far > OF_LIBRARY ? `${far} from the library: ${body.toString().slice(0, 200)}` : undefined;
}

function firstWords(text: string): string {
  return text.split(/[:\n]/)[0] ?? '';
}

/** Leaves of an answer in their order: numbers, and texts as they are. */
function numbersOf(text: string, accept: string): unknown[] {
  if (accept === 'text/csv') return text.split(/[,\n]/).map((cell) => (cell === '' ? cell : Number(cell)));
  return text
    .split('\n')
    .filter((line) => line !== '')
    .flatMap((line) => leaves(parse(line)));
}

function parse(line: string): unknown {
  return JSON.parse(line.replace(/\b(?:NaN|-?Infinity)\b/g, (name) => `"${name}"`));
}

function leaves(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.flatMap(leaves);
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leaves) : [value];
}

/** The library's answer in the order of ours. */
function libraryNumbers(own: Readonly<Record<string, unknown>>, text: string): unknown[] {
  const { label, probabilities, outputs, predictions } = own;
  if (label === undefined) {
    const [first] = Array.isArray(outputs) ? outputs : [];
    if (Array.isArray(outputs) && outputs.length > 1) return leavesByRecord(outputs, text);
    return leaves(predictions ?? first);
  }
  if (!Array.isArray(label) || !Array.isArray(probabilities)) return [];
  return label.flatMap((one, at) => [one, ...leaves(probabilities[at])]);
}

function leavesByRecord(outputs: readonly unknown[], text: string): unknown[] {
  const answer: unknown = parse(text);
  const records = leaves(answer).length === 0 ? [] : outputs;
  const [first] = records;
  return (Array.isArray(first) ? first : []).flatMap((_, at) =>
    records.flatMap((output) => leaves(Array.isArray(output) ? output[at] : output)),
  );
}

function farthest(ours: readonly unknown[], theirs: readonly unknown[]): number {
  if (ours.length !== theirs.length) return Infinity;
  return ours.reduce<number>((most, value, at) => Math.max(most, apartBy(value, theirs[at])), 0);
}

function apartBy(one: unknown, other: unknown): number {
  if (typeof one !== 'number' || typeof other !== 'number')
    return Object.is(one, other) || String(one) === String(other) ? 0 : Infinity;
  if (Number.isNaN(one) && Number.isNaN(other)) return 0;
  return Math.abs(one - other) / Math.max(1, Math.abs(other));
}

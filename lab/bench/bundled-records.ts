/**
 * Milliseconds of a container for 1,000 records of a table, 10 of them bad, over HTTP: one by one, as tars of 64, and as lines.
 *
 *     node lab/bench/bundled-records.ts tensorflow onnx pytorch [--rounds 5]
 *
 * Answers are compared with those of single requests, and so is what is refused. PyTorch must be installed (`inferdrop parts install pytorch`); its
 * model and script are the smallest that read CSV.
 */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { parseArgs } from 'node:util';
import { gunzipSync, gzipSync } from 'node:zlib';
import { createContainerHost } from '@inferdrop/model-container/container-host';
import { unpackModelArchive } from '@inferdrop/model-container/model-archive';
import { createContainerClient } from '../../packages/laptop/sagemaker/jobs/invoke-container.ts';
import { modelArchive } from '../../packages/model-container/test/support/model-archive.ts';
import { rowNetwork } from '../../packages/model-container/test/support/row-network.ts';
import { type AddedFile, appendToTar } from '../../src/model/append-to-tar.ts';
import { bundleFiles } from '../../src/model/bundle/bundle-files.ts';
import { handlerFiles } from '../../src/model/onnx/handler-files.ts';
import { OutputBundle } from '../../src/transform/output-bundle.ts';
import { BUNDLE_TYPES, REQUEST_LIMITS } from '../../src/transform/request-limits.ts';
import { random } from '../../test/support/random.ts';
import { softmaxOnnx } from '../../test/support/softmax-onnx.ts';

const RECORDS = 1_000;
const BAD = 100;
const TYPE = 'text/csv';
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '5' } },
});

const LINEAR = `
import torch
torch.set_num_threads(1)
from sagemaker_inference.errors import GenericInferenceToolkitError
def model_fn(model_dir):
    torch.manual_seed(1)
    return torch.nn.Sequential(torch.nn.Linear(30, 32), torch.nn.ReLU(), torch.nn.Linear(32, 2), torch.nn.Softmax(1)).eval()
def input_fn(data, content_type):
    try:
        return torch.tensor([[float(cell) for cell in data.split(',')]])
    except ValueError as error:
        raise GenericInferenceToolkitError(400, str(error), str(error))
def predict_fn(data, model):
    with torch.no_grad():
        return model(data)
`;

interface Model {
  readonly framework: 'tensorflow' | 'onnx' | 'pytorch';
  readonly image: string;
  readonly columns: number;
  readonly archive: () => Promise<Buffer>;
  /** The archive's own script, or inferdrop's. */
  readonly own: string | Uint8Array | undefined;
}

const [onnxScript] = handlerFiles(['model.onnx']).filter(({ name }) => name === 'code/inference.py');
const MODELS: readonly Model[] = [
  {
    ...{ framework: 'tensorflow', image: 'r/tensorflow-inference:2.19.0-cpu', columns: 6 },
    ...{ archive: rowNetwork, own: undefined },
  },
  {
    ...{
      framework: 'onnx',
      image: 'r/pytorch-inference:2.6.0-cpu-py312',
      columns: 30,
      own: onnxScript?.body,
    },
    archive: () =>
      modelArchive({ 'model.onnx': Buffer.from(softmaxOnnx(30)), ...textsOf(handlerFiles(['model.onnx'])) }),
  },
  {
    ...{ framework: 'pytorch', image: 'r/pytorch-inference:2.6.0-cpu-py312', columns: 30, own: LINEAR },
    archive: () => modelArchive({ 'code/inference.py': LINEAR }),
  },
];

function textsOf(files: readonly AddedFile[]): Record<string, Buffer> {
  return Object.fromEntries(files.map(({ name, body }) => [name, Buffer.from(body)]));
}

async function serve(image: string, archive: Buffer) {
  const modelDir = mkdtempSync(join(tmpdir(), 'records-'));
  await unpackModelArchive(Readable.from([archive]), modelDir);
  const host = createContainerHost({})({
    ...{ image, modelDir, environment: { SAGEMAKER_MODEL_SERVER_WORKERS: '1' }, networkIsolation: false },
    log: () => undefined,
  });
  const client = createContainerClient(await host.listening, new AbortController().signal);
  const ask = async (body: Buffer, type: string) => {
    const answer = await client.invoke(body, { 'content-type': type, accept: 'application/json' }, 60_000);
    return { status: answer.status, body: answer.body };
  };
  return { ask, stop: () => host.stop() };
}

async function asTar(records: readonly string[]): Promise<Buffer> {
  const about = JSON.stringify({ inputs: records.length, contentType: TYPE });
  const files = records.map((body, at) => ({ name: String(at).padStart(6, '0'), body: Buffer.from(body) }));
  const all = [{ name: 'bundle.json', body: Buffer.from(about) }, ...files];
  return Buffer.concat(await Array.fromAsync(appendToTar(nothing(), all)));
}
async function* nothing(): AsyncGenerator<Uint8Array> {}

function asRecords(records: readonly string[]): Buffer {
  const lines = [{ inputs: records.length, contentType: TYPE }, ...records];
  return Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}

/** Best of several rounds, in milliseconds; the last result. */
async function timed<T>(work: () => Promise<T>): Promise<readonly [ms: number, result: T]> {
  let best = Infinity;
  let result = await work();
  for (let round = 0; round < Number(values.rounds); round++) {
    const began = performance.now();
    result = await work();
    best = Math.min(best, performance.now() - began);
  }
  return [best, result];
}

for (const { framework, image, columns, archive, own } of MODELS) {
  if (!positionals.includes(framework)) continue;
  const next = random(7);
  const records = Array.from({ length: RECORDS }, (_, at) => {
    const cells = Array.from({ length: columns }, () => (next() * 10).toFixed(4));
    if (at % BAD === 50) cells[1] = 'x';
    return cells.join(',');
  });
  const given = await archive();
  const added = bundleFiles(framework, own);
  const packed = gzipSync(
    Buffer.concat(await Array.fromAsync(appendToTar(Readable.from([gunzipSync(given)]), added))),
  );
  const [single, bundled] = [await serve(image, given), await serve(image, packed)];
  const [aloneMs, alone] = await timed(async () => {
    const answers: Awaited<ReturnType<typeof single.ask>>[] = [];
    for (const record of records) answers.push(await single.ask(Buffer.from(record), TYPE));
    return answers;
  });
  const sent = records.reduce((sum, record) => sum + Buffer.byteLength(record), 0);
  const refused = alone.filter(({ status }) => status >= 400).length;
  console.log(`${framework}: one by one ${aloneMs.toFixed(0)} ms, ${sent} bytes, ${refused} refused`);
  for (const [form, toBody] of [
    ['tar', asTar],
    ['records', asRecords],
  ] as const) {
    const { inputs } = REQUEST_LIMITS[form];
    const bodies: Buffer[] = [];
    for (let from = 0; from < RECORDS; from += inputs)
      bodies.push(await toBody(records.slice(from, from + inputs)));
    const [ms, answers] = await timed(async () => {
      const found: (Uint8Array | undefined)[] = [];
      for (const body of bodies) {
        const answer = await bundled.ask(body, BUNDLE_TYPES[form] ?? '');
        if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.body.toString()}`);
        const bundle = new OutputBundle(answer.body);
        for (let at = 0; at < inputs && found.length < RECORDS; at++) found.push(bundle.answer(at));
      }
      return found;
    });
    const [largest, unlike] = compare(alone, answers);
    const bytes = bodies.reduce((sum, { length }) => sum + length, 0);
    console.log(
      `  ${form.padEnd(8)} ${ms.toFixed(0)} ms, ${bodies.length} requests, ${bytes} bytes, ${answers.filter((one) => one === undefined).length} refused; ${unlike} refused otherwise than alone, answers differ by ${largest} at most`,
    );
  }
  await Promise.all([single.stop(), bundled.stop()]);
}

/** Largest difference of a number in two answers, and how many records are refused in one way only. */
function compare(
  alone: readonly { readonly status: number; readonly body: Buffer }[],
  together: readonly (Uint8Array | undefined)[],
): readonly [largest: number, unlike: number] {
  let [largest, unlike] = [0, 0];
  for (const [at, { status, body }] of alone.entries()) {
    const other = together[at];
    if ((status === 200) !== (other !== undefined)) unlike += 1;
    if (status !== 200 || other === undefined) continue;
    const numbers = (text: string) => (text.match(/-?\d+(?:\.\d+)?(?:e[+-]?\d+)?/gi) ?? []).map(Number);
    const [one, two] = [numbers(body.toString()), numbers(Buffer.from(other).toString())];
    if (one.length !== two.length) largest = Infinity;
    for (const [place, number] of one.entries())
      largest = Math.max(largest, Math.abs(number - (two[place] ?? NaN)));
  }
  return [largest, unlike];
}

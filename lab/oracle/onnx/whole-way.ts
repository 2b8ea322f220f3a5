// Takes models that make_models.py has written the whole way on this machine's stack: pack, inspect, drop, report, endpoint, predict.
//
//     node whole-way.ts FOLDER
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as z from 'zod';
import { callApi } from '../../../src/aws/calls/call-api.ts';
import { runCommandLine } from '../../../src/cli/command-line.ts';
import { packModel } from '../../../src/cli/model/enter-model.ts';
import { inspectModel } from '../../../src/cli/model/inspect-model.ts';
import { bucketLayout } from '../../../src/run/bucket-layout.ts';
import { aRun } from '../../../test/support/a-run.ts';
import { startLaptop } from '../../../test/support/laptop.ts';
import { silentTerminal } from '../../../test/support/silent-terminal.ts';

/** One model of each kind, and the requests of its case that are dropped. */
const MODELS: readonly {
  readonly name: string;
  readonly contentType: string;
  readonly extension: string;
  readonly classes: readonly string[];
}[] = [
  { name: 'torch_residual', contentType: 'application/x-image', extension: 'png', classes: numbered(5) },
  { name: 'torch_depthwise', contentType: 'application/x-image', extension: 'jpg', classes: numbered(5) },
  { name: 'xgboost', contentType: 'text/csv', extension: 'csv', classes: numbered(3) },
  { name: 'lightgbm_maps', contentType: 'text/csv', extension: 'csv', classes: numbered(3) },
  {
    name: 'sklearn_forest_texts_maps',
    contentType: 'text/csv',
    extension: 'csv',
    classes: ['mid', 'top', 'zero'],
  },
  { name: 'sklearn_columns', contentType: 'text/csv', extension: 'csv', classes: ['mid', 'top', 'zero'] },
  { name: 'flatten_axis1', contentType: 'application/json', extension: 'json', classes: numbered(60) },
];
const TYPES: Readonly<Record<string, string>> = { png: 'image/png', jpg: 'image/jpeg' };

const Case = z.object({
  images: z.unknown(),
  requests: z.array(
    z.object({ contentType: z.string(), accept: z.string(), status: z.int(), answer: z.string() }),
  ),
});

const Predicted = z.object({ predictions: z.array(z.object({ label: z.string() })) });
const Answer = z.object({
  predictions: z.array(
    z.union([
      z.array(z.number()),
      z.object({ label: z.union([z.string(), z.int()]), probabilities: z.array(z.number()) }),
    ]),
  ),
});
/** Numbers that one program has computed and written twice differ by no more. */
const TOLERANCE = 1e-6;

function numbered(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => String(index));
}

const [folder = ''] = process.argv.slice(2);
const work = await mkdtemp(path.join(tmpdir(), 'inferdrop-onnx-way-'));
const laptop = await startLaptop();
const { store, apiUrl } = laptop.application;
const wrong: string[] = [];
try {
  for (const model of MODELS) {
    const before = wrong.length;
    const answers = await go(model).catch((error: unknown) => {
      wrong.push(`${model.name}: ${String(error)}`);
      return 0;
    });
    process.stdout.write(
      `${model.name.padEnd(28)} ${answers} inputs the whole way ${wrong.length === before ? '' : 'WRONG'}\n`,
    );
  }
} finally {
  await laptop.close();
  await rm(work, { recursive: true, force: true });
}
for (const line of wrong) process.stdout.write(`${line}\n`);
process.exitCode = wrong.length === 0 ? 0 : 1;

async function go({ name, contentType, extension, classes }: (typeof MODELS)[number]): Promise<number> {
  const source = path.join(folder, name);
  const { images, requests } = Case.parse(JSON.parse(readFileSync(path.join(source, 'case.json'), 'utf8')));
  const archive = path.join(work, `${name}.tar.gz`);
  await packModel({ model: path.join(source, 'model.onnx'), code: undefined, output: archive });
  const { problems } = await inspectModel(archive);
  for (const problem of problems) wrong.push(`${name}: the archive ${problem}`);
  const media = TYPES[extension] ?? contentType;
  const sent = requests.flatMap((request, at) =>
    request.contentType === media && request.accept === 'application/json' && request.status === 200
      ? [
          {
            file: `${String(at).padStart(4, '0')}.${extension}`,
            body: readFileSync(path.join(source, `${at}.request`)),
            answer: request.answer,
          },
        ]
      : [],
  );
  const pipeline = name.replaceAll('_', '-');
  await store.write(bucketLayout.pipelineModel(pipeline), readFileSync(archive));
  const config = {
    model: {
      framework: 'onnx',
      frameworkVersion: '2.6.0',
      networkIsolation: false,
      ...(images !== null && { images }),
    },
    transform: { contentType },
    labels: { classes },
    endpoint: { instanceType: 'ml.m5.large' },
    drop: { quietSeconds: 60 },
  };
  await store.write(bucketLayout.pipelineConfig(pipeline), JSON.stringify(config));
  await laptop.upload(pipeline, 'monday', Object.fromEntries(sent.map(({ file, body }) => [file, body])));
  const run = `${pipeline}/monday/000001`;
  const { report, success } = await laptop.await(run);
  if (!success || report.errors > 0 || report.total !== sent.length)
    throw new Error(`the run ended ${report.status}, ${report.errors} errors of ${report.total}`);
  for (const { file, answer } of sent) {
    const output = await store.readText(`${bucketLayout.predictions(aRun(run))}${file}.out`);
    const apart = farthest(leaves(JSON.parse(output ?? 'null')), leaves(JSON.parse(answer)));
    if (apart > TOLERANCE) wrong.push(`${name}, ${file}: ${apart} from the handler in AWS's toolkit`);
  }
  const [first] = sent;
  if (first === undefined) throw new Error('it has no request that is answered');
  const deploy = ['endpoints', 'deploy', pipeline, '--run', run];
  if ((await runCommandLine(deploy, silentTerminal())) !== 0) throw new Error('its endpoint is not deployed');
  const url = new URL(`${apiUrl}/predict/${pipeline}`);
  const headers = { 'content-type': media };
  const response = await callApi({ method: 'POST', url, headers, body: first.body });
  const { predictions } = Predicted.parse(await response.json());
  const expected = classesOf(JSON.parse(first.answer), classes);
  if (predictions.map(({ label }) => label).join() !== expected.join())
    wrong.push(`${name}: the endpoint names ${JSON.stringify(predictions)}, and not ${expected.join()}`);
  await runCommandLine(['endpoints', 'delete', pipeline], silentTerminal());
  return sent.length;
}

/** Names of the classes of an answer's records: the named ones, or the ones with the highest scores. */
function classesOf(answer: unknown, classes: readonly string[]): readonly string[] {
  return Answer.parse(answer).predictions.map((record) => {
    if (!Array.isArray(record))
      return typeof record.label === 'number' ? (classes[record.label] ?? '') : record.label;
    return classes[record.indexOf(Math.max(...record))] ?? '';
  });
}

function leaves(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.flatMap(leaves);
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leaves) : [value];
}

function farthest(ours: readonly unknown[], theirs: readonly unknown[]): number {
  if (ours.length !== theirs.length) return Infinity;
  return ours.reduce<number>((most, value, at) => {
    const other = theirs[at];
    if (typeof value === 'number' && typeof other === 'number')
      return Math.max(most, Math.abs(value - other));
    return value === other ? most : Infinity;
  }, 0);
}

/**
 * One side of the benches of bundles: sends inputs to a container of the laptop over HTTP, one by one or many in a request, as a batch
 * transform job would: `node side.ts MODEL one|tar|records INPUTS [ANSWERS]`. Prints how many have answers; writes their scores into
 * ANSWERS if it's given.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { gunzipSync, gzipSync } from 'node:zlib';
import { createContainerHost } from '@inferdrop/model-container/container-host';
import { unpackModelArchive } from '@inferdrop/model-container/internal/model-archive';
import { createContainerClient } from '../../../packages/laptop/sagemaker/jobs/invoke-container.ts';
import { bundleFiles } from '../../../src/frameworks/bundle-files.ts';
import { appendToTar } from '../../../src/model/append-to-tar.ts';
import { readOutput } from '../../../src/prediction/read-output.ts';
import { bundleBody } from '../../../src/transform/bundle-body.ts';
import { OutputBundle } from '../../../src/transform/output-bundle.ts';
import { BUNDLE_TYPES, REQUEST_LIMITS } from '../../../src/transform/request-limits.ts';
import { MODELS } from './models.ts';

const [name = '', form = '', count = '', answersFile] = process.argv.slice(2);
const model = MODELS[name];
if (model === undefined) throw new Error(`there's no model ${name}`);
const { framework, image, classes, type, own, archive, input } = model;
const inputs = Array.from({ length: Number(count) }, (_, at) => input(at));

/** The scores of one answer. */
function scoresOf(answer: Uint8Array | undefined): readonly number[] {
  if (answer === undefined) throw new Error('an input was refused');
  const [prediction] = readOutput(answer, { scoreCount: classes, oneRecord: true });
  return Array.from(prediction?.scores ?? []);
}

/** The requests for all inputs: bodies, their content type, and the scores in an answer to some inputs. */
async function requests() {
  if (form !== 'tar' && form !== 'records')
    return { type, bodies: inputs, scores: (body: Uint8Array) => [scoresOf(body)] };
  const bodies: Buffer[] = [];
  const { inputs: most } = REQUEST_LIMITS[form];
  for (let from = 0; from < inputs.length; from += most) {
    bodies.push(Buffer.from(await bundleBody(form, type, inputs.slice(from, from + most))));
  }
  const scores = (body: Uint8Array, at: number) => {
    const bundle = new OutputBundle(body);
    return inputs.slice(at * most, (at + 1) * most).map((_, place) => scoresOf(bundle.answer(place)));
  };
  return { type: BUNDLE_TYPES[form] ?? type, bodies, scores };
}

const modelDir = mkdtempSync(path.join(tmpdir(), 'inferdrop-bench-'));
const added = form === 'one' ? [] : bundleFiles(framework, own);
const packed = gzipSync(await buffer(appendToTar(Readable.from([gunzipSync(await archive())]), added)));
await unpackModelArchive(Readable.from([packed]), modelDir);
const host = createContainerHost({})({
  image,
  modelDir,
  environment: { SAGEMAKER_MODEL_SERVER_WORKERS: '1' },
  networkIsolation: false,
  log: () => undefined,
});
const container = createContainerClient(await host.listening, new AbortController().signal);
const sent = await requests();
const answers: (readonly number[])[] = [];
for (const [at, body] of sent.bodies.entries()) {
  const headers = { 'content-type': sent.type, accept: 'application/json' };
  const answer = await container.invoke(body, headers, 60_000);
  if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.body.toString()}`);
  answers.push(...sent.scores(answer.body, at));
}
await host.stop();
rmSync(modelDir, { recursive: true });
if (answersFile !== undefined) writeFileSync(answersFile, JSON.stringify(answers));
console.log(JSON.stringify({ answers: answers.length }));
process.exit();

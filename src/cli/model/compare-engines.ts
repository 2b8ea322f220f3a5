import { createReadStream } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Container } from '@inferdrop/model-container/container';
import { type ContainerHostOptions, createContainerHost } from '@inferdrop/model-container/container-host';
import { describeEngine } from '@inferdrop/model-container/internal/engine-environment';
import { unpackModelArchive } from '@inferdrop/model-container/internal/model-archive';
import { requestType } from '../../api/request-type.ts';
import { newestPatched } from '../../frameworks/end-of-patch.ts';
import { resolveImageUri } from '../../frameworks/image-uri.ts';
import { drawn } from '../../text/name-draw.ts';
import { readFailure } from '../files/file-problem.ts';
import { listLocalFiles } from '../files/local-files.ts';
import { Refusal } from '../refusal.ts';
import { type Answered, type Change, compareAnswers, type ComparedOutput } from './compare-answers.ts';
import { archiveOf, withScratch } from './enter-model.ts';
import type { InspectedArchive } from './inspect-model.ts';

/** An output over all files, or the class that a pipeline reads. */
export interface OutputComparison {
  readonly output: string;
  /** Files with an answer that has it. */
  readonly files: number;
  readonly equal: number;
  /** Files with a difference beyond last digits; the first of them are in `changes`. */
  readonly changed: number;
  readonly changes: readonly (Change & { readonly file: string })[];
  readonly largest: (NonNullable<ComparedOutput['largest']> & { readonly file: string }) | null;
}

/** How this engine's answers differ from TensorFlow's. */
export interface EngineComparison {
  readonly folder: string;
  readonly files: number;
  /** All files of the folder, including the ones left out. */
  readonly of: number;
  readonly tensorflow: string;
  /** Version of the image that would serve the archive. */
  readonly image: string;
  readonly outputs: readonly OutputComparison[];
}

const MOST_CHANGES = 20;

/**
 * Asks two containers of an archive for the same files: this engine's, and one with TensorFlow.
 *
 * @throws {Refusal} if TensorFlow, files or a SavedModel are missing, or a container can't run the model
 */
export async function compareEngines(
  { file, models, onnx }: Pick<InspectedArchive, 'file' | 'models' | 'onnx'>,
  folder: string,
  { limit, note }: { readonly limit: number; readonly note: (line: string) => void },
): Promise<EngineComparison> {
  if (onnx !== null)
    throw new Refusal(
      '--compare is for SavedModels: AWS runs this ONNX model on onnxruntime, as this machine does',
    );
  if (models.length === 0) throw new Refusal(`--compare is for SavedModels, and there is none in ${file}`);
  const engine = describeEngine('tensorflow');
  if (!engine.installed)
    throw new Refusal(
      '--compare needs TensorFlow on this machine: run inferdrop containers install tensorflow once',
    );
  const { files } = await listLocalFiles(folder).catch((error: unknown): never => {
    throw error instanceof Refusal ? new Refusal(`--compare reads files: ${error.message}`) : error;
  });
  const asked = drawn(files, limit, ({ relative }) => relative);
  const tensorflow =
    engine.packages.flatMap((one) => /^tensorflow\S*==([\d.]+)$/.exec(one)?.[1] ?? [])[0] ?? '';
  const { version } = newestPatched('tensorflow');
  const image = resolveImageUri({
    framework: 'tensorflow',
    version,
    instanceType: 'ml.m5.xlarge',
    region: 'us-east-1',
  });
  if (!('imageUri' in image)) throw new TypeError(`TensorFlow ${version} has no image: ${image.reason}`);
  const modelDir = await mkdtemp(path.join(tmpdir(), 'inferdrop-compare-'));
  const started: Container[] = [];
  const start = async (options: ContainerHostOptions, cannot: string): Promise<URL> => {
    const container = createContainerHost(options)({
      image: image.imageUri,
      modelDir,
      environment: {},
      networkIsolation: true,
      log: () => undefined,
    });
    started.push(container);
    return container.listening.catch((error: unknown): never => {
      throw new Refusal(`--compare: ${cannot}: ${error instanceof Error ? error.message : String(error)}`);
    });
  };
  try {
    await withScratch(async (scratch) =>
      unpackModelArchive(createReadStream(await archiveOf(file, scratch)), modelDir),
    );
    const [here, there] = await Promise.all([
      start({ notice: note }, 'this engine cannot run the model'),
      // Its script is the same, and has been noticed.
      start({ engine: 'python', notice: () => undefined }, `TensorFlow ${tensorflow} cannot load the model`),
    ]);
    const outputs = new Map<string, OutputComparison>();
    for (const one of asked) {
      const body = await readFile(one.file).catch((error: unknown): never => {
        throw new Refusal(`${one.file} cannot be read: ${readFailure(error)}`);
      });
      const [mine, theirs] = await Promise.all([ask(here, one.file, body), ask(there, one.file, body)]);
      for (const [output, found] of compareAnswers(mine, theirs))
        outputs.set(output, addFile(outputs.get(output) ?? { ...NONE, output }, one.relative, found));
    }
    if (outputs.size === 0)
      throw new Refusal(
        `--compare: both refuse every file of ${folder}, so there is nothing to compare: give files that the model takes`,
      );
    return {
      folder,
      files: asked.length,
      of: files.length,
      tensorflow,
      image: version,
      outputs: [...outputs.values()],
    };
  } finally {
    await Promise.all(started.map((container) => container.stop()));
    await rm(modelDir, { recursive: true, force: true });
  }
}

const NONE = { files: 0, equal: 0, changed: 0, changes: [], largest: null };

function addFile(
  before: OutputComparison,
  file: string,
  { isEqual, changed, largest }: ComparedOutput,
): OutputComparison {
  const isFull = before.changes.length >= MOST_CHANGES;
  const known = before.largest;
  return {
    output: before.output,
    files: before.files + 1,
    equal: before.equal + Number(isEqual),
    changed: before.changed + Number(changed !== null),
    changes: changed === null || isFull ? before.changes : [...before.changes, { ...changed, file }],
    largest: largest !== null && largest.absolute > (known?.absolute ?? -1) ? { ...largest, file } : known,
  };
}

async function ask(container: URL, file: string, body: Uint8Array<ArrayBuffer>): Promise<Answered> {
  const headers = { 'content-type': requestType(file), accept: 'application/json' };
  const response = await fetch(`${container.href}/invocations`, { method: 'POST', headers, body });
  return { status: response.status, body: new Uint8Array(await response.arrayBuffer()) };
}

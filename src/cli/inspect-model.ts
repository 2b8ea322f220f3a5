import { createReadStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readHandlerScript } from '../../local/sagemaker/containers/handlers/handler-script.ts';
import { unpackModelArchive } from '../../local/sagemaker/containers/model-archive.ts';
import { describeEngine } from '../../local/sagemaker/containers/python-environments/engine-environment.ts';
import { loadModel } from '../../local/sagemaker/containers/tensorflow/engine/load-model.ts';
import type { Signature } from '../../local/sagemaker/containers/tensorflow/engine/servable-model.ts';
import { UnsupportedModel } from '../../local/sagemaker/containers/tensorflow/engine/servable-model.ts';
import { findModelBundles } from '../../local/sagemaker/containers/tensorflow/model-bundles.ts';
import { layoutProblems } from '../model/archive-layout.ts';
import { readArchive } from '../model/read-archive.ts';
import { UsageError } from './usage-error.ts';

/** A signature, and whether onnxruntime would run it. */
export interface InspectedSignature extends Signature {
  readonly operations: readonly string[];
  /** What the converter does not know; none if it runs without Python. */
  readonly unsupported: readonly string[];
}

/** One version of a model. */
interface InspectedModel {
  readonly name: string;
  readonly version: number;
  readonly tensorflowVersion: string;
  readonly signatures: readonly InspectedSignature[];
  /** Why it cannot be read. */
  readonly damage: string | null;
}

/** What an archive holds, and what would run where on this machine. */
export interface InspectedArchive {
  readonly file: string;
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly files: number;
  readonly framework: 'tensorflow' | 'pytorch';
  readonly models: readonly InspectedModel[];
  readonly handler: {
    readonly script: string | null;
    readonly requirements: readonly string[];
    readonly hasLib: boolean;
  };
  /** One sentence each, with the command where one is needed. */
  readonly runs: readonly string[];
  /** Why the container in the cloud would not serve it. */
  readonly problems: readonly string[];
}

/**
 * Reads a model archive as the containers do, without running anything of it.
 *
 * @throws {UsageError} if the file is not there, or is no archive
 */
export async function inspectModel(file: string): Promise<InspectedArchive> {
  const archive = await readArchive(createReadStream(file)).catch((error: unknown): never => {
    throw new UsageError(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  });
  if ('reason' in archive) throw new UsageError(`${file} ${archive.reason}`);
  const folder = await mkdtemp(path.join(tmpdir(), 'inferdrop-model-'));
  try {
    await unpackModelArchive(createReadStream(file), folder);
    const bundles = await findModelBundles(folder);
    const models = bundles.flatMap(({ name, versions }) =>
      [...versions].map(([version, dir]) => inspectVersion(name, version, dir)),
    );
    const script = await readHandlerScript(folder);
    const framework = models.length > 0 || !archive.files.some(isTorch) ? 'tensorflow' : 'pytorch';
    const handler = {
      script: script.hasInferenceScript ? 'code/inference.py' : null,
      requirements: script.requirements,
      hasLib: script.hasLib,
    };
    return {
      file,
      sha256: archive.sha256,
      sizeBytes: archive.sizeBytes,
      files: archive.files.length,
      framework,
      models,
      handler,
      runs: framework === 'pytorch' ? pytorchRuns() : tensorflowRuns(models, handler),
      // Any content type will do for a model that only JSON can reach.
      problems: layoutProblems(archive.files, { framework, contentType: 'application/json' }),
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function isTorch(name: string): boolean {
  return /\.(pt|pth)$/.test(name);
}

function inspectVersion(name: string, version: number, dir: string): InspectedModel {
  try {
    const model = loadModel(dir);
    const signatures = model.signatures.map((signature) => {
      const operations = model.operations(signature.name);
      try {
        model.convert(signature.name);
        return { ...signature, operations, unsupported: [] };
      } catch (error) {
        if (!(error instanceof UnsupportedModel)) throw error;
        return { ...signature, operations, unsupported: error.ops };
      }
    });
    return { name, version, tensorflowVersion: model.tensorflowVersion, signatures, damage: null };
  } catch (error) {
    const damage = error instanceof Error ? error.message : String(error);
    return { name, version, tensorflowVersion: '', signatures: [], damage };
  }
}

function tensorflowRuns(models: readonly InspectedModel[], handler: InspectedArchive['handler']): string[] {
  const signatures = models.flatMap((model) => model.signatures);
  const refused = signatures.filter(({ unsupported }) => unsupported.length > 0);
  const missing = [...new Set(refused.flatMap(({ unsupported }) => unsupported))].sort();
  const { script, requirements } = handler;
  const engine =
    missing.length === 0
      ? 'model: in onnxruntime, no Python needed'
      : `model: in TensorFlow only, because the converter does not know ${missing.join(', ')}: start with --engine python (${toInstall('tensorflow')})`;
  if (script === null) return [engine, 'handler: none; JSON and CSV requests are converted by the container'];
  return [
    engine,
    requirements.length === 0
      ? 'handler: in Pyodide, no Python needed, if it imports the standard library only; else start with --handlers python'
      : `handler: in Python only, for ${requirements.join(', ')}: start with --handlers python`,
  ];
}

function pytorchRuns(): string[] {
  return [`model and handler: in PyTorch (${toInstall('pytorch')})`];
}

function toInstall(name: 'tensorflow' | 'pytorch'): string {
  return describeEngine(name).installed
    ? 'installed'
    : `not installed: run "inferdrop containers install ${name}"`;
}

import { createReadStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beyondRest, servedSignature } from '@inferdrop/model-container/beyond-rest';
import { describeEngine } from '@inferdrop/model-container/engine-environment';
import { readHandlerScript } from '@inferdrop/model-container/handler-script';
import { unpackModelArchive } from '@inferdrop/model-container/model-archive';
import { decoderLimits } from '@inferdrop/savedmodel/decoder';
import { type ConvertedSignature, loadModel } from '@inferdrop/savedmodel/load-model';
import { loadOnnx } from '@inferdrop/savedmodel/load-onnx';
import { loadSavedModel } from '@inferdrop/savedmodel/load-saved-model';
import { findModelBundles } from '@inferdrop/savedmodel/model-bundles';
import { remarksOn } from '@inferdrop/savedmodel/remarks';
import { runOnZeros } from '@inferdrop/savedmodel/run-on-zeros';
import {
  describeRefusal,
  RUN_IN_TENSORFLOW,
  type ServableModel,
  type Signature,
  UnsupportedModel,
} from '@inferdrop/savedmodel/servable-model';
import { isolationProblems, layoutProblems } from '../../model/archive-layout.ts';
import { newestPatched } from '../../model/end-of-patch.ts';
import type { Framework, TrainingFramework } from '../../model/framework.ts';
import type { OnnxModel, ReadOnnx } from '../../model/onnx/onnx-model.ts';
import { readArchive } from '../../model/read-archive.ts';
import { Refusal } from '../refusal.ts';
import { packModel } from './pack-model.ts';
import { syntaxProblems } from './script-problems.ts';

/** Time for a run on zeros: a model's loop may never end on them. */
const ZEROS_MS = 60_000;

/** A signature, and whether onnxruntime would run it. */
export interface InspectedSignature extends Signature {
  readonly operations: readonly string[];
  /** Operations that the converter does not support; empty if the signature runs without Python. */
  readonly unsupported: readonly string[];
  /** Remedy for the unsupported operations; null if there are none. */
  readonly remedy: string | null;
  /** Limits of onnxruntime that TensorFlow does not have, in sentences. */
  readonly limits: readonly string[];
  /** Why the signature was not run on zeros; null if it was run, or cannot be converted. */
  readonly untried: string | null;
}

/** One version of a model. */
interface InspectedModel {
  readonly name: string;
  readonly version: number;
  readonly tensorflowVersion: string;
  readonly signatures: readonly InspectedSignature[];
  /** Why the model cannot be read, or answers no request. */
  readonly damage: string | null;
}

/** An ONNX model; operators outside of the standard domain have it before their name. */
interface InspectedOnnx extends Pick<
  OnnxModel,
  'producer' | 'irVersion' | 'inputs' | 'outputs' | 'nodes' | 'classes'
> {
  readonly opsets: Readonly<Record<string, number>>;
  readonly operators: readonly string[];
  readonly external: readonly string[];
  /** Why onnxruntime does not take it; null if it does. */
  readonly refused: string | null;
}

/** The contents of an archive, and where they would run on this machine. */
export interface InspectedArchive {
  readonly file: string;
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly files: number;
  readonly framework: Framework;
  readonly models: readonly InspectedModel[];
  /** The model.onnx at the root; null if there is none that can be read. */
  readonly onnx: InspectedOnnx | null;
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
 * Reads a model archive as the containers do, converts its models and runs each signature once on zeros; no script is run. A file
 * `*.onnx` is read as the archive that packing it makes.
 *
 * @throws {Refusal} if the file is missing, {Refusal} if it is not an archive
 */
export async function inspectModel(file: string): Promise<InspectedArchive> {
  if (!file.endsWith('.onnx')) return inspectArchive(file);
  const folder = await mkdtemp(path.join(tmpdir(), 'inferdrop-onnx-'));
  try {
    const packed = path.join(folder, 'model.tar.gz');
    await packModel({
      savedModel: undefined,
      pytorch: undefined,
      onnx: file,
      code: undefined,
      output: packed,
    });
    return { ...(await inspectArchive(packed)), file };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function inspectArchive(file: string): Promise<InspectedArchive> {
  const archive = await readArchive(createReadStream(file)).catch((error: unknown): never => {
    throw new Refusal(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  });
  if ('reason' in archive) throw new Refusal(`${file} ${archive.reason}`);
  const folder = await mkdtemp(path.join(tmpdir(), 'inferdrop-model-'));
  try {
    await unpackModelArchive(createReadStream(file), folder);
    const bundles = await findModelBundles(folder);
    const script = await readHandlerScript(folder);
    const models: InspectedModel[] = [];
    for (const { name, versions } of bundles)
      for (const [version, dir] of versions)
        models.push(await inspectVersion(name, version, dir, script.hasInferenceScript));
    const isPytorch =
      archive.files.some(isTorch) || /^def model_fn\b/m.test(archive.scripts.get('code/inference.py') ?? '');
    const isOnnx = models.length === 0 && archive.onnx !== null;
    const framework = isOnnx ? 'onnx' : models.length === 0 && isPytorch ? 'pytorch' : 'tensorflow';
    const onnx = isOnnx ? await inspectOnnx(folder, archive.onnx) : null;
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
      onnx,
      handler,
      runs: [
        ...RUNS[framework]({ models, handler, onnx }),
        containerRuns(framework),
        ...isolationProblems(archive.files).map(
          (problem) =>
            `pipeline: with network isolation, the default, a run is refused: the archive ${problem}`,
        ),
      ],
      // Any content type will do for a model that only JSON can reach; whether packages may be installed depends on the pipeline.
      problems: [
        ...layoutProblems(
          archive.files,
          { framework, contentType: 'application/json', networkIsolation: false },
          archive,
        ),
        ...(onnx === null || onnx.refused === null
          ? []
          : [`has a model.onnx that is not served: ${onnx.refused}`]),
        ...(await syntaxProblems(archive.scripts)),
      ],
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function inspectOnnx(folder: string, model: ReadOnnx | null): Promise<InspectedOnnx | null> {
  if (model === null || 'reason' in model) return null;
  const { producer, irVersion, inputs, outputs, nodes, classes, opsets, operators, external } = model;
  return {
    ...{ producer, irVersion, inputs, outputs, nodes, classes },
    opsets: Object.fromEntries(
      [...opsets].map(([domain, version]) => [domain === '' ? 'ai.onnx' : domain, version]),
    ),
    operators: [...operators].flatMap(([domain, names]) =>
      names.map((name) => (domain === '' ? name : `${domain}.${name}`)),
    ),
    external: [...new Set(external.map(({ location }) => location))],
    refused: await refusalOf(path.join(folder, 'model.onnx')),
  };
}

async function refusalOf(file: string): Promise<string | null> {
  try {
    const loaded = await loadOnnx(file, { workers: 1 });
    await loaded.close();
    return null;
  } catch (error) {
    return error instanceof Error ? describeRefusal(error) : String(error);
  }
}

function onnxRuns(onnx: InspectedOnnx | null, hasScript: boolean): string[] {
  if (hasScript)
    return [
      `model and handler: in PyTorch, where they run as you: use archives that you trust (${toInstall('pytorch')}); inferdrop's own handler needs no Python`,
    ];
  if (onnx === null) return ['model: none that can be served'];
  return [
    onnx.refused === null
      ? 'model: in onnxruntime, no Python needed; on AWS in the PyTorch container, with a handler that inferdrop adds'
      : `model: not in onnxruntime: ${onnx.refused}`,
  ];
}

function isTorch(name: string): boolean {
  return /\.(pt|pth)$/.test(name);
}

/** @param hasScript whether a script of the archive's own chooses the signature */
async function inspectVersion(
  name: string,
  version: number,
  dir: string,
  hasScript: boolean,
): Promise<InspectedModel> {
  try {
    const model = loadModel(dir);
    const converted = model.signatures.map((signature) => {
      const operations = model.operations(signature.name);
      return { ...signature, operations, ...conversionOf(() => model.convert(signature.name)) };
    });
    const signatures = await tryOnZeros(dir, converted);
    const served = servedSignature(signatures);
    const damage = served === undefined || hasScript ? null : (beyondRest(served) ?? null);
    return { name, version, tensorflowVersion: model.tensorflowVersion, signatures, damage };
  } catch (error) {
    const damage = error instanceof Error ? describeRefusal(error) : String(error);
    return { name, version, tensorflowVersion: '', signatures: [], damage };
  }
}

function conversionOf(
  convert: () => ConvertedSignature,
): Pick<InspectedSignature, 'unsupported' | 'remedy' | 'limits'> {
  try {
    const converted = convert();
    const { nodes, loops } = converted.before;
    const bodies = [...loops.values()].flatMap(({ body }) => body);
    return {
      unsupported: [],
      remedy: null,
      limits: [...decoderLimits([...nodes, ...bodies]), ...remarksOn(converted)],
    };
  } catch (error) {
    if (!(error instanceof UnsupportedModel)) throw error;
    return { unsupported: error.ops, remedy: error.remedy, limits: [] };
  }
}

/** Runs a signature once on zeros before it is said to run. */
async function tryOnZeros(
  dir: string,
  signatures: readonly Omit<InspectedSignature, 'untried'>[],
): Promise<InspectedSignature[]> {
  const convertible = signatures.filter(({ unsupported }) => unsupported.length === 0);
  const refused = ({ ops, remedy }: UnsupportedModel) => ({ unsupported: ops, remedy, untried: null });
  let model: ServableModel;
  try {
    model = await loadSavedModel(dir, { workers: 1 });
  } catch (error) {
    if (!(error instanceof UnsupportedModel)) throw error;
    // Where conversion reported nothing, onnxruntime has refused the resulting graph.
    const isCause = convertible.length === signatures.length;
    const untried = `the signature that is loaded first needs ${error.ops.join(', ')}`;
    return signatures.map((signature) => ({
      ...signature,
      ...(isCause ? refused(error) : { untried: signature.unsupported.length === 0 ? untried : null }),
    }));
  }
  try {
    const tried: InspectedSignature[] = [];
    for (const signature of signatures) {
      const found = convertible.includes(signature)
        ? await runOnZeros(model, signature, ZEROS_MS).catch((error: unknown) => {
            if (!(error instanceof UnsupportedModel)) throw error;
            return error;
          })
        : undefined;
      tried.push({
        ...signature,
        ...(found instanceof UnsupportedModel ? refused(found) : { untried: found ?? null }),
      });
    }
    return tried;
  } finally {
    await model.close();
  }
}

/** Where the models and the handler of an archive run on this machine, by framework. */
const RUNS: Readonly<
  Record<Framework, (archive: Pick<InspectedArchive, 'models' | 'handler' | 'onnx'>) => string[]>
> = {
  tensorflow: ({ models, handler }) => tensorflowRuns(models, handler),
  onnx: ({ onnx, handler }) => onnxRuns(onnx, handler.script !== null),
  pytorch: () => [
    `model and handler: in PyTorch, where they run as you: use archives that you trust (${toInstall('pytorch')})`,
  ],
};

function tensorflowRuns(models: readonly InspectedModel[], handler: InspectedArchive['handler']): string[] {
  const signatures = models.flatMap(({ damage, signatures }) => (damage === null ? signatures : []));
  const refused = signatures.filter(({ unsupported }) => unsupported.length > 0);
  const missing = [...new Set(refused.flatMap(({ unsupported }) => unsupported))].sort();
  const special = new Set(refused.flatMap(({ remedy }) => remedy ?? []));
  special.delete(RUN_IN_TENSORFLOW);
  const untried = signatures.find((signature) => signature.untried !== null)?.untried ?? undefined;
  const { script, requirements } = handler;
  const engine =
    signatures.length === 0
      ? 'model: none that can be served'
      : missing.length === 0
        ? `model: in onnxruntime, no Python needed (converted${untried === undefined ? ' and run once on zeros' : `; not tried, since zeros do not fit: ${untried}`})`
        : special.size > 0
          ? `model: not in onnxruntime, because of ${missing.join(', ')}: ${[...special].join('; ')}`
          : `model: in TensorFlow only, because the converter does not know ${missing.join(', ')}: start with --engine python (${toInstall('tensorflow')})`;
  if (script === null) return [engine, 'handler: none; JSON and CSV requests are converted by the container'];
  return [
    engine,
    requirements.length === 0
      ? 'handler: in Pyodide, apart from your files and programs, no Python needed, if it imports the standard library only; else start with --handlers python, where it runs as you'
      : `handler: in Python only, where it runs as you, and pip installs ${requirements.join(', ')}: start with --handlers python if you trust it`,
  ];
}

function containerRuns(framework: Framework): string {
  const { version, until } = newestPatched(framework);
  return `pipeline: the newest container of AWS is ${framework} ${version}, which AWS patches until ${until}`;
}

function toInstall(name: TrainingFramework): string {
  return describeEngine(name).installed
    ? 'installed'
    : `not installed: run "inferdrop containers install ${name}"`;
}

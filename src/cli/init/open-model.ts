import { createReadStream } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { readHandlerScript } from '@inferdrop/model-container/handler-script';
import { unpackModelArchive } from '@inferdrop/model-container/model-archive';
import { servedSignature } from '@inferdrop/model-container/served-model';
import { DECODERS } from '@inferdrop/savedmodel/decoder';
import { loadModel } from '@inferdrop/savedmodel/load-model';
import { findModelBundles } from '@inferdrop/savedmodel/model-bundles';
import { type Signature, UnsupportedModel } from '@inferdrop/savedmodel/servable-model';
import { describeKind } from '../../file-kind/file-kind.ts';
import { withoutDefault } from '../../frameworks/tensorflow/served-signature.ts';
import { type Requests, requestsOf, type Scores, scoresOf } from '../../init/signature-facts.ts';
import { readFailure } from '../files/file-problem.ts';
import { localFileKind, otherModelIn } from '../files/local-file-kind.ts';
import { Refusal } from '../refusal.ts';
import { isThere } from './is-there.ts';

/** A model as it was given. */
export type GivenModel =
  | { readonly kind: 'saved-model'; readonly folder: string }
  /** A file that Keras writes, which must be exported first. */
  | { readonly kind: 'keras'; readonly file: string }
  | { readonly kind: 'pytorch'; readonly file: string }
  | { readonly kind: 'onnx'; readonly file: string }
  | { readonly kind: 'archive'; readonly file: string };

/** Files of PyTorch that hold no network, or one that the container does not load: a handler's model_fn does. */
const LOADED_BY_HANDLER: readonly (string | undefined)[] = ['torch-state', 'torch-export', 'safetensors'];

/**
 * Recognizes a model by its content.
 *
 * @param code folder of a handler
 * @throws {Refusal} for what no container serves, with the remedy
 */
export async function recognizeModel(place: string, code: string | undefined): Promise<GivenModel> {
  const info = await stat(place).catch(() => undefined);
  if (info === undefined) throw new Refusal(`${place} does not exist`);
  if (info.isDirectory()) return { kind: 'saved-model', folder: place };
  const kind = await localFileKind(place);
  if (kind === 'gzip') return { kind: 'archive', file: place };
  if (kind === 'keras' || kind === 'hdf5') return { kind: 'keras', file: place };
  if (kind === 'onnx') return { kind, file: place };
  if (kind === 'torchscript' || (code !== undefined && LOADED_BY_HANDLER.includes(kind)))
    return { kind: 'pytorch', file: place };
  const { what, remedy } = describeKind(kind);
  throw new Refusal(`${place} is ${what}: ${remedy}`);
}

/** A SavedModel that answers requests. */
export interface ServedModel {
  /** Folder with saved_model.pb. */
  readonly folder: string;
  readonly tensorflowVersion: string;
  readonly signature: Signature;
  readonly requests: Requests;
  readonly scores: readonly Scores[];
}

/**
 * Reads what the signature takes and gives that the container answers with.
 *
 * @throws {Refusal} if it cannot be read, or has no such signature
 */
export function readServedModel(folder: string, given: string): ServedModel {
  let model: ReturnType<typeof loadModel>;
  try {
    model = loadModel(folder);
  } catch (error) {
    throw new Refusal(`${given} cannot be read: ${readFailure(error)}`);
  }
  const signature = servedSignature(model.signatures);
  if (signature === undefined) throw new Refusal(`${given} is ${withoutDefault(model.signatures)}`);
  return {
    folder,
    tensorflowVersion: model.tensorflowVersion,
    signature,
    requests: requestsOf(signature.inputs, decodesImages(model, signature.name)),
    scores: scoresOf(signature.outputs),
  };
}

/** Whether a signature decodes images, before its network or for each input in a loop. */
function decodesImages(model: ReturnType<typeof loadModel>, signature: string): boolean {
  try {
    const { nodes, loops } = model.convert(signature).before;
    const bodies = [...loops.values()].flatMap(({ body }) => body);
    return [...nodes, ...bodies].some(({ op }) => DECODERS.has(op));
  } catch (error) {
    if (!(error instanceof UnsupportedModel)) throw error;
    return model.operations(signature).some((operation) => DECODERS.has(operation));
  }
}

/** The folder below a SavedModel's that holds saved_model.pb, of the highest version where there are several. */
export async function versionFolder(folder: string, place = folder): Promise<string> {
  if (await isThere(path.join(folder, 'saved_model.pb'))) return folder;
  const [bundle, ...others] = await findModelBundles(folder);
  const newest = bundle && bundle.versions.get(Math.max(...bundle.versions.keys()));
  if (newest === undefined)
    throw new Refusal(
      `${place} ` +
        `${
          (await otherModelIn(await filesOf(folder))) ??
          'has no saved_model.pb: give the folder of a SavedModel, as model.export(folder) writes it in Keras 3, or an archive ' +
            'of one'
        }`,
    );
  if (others.length > 0)
    throw new Refusal(`${place} has several models: write pipeline.json by hand (docs/models.md)`);
  return newest;
}

async function filesOf(folder: string) {
  const found = await readdir(folder, { withFileTypes: true });
  return found.filter((entry) => entry.isFile()).map(({ name }) => ({ name, file: path.join(folder, name) }));
}

/** Contents of an archive that decide how it is served. */
export interface OpenedArchive {
  readonly framework: 'tensorflow' | 'pytorch';
  /** The SavedModel; undefined for PyTorch. */
  readonly folder: string | undefined;
  readonly hasHandler: boolean;
}

/** Unpacks an archive into a folder. */
export async function openArchive(file: string, into: string): Promise<OpenedArchive> {
  await unpackModelArchive(createReadStream(file), into).catch((error: unknown): never => {
    throw new Refusal(`${file} cannot be read: ${readFailure(error)}`);
  });
  const { hasInferenceScript: hasHandler } = await readHandlerScript(into);
  const script = hasHandler ? await readFile(path.join(into, 'code', 'inference.py'), 'utf8') : '';
  const bundles = await findModelBundles(into);
  const isTorch =
    bundles.length === 0 && (/^def model_fn\b/m.test(script) || (await isThere(path.join(into, 'model.pt'))));
  if (bundles.length === 0 && (await isThere(path.join(into, 'model.onnx'))))
    throw new Refusal(
      `${file} is an archive of ONNX: give the model.onnx in it, and init makes an archive of it`,
    );
  if (isTorch) return { framework: 'pytorch', folder: undefined, hasHandler };
  return { framework: 'tensorflow', folder: await versionFolder(into, file), hasHandler };
}

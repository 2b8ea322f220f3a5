import { createReadStream } from 'node:fs';
import { copyFile, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readHandlerScript } from '@inferdrop/model-container/internal/handler-script';
import { unpackModelArchive } from '@inferdrop/model-container/internal/model-archive';
import { findModelBundles } from '@inferdrop/savedmodel/internal/model-bundles';
import { describeKind, rowOf } from '../../file-kind/file-kind.ts';
import type { Framework } from '../../frameworks/framework-name.ts';
import { doorOf } from '../../models/sources.ts';
import { readFailure } from '../files/file-problem.ts';
import { localFileKind } from '../files/local-file-kind.ts';
import { Refusal } from '../refusal.ts';
import { hasModelFn, listFiles, PACKING, type ServedFiles, versionFolder } from './served-files.ts';
import { writeArchive } from './write-archive.ts';

/** A model that a person has. */
export interface GivenModel {
  /** A file, the folder of a SavedModel, or an archive. */
  readonly model: string;
  /** Folder with an inference.py. */
  readonly code: string | undefined;
}

/** A model as a container serves it. */
export interface EnteredModel extends Omit<ServedFiles, 'members'> {
  readonly framework: Framework;
  /** File of a network that TensorFlow must export first. */
  readonly network?: string;
  readonly hasHandler: boolean;
  /** Whether it came in an archive, which stays as it is. */
  readonly isPacked: boolean;
  /**
   * Writes its archive, with a handler's folder.
   *
   * @returns the names in it
   */
  pack(output: string, handler: string | undefined): Promise<readonly string[]>;
}

/**
 * Recognizes a model by its content, and opens it by the door of its kind.
 *
 * @param scratch folder for what is unpacked
 * @throws {Refusal} for what no container serves, with the remedy
 */
export async function enterModel({ model, code }: GivenModel, scratch: string): Promise<EnteredModel> {
  if (await isFolder(model)) return served('tensorflow', model, code);
  const kind = await localFileKind(model);
  const door = doorOf(kind);
  if (door?.kind === 'served') return served(door.framework, model, code);
  if (door?.kind === 'unpacked') return enterArchive(model, code, path.join(scratch, 'archive'));
  // A model_fn may load any file.
  if (code !== undefined && rowOf(kind).types !== 'none' && (await hasModelFn(code)))
    return served('pytorch', model, code);
  const { what, remedy } = describeKind(kind);
  const refusal = new Refusal(`${model} is ${what}: ${remedy}`);
  if (door === undefined) throw refusal;
  return {
    framework: 'tensorflow',
    network: model,
    ...{ hasHandler: code !== undefined, isPacked: false },
    pack: () => Promise.reject(refusal),
  };
}

/** Whether a place is a folder. @throws {Refusal} if nothing is there */
async function isFolder(place: string): Promise<boolean> {
  const info = await stat(place).catch(() => undefined);
  if (info === undefined) throw new Refusal(`${place} does not exist`);
  return info.isDirectory();
}

/** Whether a place is an archive. */
export async function isArchive(place: string): Promise<boolean> {
  return !(await isFolder(place)) && doorOf(await localFileKind(place))?.kind === 'unpacked';
}

/** A model that is served as it is. */
export async function served(
  framework: Framework,
  place: string,
  code: string | undefined,
): Promise<EnteredModel> {
  const { model, handler } = PACKING[framework];
  const { members, ...found } = await model(place, code);
  return {
    framework,
    ...found,
    ...{ hasHandler: code !== undefined, isPacked: false },
    pack: async (output, folder) =>
      writeArchive([...members, ...(folder === undefined ? [] : await handler(folder))], output),
  };
}

async function enterArchive(file: string, code: string | undefined, into: string): Promise<EnteredModel> {
  if (code !== undefined) throw new Refusal(`${file} is an archive with its handler in it: leave --code out`);
  await unpackModelArchive(createReadStream(file), into).catch((error: unknown): never => {
    throw new Refusal(`${file} cannot be read: ${readFailure(error)}`);
  });
  const { hasInferenceScript: hasHandler } = await readHandlerScript(into);
  const names = (await listFiles(into)).map(({ name }) => name);
  const packed = {
    ...{ hasHandler, isPacked: true },
    async pack(output: string) {
      await copyFile(file, output);
      return names;
    },
  };
  const script = hasHandler ? await readFile(path.join(into, 'code', 'inference.py'), 'utf8') : '';
  const bundles = await findModelBundles(into);
  if (bundles.length === 0 && (/^def model_fn\b/m.test(script) || names.includes('model.pt')))
    return { framework: 'pytorch', ...packed };
  if (bundles.length === 0 && names.includes('model.onnx'))
    return { ...(await served('onnx', path.join(into, 'model.onnx'), undefined)), ...packed };
  return { framework: 'tensorflow', savedModel: await versionFolder(into, file), ...packed };
}

/**
 * Makes an archive as the containers want it.
 *
 * @returns the names in it
 * @throws {Refusal} for a model that no container would serve, with the remedy
 */
export async function packModel({
  output,
  ...given
}: GivenModel & { readonly output: string }): Promise<readonly string[]> {
  return withScratch(async (scratch) => (await enterModel(given, scratch)).pack(output, given.code));
}

/** Lets something use a folder that is removed behind it. */
export async function withScratch<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(path.join(tmpdir(), 'inferdrop-model-'));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

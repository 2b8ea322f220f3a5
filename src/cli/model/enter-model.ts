import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { copyFile, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readHandlerScript } from '@inferdrop/model-container/internal/handler-script';
import { unpackModelArchive } from '@inferdrop/model-container/internal/model-archive';
import { findModelBundles } from '@inferdrop/savedmodel/internal/model-bundles';
import { describeKind, rowOf } from '../../file-kind/file-kind.ts';
import { frameworkOf } from '../../frameworks/archives.ts';
import type { Framework } from '../../frameworks/framework-name.ts';
import { INFERENCE_SCRIPT } from '../../model/script-names.ts';
import type { Convert, Converted, Look } from '../../models/source.ts';
import { SOURCE_FOLDER, SOURCE_RECORD, type SourceRecord } from '../../models/source-record.ts';
import { doorOf } from '../../models/sources.ts';
import { PROGRAM } from '../../report/program.ts';
import { readFailure } from '../files/file-problem.ts';
import { modelKind, readModel } from '../files/model-file.ts';
import { Refusal } from '../refusal.ts';
import { convertInPython } from './convert-in-python.ts';
import { type Exported, exportInPython } from './export-in-python.ts';
import { type HubFolder, lookAtFolder } from './look-at-folder.ts';
import type { OwnPython } from './own-python.ts';
import { hasModelFn, listFiles, memberOf, PACKING, type ServedFiles } from './served-files.ts';
import { type Member, writeArchive } from './write-archive.ts';

/** A model that a person has. */
export interface GivenModel {
  /** A file, the folder of a SavedModel, or an archive. */
  readonly model: string;
  /** Folder with an inference.py. */
  readonly code: string | undefined;
  /** The Python that may run a model's program. */
  readonly python?: OwnPython;
  /** The archive in which the file was, if any. */
  readonly archive?: string;
}

/** A model as a container serves it. */
export interface EnteredModel extends Omit<ServedFiles, 'members'> {
  readonly framework: Framework;
  /** ONNX that it became, and what its file says. */
  readonly converted?: Converted;
  /** Exports a network that TensorFlow must export first. */
  readonly exported?: () => Promise<EnteredModel>;
  /** How it was exported, and the file that it came from. */
  readonly exporting?: Pick<Exported, 'python' | 'scaling'> & { readonly kept: readonly Member[] };
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
 * @param scratch folder for unpacked and converted files
 * @throws {Refusal} for a file that no container serves, with the remedy
 */
export async function enterModel(given: GivenModel, scratch: string): Promise<EnteredModel> {
  const { model, code } = given;
  if (!(await isFolder(model))) return enterFile(given, scratch);
  const hub = await lookAtFolder(model);
  if (hub !== undefined) return enterHub(given, hub, scratch);
  const inside = await convertedIn(model);
  return inside === undefined
    ? served('tensorflow', model, code)
    : enterFile({ ...given, model: inside }, scratch);
}

async function enterFile(given: GivenModel, scratch: string): Promise<EnteredModel> {
  const { model, code, python, archive } = given;
  const kind = await modelKind(model);
  const door = doorOf(kind);
  if (door?.kind === 'served') return served(door.framework, model, code);
  if (door?.kind === 'unpacked') return enterArchive(given, scratch);
  // A model_fn may load any file.
  if (code !== undefined && rowOf(kind).types !== 'none' && (await hasModelFn(code)))
    return served('pytorch', model, code);
  if (door?.kind === 'converted' || door?.kind === 'python') {
    const name = archive === undefined ? model : `${path.basename(model)} of ${archive}`;
    const { bytes, unpacked } = await readModel(model, name);
    const file = path.basename(model);
    const kept = [await memberOf(`${SOURCE_FOLDER}/${file}`, model)];
    const source = { kind, file, sha256: digestOf(bytes), kept };
    if (door.kind === 'converted') return converted(source, (await door.load())(bytes, name), scratch);
    const found = door.look(unpacked);
    if ('refused' in found) throw new Refusal(`${name} ${found.refused}`);
    const asked = { file: model, name, near: path.dirname(archive ?? model), found };
    return converted(source, await convertInPython(asked, scratch, python), scratch);
  }
  if (door === undefined) {
    const { what, remedy } = describeKind(kind);
    throw new Refusal(`${model} is ${what}: ${remedy}`);
  }
  const exported = (): Promise<EnteredModel> => exportNetwork(given, { kind, look: door.look }, scratch);
  return {
    framework: 'tensorflow',
    exported,
    hasHandler: code !== undefined,
    isPacked: false,
    pack: async (output, handler) => (await exported()).pack(output, handler),
  };
}

/** A network as the SavedModel that its library exports. */
async function exportNetwork(
  { model: file, code, python }: GivenModel,
  { kind, look }: { readonly kind: string; readonly look: Look },
  scratch: string,
): Promise<EnteredModel> {
  const { bytes } = await readModel(file, file);
  const found = look(bytes);
  if ('refused' in found) throw new Refusal(`${file} ${found.refused}`);
  const program = { file, name: file, near: path.dirname(file), found };
  const { folder, library, note, ...by } = await exportInPython(program, scratch, python);
  const source = { kind, file: path.basename(file), sha256: digestOf(bytes), library, notes: [note] };
  const kept = [await memberOf(`${SOURCE_FOLDER}/${source.file}`, file), await recorded(source, scratch)];
  const model = await served('tensorflow', path.join(folder, '1'), code, kept);
  return { ...model, exporting: { ...by, kept } };
}

/** A folder of Hugging Face as ONNX; its weights are in there, and not kept twice. */
async function enterHub(
  { model, python }: GivenModel,
  { found, source, kept, note }: HubFolder,
  scratch: string,
): Promise<EnteredModel> {
  const program = { file: model, name: model, near: model, found };
  const made = await convertInPython(program, scratch, python);
  return converted({ ...source, kept }, { ...made, notes: [...made.notes, note] }, scratch);
}

/** The file of a folder that is converted; undefined if it has none, or a SavedModel. */
async function convertedIn(folder: string): Promise<string | undefined> {
  const entries = await readdir(folder, { withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ name }) => path.join(folder, name));
  if (files.some((file) => path.basename(file) === 'saved_model.pb')) return undefined;
  if ((await findModelBundles(folder)).length > 0) return undefined;
  for (const file of files) {
    const door = doorOf(await modelKind(file));
    if (door?.kind === 'converted' || door?.kind === 'python') return file;
  }
  return undefined;
}

/** A model as ONNX, with the file that it came from. */
async function converted(
  { kept, ...source }: Pick<SourceRecord, 'kind' | 'file' | 'sha256'> & { readonly kept: readonly Member[] },
  made: ReturnType<Convert>,
  scratch: string,
): Promise<EnteredModel> {
  if ('refused' in made) throw new Refusal(made.refused);
  const { onnx, library, notes } = made;
  const model = path.join(await mkdtemp(path.join(scratch, 'converted-')), 'model.onnx');
  await writeFile(model, onnx);
  const all = [...kept, await recorded({ ...source, library, notes: [...notes] }, scratch)];
  return { ...(await served('onnx', model, undefined, all)), converted: made };
}

/** The record of a model's origin. */
async function recorded(source: Omit<SourceRecord, 'converter'>, scratch: string): Promise<Member> {
  const { kind, file, sha256, library, notes } = source;
  const record: SourceRecord = { kind, file, sha256, converter: PROGRAM, library, notes };
  const place = path.join(await mkdtemp(path.join(scratch, 'record-')), path.basename(SOURCE_RECORD));
  await writeFile(place, `${JSON.stringify(record, null, 2)}\n`);
  return memberOf(SOURCE_RECORD, place);
}

function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Whether a place is a folder. @throws {Refusal} if nothing is there */
async function isFolder(place: string): Promise<boolean> {
  const info = await stat(place).catch(() => undefined);
  if (info === undefined) throw new Refusal(`${place} does not exist`);
  return info.isDirectory();
}

/** An archive as it is; another model's is made in `scratch`. */
export async function archiveOf(place: string, scratch: string): Promise<string> {
  if (!(await isFolder(place)) && doorOf(await modelKind(place))?.kind === 'unpacked') return place;
  const packed = path.join(scratch, 'model.tar.gz');
  await packModel({ model: place, code: undefined, output: packed });
  return packed;
}

/**
 * A model that is served as it is.
 *
 * @param kept files that are packed with it, and that no container reads
 */
export async function served(
  framework: Framework,
  place: string,
  code: string | undefined,
  kept: readonly Member[] = [],
): Promise<EnteredModel> {
  const { model, handler } = PACKING[framework];
  const { members, ...found } = await model(place, code);
  return {
    framework,
    ...found,
    hasHandler: code !== undefined,
    isPacked: false,
    pack: async (output, folder) =>
      writeArchive([...members, ...kept, ...(folder === undefined ? [] : await handler(folder))], output),
  };
}

async function enterArchive(given: GivenModel, scratch: string): Promise<EnteredModel> {
  const { model: file, code } = given;
  if (code !== undefined) throw new Refusal(`${file} is an archive with its handler in it: leave --code out`);
  const into = path.join(scratch, 'archive');
  await unpackModelArchive(createReadStream(file), into).catch((error: unknown): never => {
    throw new Refusal(`${file} cannot be read: ${readFailure(error)}`);
  });
  const { hasInferenceScript: hasHandler } = await readHandlerScript(into);
  const names = (await listFiles(into)).map(({ name }) => name);
  const packed = {
    hasHandler,
    isPacked: true,
    async pack(output: string) {
      await copyFile(file, output);
      return names;
    },
  };
  const scripts = new Map<string, string>();
  if (hasHandler)
    scripts.set(INFERENCE_SCRIPT, await readFile(path.join(into, 'code', 'inference.py'), 'utf8'));
  const known = frameworkOf({ files: names, scripts });
  const inside = known === undefined ? await convertedIn(into) : undefined;
  if (inside !== undefined) return enterFile({ ...given, model: inside, archive: file }, scratch);
  // SavedModels' rules say what is missing.
  const framework = known ?? 'tensorflow';
  return { framework, ...(await PACKING[framework].unpacked(into, file)), ...packed };
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

import { lstat, readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { findModelBundles } from '@inferdrop/savedmodel/internal/model-bundles';
import { describeKind } from '../../file-kind/file-kind.ts';
import type { Framework } from '../../frameworks/framework-name.ts';
import type { OnnxModel } from '../../model/onnx/onnx-model.ts';
import { mayDefine } from '../../model/script-names.ts';
import { localFileKind, otherModelIn } from '../files/local-file-kind.ts';
import { readLocalOnnx } from '../files/read-local-onnx.ts';
import { Refusal } from '../refusal.ts';
import type { Member } from './write-archive.ts';

/** The folder below a SavedModel's that holds saved_model.pb, of the highest version where there are several. */
async function versionFolder(folder: string, place = folder): Promise<string> {
  const files = await readdir(folder, { withFileTypes: true });
  const atRoot = files.filter((entry) => entry.isFile()).map(({ name }) => name);
  if (atRoot.includes('saved_model.pb')) return folder;
  const [bundle, ...others] = await findModelBundles(folder);
  const newest = bundle && bundle.versions.get(Math.max(...bundle.versions.keys()));
  if (newest === undefined) {
    const other = await otherModelIn(atRoot.map((name) => ({ name, file: path.join(folder, name) })));
    throw new Refusal(
      `${place} ` +
        `${
          other ??
          'has no saved_model.pb: give the folder of a SavedModel, as model.export(folder) writes it in Keras 3 and ' +
            'tf.saved_model.save(model, folder) in TensorFlow'
        }`,
    );
  }
  if (others.length > 0)
    throw new Refusal(`${place} has several models: write pipeline.json by hand (docs/models.md)`);
  return newest;
}

/** Files of a SavedModel, or of one in each folder named by a version. */
async function savedModelMembers(folder: string): Promise<readonly Member[]> {
  const files = await listFiles(folder);
  const versions = files.flatMap(({ name }) => /^(\d+)\/saved_model\.pb$/.exec(name)?.slice(1, 2) ?? []);
  if (versions.length > 0) return files.filter(({ name }) => versions.includes(name.split('/')[0] ?? ''));
  const newest = await versionFolder(folder);
  const own = path.basename(path.resolve(newest));
  const found = newest === folder ? files : await listFiles(newest);
  return found.map((file) => ({ ...file, name: `${/^\d+$/.test(own) ? own : '1'}/${file.name}` }));
}

/** A message of Protocol Buffers has no more bytes. */
const MAX_ONNX_BYTES = 2 ** 31;

/**
 * Reads an ONNX file, but for its weights.
 *
 * @throws {Refusal} if it is too large, or can't be read
 */
async function readOnnxFile(file: string): Promise<OnnxModel> {
  const { size } = await stat(file);
  if (size >= MAX_ONNX_BYTES)
    throw new Refusal(
      `${file} has ${size} bytes, and no program reads one of 2^31 or more: store the weights next to it ` +
        'with onnx.save_model(model, "model.onnx", save_as_external_data=True)',
    );
  const model = await readLocalOnnx(file);
  if ('reason' in model)
    throw new Refusal(
      `${file} cannot be read, because ${model.reason}: export it again (torch.onnx.export, skl2onnx, onnxmltools)`,
    );
  return model;
}

/** An ONNX file and the files of its weights. */
async function onnxMembers(file: string, { external }: OnnxModel): Promise<readonly Member[]> {
  const places = [...new Set(external.map(({ location }) => location))];
  return [
    await memberOf('model.onnx', file),
    ...(await Promise.all(places.map((place) => weightsMember(file, place)))),
  ];
}

/** A file with weights; the model finds it by the same path from its own folder. */
async function weightsMember(model: string, place: string): Promise<Member> {
  const name = path.posix.normalize(place);
  if (
    path.isAbsolute(place) ||
    name === '..' ||
    name.startsWith('../') ||
    place === '' ||
    place.includes('\\')
  )
    throw new Refusal(
      `${model} takes weights from ${JSON.stringify(place)}, outside of its folder: store them next to it with ` +
        'onnx.save_model(model, "model.onnx", save_as_external_data=True, location="weights.bin")',
    );
  const file = path.join(path.dirname(model), name);
  const info = await lstat(file).catch(() => undefined);
  if (info?.isFile() !== true)
    throw new Refusal(`${model} takes weights from ${place}, and ${file} is not a file: put it there`);
  return { name, file, sizeBytes: info.size };
}

/** A file of this machine under a name of the archive. */
export async function memberOf(name: string, file: string): Promise<Member> {
  return { name, file, sizeBytes: (await stat(file)).size };
}

/**
 * A file that PyTorch loads: TorchScript as the container looks for it, or any file for a handler that has model_fn.
 *
 * @throws {Refusal} if nothing would load it
 */
async function torchMembers(file: string, code: string | undefined): Promise<readonly Member[]> {
  if (code !== undefined && (await hasModelFn(code))) return [await memberOf(path.basename(file), file)];
  const kind = await localFileKind(file);
  if (kind === 'torchscript') return [await memberOf('model.pt', file)];
  const { what, remedy } = describeKind(kind);
  throw new Refusal(`${file} is ${what}: ${remedy}`);
}

/** Whether a handler's folder has a script that loads the model itself. */
export async function hasModelFn(code: string): Promise<boolean> {
  return mayDefine(await readScript(code), 'model_fn');
}

/** A model that is served as it is. */
export interface ServedFiles {
  /** Its files in an archive, but for a handler's. */
  readonly members: readonly Member[];
  /** Folder with saved_model.pb. */
  readonly savedModel?: string;
  readonly onnx?: { readonly file: string; readonly model: OnnxModel };
}

/** How a framework's models and handlers are packed. */
interface Packing {
  /** @throws {Refusal} if the framework's container would not serve it, with the remedy */
  model(place: string, code: string | undefined): Promise<ServedFiles>;
  /**
   * The model of an unpacked archive.
   *
   * @throws {Refusal} that names the archive, if it lacks a model
   */
  unpacked(folder: string, archive: string): Promise<Omit<ServedFiles, 'members'>>;
  /** @throws {Refusal} if its container would not call it */
  handler(folder: string): Promise<readonly Member[]>;
}

/** How the models of each framework are packed. */
export const PACKING: Readonly<Record<Framework, Packing>> = {
  tensorflow: {
    model: async (place) => ({
      savedModel: await versionFolder(place),
      members: await savedModelMembers(place),
    }),
    unpacked: async (folder, archive) => ({ savedModel: await versionFolder(folder, archive) }),
    async handler(folder) {
      const script = await readScript(folder);
      const hasBoth = mayDefine(script, 'input_handler') && mayDefine(script, 'output_handler');
      if (!mayDefine(script, 'handler') && !hasBoth)
        throw new Refusal(
          `${path.join(folder, 'inference.py')} must define handler, or input_handler and output_handler, which the ` +
            'container calls (docs/handlers.md has some to copy)',
        );
      return codeMembers(folder);
    },
  },
  pytorch: {
    model: async (place, code) => ({ members: await torchMembers(place, code) }),
    unpacked: () => Promise.resolve({}),
    async handler(folder) {
      const script = await readScript(folder);
      const has = (name: string): boolean => new RegExp(`\\bdef ${name}\\b`).test(script);
      const mixed = ['input_fn', 'predict_fn', 'output_fn'].filter(has);
      if (has('transform_fn') && mixed.length > 0)
        throw new Refusal(
          `${path.join(folder, 'inference.py')} defines transform_fn and ${mixed.join(', ')}: the container takes either, not both`,
        );
      return codeMembers(folder);
    },
  },
  onnx: {
    async model(file) {
      const model = await readOnnxFile(file);
      return { onnx: { file, model }, members: await onnxMembers(file, model) };
    },
    async unpacked(folder) {
      const file = path.join(folder, 'model.onnx');
      return { onnx: { file, model: await readOnnxFile(file) } };
    },
    // A handler, or only wheels: then inferdrop's handler is added when the archive is served.
    handler: codeMembers,
  },
};

async function codeMembers(folder: string): Promise<readonly Member[]> {
  const files = await listFiles(folder);
  return files
    .filter(({ name }) => !/(^|\/)(__pycache__\/|\.DS_Store$)|\.pyc$/.test(name))
    .map((file) => ({ ...file, name: `code/${file.name}` }));
}

async function readScript(folder: string): Promise<string> {
  return readFile(path.join(folder, 'inference.py'), 'utf8').catch((): never => {
    throw new Refusal(
      `--code ${folder} has no inference.py: the container looks for code/inference.py, so give the folder that holds it`,
    );
  });
}

/**
 * Files of a folder by their paths in it.
 *
 * @throws {Refusal} if it is no folder, or holds a link
 */
export async function listFiles(folder: string): Promise<readonly Member[]> {
  const info = await stat(folder).catch(() => undefined);
  if (info === undefined || !info.isDirectory()) throw new Refusal(`${folder} is not a folder`);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const members: Member[] = [];
  for (const entry of entries) {
    const file = path.join(entry.parentPath, entry.name);
    if (entry.isSymbolicLink())
      throw new Refusal(`${file} is a link, which the container would not follow: put the file in its place`);
    if (entry.isFile())
      members.push(await memberOf(path.relative(folder, file).split(path.sep).join('/'), file));
  }
  return members;
}

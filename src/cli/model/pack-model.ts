import { createReadStream, createWriteStream } from 'node:fs';
import { lstat, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { pack } from 'tar-stream';
import { describeKind, isOfModel } from '../../file-kind/file-kind.ts';
import { mayDefine } from '../../model/script-names.ts';
import { compareByteOrder } from '../../text/byte-order.ts';
import { localFileKind, otherModelIn } from '../files/local-file-kind.ts';
import { readLocalOnnx } from '../files/read-local-onnx.ts';
import { Refusal } from '../refusal.ts';
import { UsageError } from '../usage-error.ts';

/** The sources of an archive's parts. */
export interface PackOptions {
  /** A SavedModel, or a folder with one in each folder named by a version. */
  readonly savedModel: string | undefined;
  /** A `.pt` or `.pth` file. */
  readonly pytorch: string | undefined;
  /** A `.onnx` file. */
  readonly onnx?: string | undefined;
  /** A folder with `inference.py`. */
  readonly code: string | undefined;
  readonly output: string;
}

interface Member {
  readonly name: string;
  readonly file: string;
  readonly sizeBytes: number;
}

/**
 * Writes a `model.tar.gz` of the layout that the container looks for. Names are sorted and times, owners and modes left out, so
 * that the same input gives the same bytes.
 *
 * @throws {Refusal} for a model that the container would not serve, with the remedy
 */
export async function packModel(options: PackOptions): Promise<readonly string[]> {
  const { savedModel, pytorch, onnx, code, output } = options;
  if ([savedModel, pytorch, onnx].filter((source) => source !== undefined).length !== 1)
    throw new UsageError('model pack needs exactly one of --saved-model DIR, --pytorch FILE and --onnx FILE');
  const model =
    onnx !== undefined
      ? await onnxMembers(onnx)
      : savedModel === undefined
        ? await torchMembers(pytorch ?? '', code)
        : await savedModelMembers(savedModel);
  const scripts =
    code === undefined
      ? []
      : onnx === undefined
        ? await codeMembers(code, savedModel === undefined)
        : await onnxCodeMembers(code);
  const members = [...model, ...scripts].sort((a, b) => compareByteOrder(a.name, b.name));
  await write(members, output);
  return members.map(({ name }) => name);
}

async function savedModelMembers(folder: string): Promise<Member[]> {
  const info = await stat(folder).catch(() => undefined);
  if (info?.isFile() === true) {
    const kind = await localFileKind(folder);
    throw new Refusal(`--saved-model ${folder} is ${describeKind(kind).what}: ${describeKind(kind).remedy}`);
  }
  const files = await listFiles(folder, '--saved-model');
  const names = files.map(({ name }) => name);
  if (names.includes('saved_model.pb')) {
    const own = path.basename(path.resolve(folder));
    const version = /^\d+$/.test(own) ? own : '1';
    return files.map((file) => ({ ...file, name: `${version}/${file.name}` }));
  }
  const versions = [
    ...new Set(names.flatMap((name) => /^(\d+)\/saved_model\.pb$/.exec(name)?.slice(1, 2) ?? [])),
  ];
  if (versions.length > 0) return files.filter(({ name }) => versions.includes(name.split('/')[0] ?? ''));
  const other = await otherModelIn(files);
  throw new Refusal(
    `${folder} ${other ?? 'has no saved_model.pb: write one with model.export(folder) in Keras 3, or tf.saved_model.save(model, folder)'}`,
  );
}

async function torchMembers(file: string, code: string | undefined): Promise<Member[]> {
  const info = await stat(file).catch(() => undefined);
  if (info === undefined || !info.isFile()) throw new Refusal(`--pytorch ${file} is not a file`);
  const script = code === undefined ? undefined : await readScript(code);
  const hasModelFn = script !== undefined && mayDefine(script, 'model_fn');
  // A model_fn may load any file; without one the container loads TorchScript, from model.pt.
  if (hasModelFn) return [{ name: path.basename(file), file, sizeBytes: info.size }];
  const kind = await localFileKind(file);
  if (kind === 'torchscript') return [{ name: 'model.pt', file, sizeBytes: info.size }];
  const { what, remedy } = isOfModel(kind)
    ? describeKind(kind)
    : {
        ...describeKind(kind),
        remedy:
          'add --code with an inference.py that has model_fn, or write torch.jit.script(model).save("model.pt")',
      };
  throw new Refusal(
    `--pytorch ${file} is ${what}, and without a model_fn the container loads nothing but TorchScript: ${remedy}`,
  );
}

/** A message of Protocol Buffers has no more bytes. */
const MAX_ONNX_BYTES = 2 ** 31;

async function onnxMembers(file: string): Promise<Member[]> {
  const info = await stat(file).catch(() => undefined);
  if (info?.isFile() !== true) throw new Refusal(`--onnx ${file} is not a file`);
  if (info.size >= MAX_ONNX_BYTES)
    throw new Refusal(
      `--onnx ${file} has ${info.size} bytes, and no program reads one of 2^31 or more: store the weights next to it ` +
        'with onnx.save_model(model, "model.onnx", save_as_external_data=True)',
    );
  const model = await readLocalOnnx(file);
  if ('reason' in model) {
    const kind = await localFileKind(file);
    throw new Refusal(
      kind === 'onnx' || kind === 'unknown'
        ? `--onnx ${file} cannot be read, because ${model.reason}: export it again (torch.onnx.export, skl2onnx, onnxmltools)`
        : `--onnx ${file} is ${describeKind(kind).what}: ${describeKind(kind).remedy}`,
    );
  }
  const places = [...new Set(model.external.map(({ location }) => location))];
  const beside = await Promise.all(places.map((place) => externalMember(file, place)));
  return [{ name: 'model.onnx', file, sizeBytes: info.size }, ...beside];
}

/** A file with weights; the model finds it by the same path from its own folder. */
async function externalMember(model: string, place: string): Promise<Member> {
  const name = path.posix.normalize(place);
  if (
    path.isAbsolute(place) ||
    name === '..' ||
    name.startsWith('../') ||
    place === '' ||
    place.includes('\\')
  )
    throw new Refusal(
      `--onnx ${model} takes weights from ${JSON.stringify(place)}, outside of its folder: store them next to it with ` +
        'onnx.save_model(model, "model.onnx", save_as_external_data=True, location="weights.bin")',
    );
  const file = path.join(path.dirname(model), name);
  const info = await lstat(file).catch(() => undefined);
  if (info?.isFile() !== true)
    throw new Refusal(`--onnx ${model} takes weights from ${place}, and ${file} is not a file: put it there`);
  return { name, file, sizeBytes: info.size };
}

/** A handler, or wheels alone: then inferdrop's handler is added when the archive is served. */
async function onnxCodeMembers(folder: string): Promise<Member[]> {
  const files = await listFiles(folder, '--code');
  return files.filter(isPacked).map((file) => ({ ...file, name: `code/${file.name}` }));
}

function isPacked({ name }: Member): boolean {
  return !/(^|\/)(__pycache__\/|\.DS_Store$)|\.pyc$/.test(name);
}

async function codeMembers(folder: string, isTorch: boolean): Promise<Member[]> {
  const script = await readScript(folder);
  if (isTorch) checkTorchScriptFile(folder, script);
  else if (
    !mayDefine(script, 'handler') &&
    !(mayDefine(script, 'input_handler') && mayDefine(script, 'output_handler'))
  ) {
    throw new Refusal(
      `${path.join(folder, 'inference.py')} must define handler, or input_handler and output_handler, which the ` +
        'container calls (docs/handlers.md has some to copy)',
    );
  }
  const files = await listFiles(folder, '--code');
  return files.filter(isPacked).map((file) => ({ ...file, name: `code/${file.name}` }));
}

function checkTorchScriptFile(folder: string, script: string): void {
  const has = (name: string): boolean => new RegExp(`\\bdef ${name}\\b`).test(script);
  const mixed = ['input_fn', 'predict_fn', 'output_fn'].filter(has);
  if (has('transform_fn') && mixed.length > 0) {
    throw new Refusal(
      `${path.join(folder, 'inference.py')} defines transform_fn and ${mixed.join(', ')}: the container takes either, not both`,
    );
  }
}

async function readScript(folder: string): Promise<string> {
  const file = path.join(folder, 'inference.py');
  return readFile(file, 'utf8').catch((): never => {
    throw new Refusal(
      `--code ${folder} has no inference.py: the container looks for code/inference.py, so give the folder that holds it`,
    );
  });
}

async function listFiles(folder: string, option: string): Promise<Member[]> {
  const info = await stat(folder).catch(() => undefined);
  if (info === undefined || !info.isDirectory()) throw new Refusal(`${option} ${folder} is not a folder`);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const members: Member[] = [];
  for (const entry of entries) {
    const file = path.join(entry.parentPath, entry.name);
    if (entry.isSymbolicLink())
      throw new Refusal(`${file} is a link, which the container would not follow: put the file in its place`);
    if (!entry.isFile()) continue;
    const name = path.relative(folder, file).split(path.sep).join('/');
    members.push({ name, file, sizeBytes: (await stat(file)).size });
  }
  return members;
}

/** The header's byte for the operating system; 255 is "unknown". */
const GZIP_OS_BYTE = 9;

async function write(members: readonly Member[], output: string): Promise<void> {
  const tar = pack();
  const next = `${output}.${process.pid}.next`;
  const fill = async (): Promise<void> => {
    for (const { name, file, sizeBytes } of members) {
      const entry = tar.entry({ name, size: sizeBytes, mtime: new Date(0), mode: 0o644, uid: 0, gid: 0 });
      await pipeline(createReadStream(file), entry);
    }
    tar.finalize();
  };
  try {
    await Promise.all([
      pipeline(tar, createGzip({ level: 9 }), withoutSystem, createWriteStream(next)),
      fill().catch((error: unknown) => {
        tar.destroy(error instanceof Error ? error : new Error(String(error)));
        throw error;
      }),
    ]);
    await rename(next, output);
  } catch (error) {
    await rm(next, { force: true });
    throw error;
  }
}

async function* withoutSystem(zipped: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let position = 0;
  for await (const chunk of zipped) {
    const at = GZIP_OS_BYTE - position;
    if (at >= 0 && at < chunk.length) chunk[at] = 255;
    position += chunk.length;
    yield chunk;
  }
}

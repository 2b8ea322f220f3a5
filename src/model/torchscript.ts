import { inflateRawSync } from 'node:zlib';
import { directoryOf, type FileEnds } from '../file-kind/zip-names.ts';
import { type PickledModule, pickledModules } from './pickled-modules.ts';

/** Cap on an entry that is read, and on all of them. */
const MAX_ENTRY_BYTES = 16_000_000;
const MAX_BYTES = 64_000_000;
const HEADER = 46;
const LOCAL_HEADER = 30;
const STORED = 0;
const DEFLATED = 8;

const bufferOf = ({ buffer, byteOffset, length }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, length);

/** Causes for which a TorchScript file doesn't answer a record always alike, as its code and constants show them. */
export interface TorchScriptModes {
  /** Classes of layers that were saved in training mode and act by it, such as `Dropout` and `BatchNorm1d`. */
  readonly training: readonly string[];
  /** Random operations besides, such as `torch.randn_like`. */
  readonly random: readonly string[];
}

const RANDOM =
  /\btorch\.(?:bernoulli|cauchy|exponential|geometric|log_normal|multinomial|normal|poisson|rand|randint|randn|random|randperm|uniform)(?:_like)?_?(?=\()/g;
const DROPOUT = /\btorch\.\w{0,20}dropout_?\(/;
const ALIAS = /^ *(\w+) = __torch__\.torch\.nn\.functional\.\w{0,20}dropout\w{0,2}$/gm;
/** Constant arguments by which a layer trains, whatever mode it's put in later. */
const DROPS = /, \d[\d.e-]{0,30}, True(?:, (?:True|False), )?\)/;
const OWN_STATISTICS = /, True, \d[\d.e-]{0,30}, \d[\d.e-]{0,30}, (?:True|False)\)/;

/**
 * Reads the code of a TorchScript file and the modes of its modules, without PyTorch.
 *
 * @returns undefined if they don't lie in the end of the file that is looked at
 */
export function torchScriptModes(file: FileEnds): TorchScriptModes | undefined {
  const entries = zipEntries(file, /^[^/]+\/(?:data\.pkl|code\/.+\.py)$/);
  if (entries === undefined) return undefined;
  const code = new Map<string, string>();
  let modules: readonly PickledModule[] | undefined;
  for (const [name, bytes] of entries) {
    const inner = name.slice(name.indexOf('/') + 1);
    if (inner === 'data.pkl') modules = pickledModules(bytes);
    else code.set(inner.slice('code/'.length, -'.py'.length), bytes.toString());
  }
  if (modules === undefined) return undefined;
  const training = modules.filter(({ type, isTraining }) => isTraining && actsByMode(classCode(type, code)));
  const texts = [...code.values()];
  const random = texts.flatMap((text) => [
    ...(text.match(RANDOM) ?? []),
    ...(training.length === 0 && dropsAlways(text) ? ['dropout'] : []),
  ]);
  return {
    training: [...new Set(training.map(({ type }) => type.split('.').at(-1) ?? type))].sort(),
    random: [...new Set(random)].sort(),
  };
}

/** The text of a class, which lies in the file of its module. */
function classCode(type: string, code: ReadonlyMap<string, string>): string {
  const end = type.lastIndexOf('.');
  const text = code.get(type.slice(0, end).replaceAll('.', '/')) ?? '';
  return text.split(/^class /m).find((part) => part.startsWith(`${type.slice(end + 1)}(`)) ?? '';
}

function actsByMode(text: string): boolean {
  return /\.training\b/.test(text) || dropsAlways(text) || normalizesByBatch(text);
}

function normalizesByBatch(text: string): boolean {
  return text.split('\n').some((line) => line.includes('torch.batch_norm(') && OWN_STATISTICS.test(line));
}

function dropsAlways(text: string): boolean {
  const aliases = [...text.matchAll(ALIAS)].map(([, name = '']) => `${name}(`);
  return text
    .split('\n')
    .some((line) => (DROPOUT.test(line) || aliases.some((name) => line.includes(name))) && DROPS.test(line));
}

/**
 * Contents of the entries of a ZIP archive with matching names, as far as its last bytes hold them.
 *
 * @returns undefined if one of them isn't there, or can't be read
 */
function zipEntries(file: FileEnds, wanted: RegExp): ReadonlyMap<string, Buffer> | undefined {
  const tail = bufferOf(file.tail ?? new Uint8Array());
  const listed = directoryOf(tail, file.sizeBytes);
  if (listed === undefined) return undefined;
  const directory = bufferOf(listed);
  const found = new Map<string, Buffer>();
  let bytes = 0;
  for (let at = 0; at + HEADER <= directory.length;) {
    const end = at + HEADER + directory.readUInt16LE(at + 28);
    const name = directory.subarray(at + HEADER, end).toString();
    if (wanted.test(name)) {
      const content = contentOf(tail, directory.readUInt32LE(at + 42) - (file.sizeBytes - tail.length), {
        method: directory.readUInt16LE(at + 10),
        packed: directory.readUInt32LE(at + 20),
      });
      if (content === undefined || (bytes += content.length) > MAX_BYTES) return undefined;
      found.set(name, content);
    }
    at = end + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32);
  }
  return found;
}

function contentOf(
  tail: Buffer,
  at: number,
  { method, packed }: { readonly method: number; readonly packed: number },
): Buffer | undefined {
  if (at < 0 || at + LOCAL_HEADER > tail.length) return undefined;
  const start = at + LOCAL_HEADER + tail.readUInt16LE(at + 26) + tail.readUInt16LE(at + 28);
  if (start + packed > tail.length || packed > MAX_ENTRY_BYTES) return undefined;
  const bytes = tail.subarray(start, start + packed);
  if (method === STORED) return bytes;
  if (method !== DEFLATED) return undefined;
  try {
    return inflateRawSync(bytes, { maxOutputLength: MAX_ENTRY_BYTES });
  } catch {
    // A damaged file is the container's to refuse.
    return undefined;
  }
}

import type { FileEnds } from '../file-kind/zip-names.ts';
import { type PickledModule, pickledModules } from './pickled-modules.ts';
import { zipEntries } from './zip-entries.ts';

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

import { isHidden } from '../file-kind/hidden-name.ts';
import { LAST_WITH_HOROVOD } from '../frameworks/trainings.ts';
import { nearestName } from '../pipeline/nearest-name.ts';
import { toShownValue } from '../pipeline/shown-value.ts';
import type { TrainingSettings } from '../pipeline/training-settings.ts';
import type { Problem } from '../problem/problem.ts';
import type { SourceFile } from './training-plan.ts';

/** An `import` at the start of a line; the group holds the modules, or the package and the names of it, blanks before them included. */
const IMPORT =
  /^[ \t]*(?:import[ \t]([\w., \t]+)|from[ \t]+([\w.]+)[ \t]+import([ \t]*\([^()]*\)|[^\n(]*))/gm;

/** Bound on the source, which a function reads whole to pack it. */
export const MAX_SOURCE_FILES = 1_000;
const MAX_SOURCE_BYTES = 100_000_000;

/** sagemaker-training 5.1.4: relative, of letters, digits and `. _ + - /`, beginning with none of `+ - /`. */
const ENTRY_POINT = /^[A-Za-z0-9._][A-Za-z0-9._+-]*(?:\/[A-Za-z0-9._+-]+)*$/;

/** Content of the source folder. */
export interface FoundSource {
  /** S3 URI of the folder, for messages. */
  readonly place: string;
  /** At most one more than `MAX_SOURCE_FILES`. */
  readonly files: readonly SourceFile[];
  /** Texts of the Python files and of requirements.txt, by path. */
  readonly texts: ReadonlyMap<string, string>;
}

/** Problems of the source folder and the entry point. */
export function sourceProblems(
  { sourceDir, entryPoint, networkIsolation }: TrainingSettings,
  { place, files }: FoundSource,
): Problem[] {
  const problems: Problem[] = [];
  const add = (field: string, value: unknown, message: string): void => {
    problems.push({ file: 'pipeline.json', field: `training.${field}`, value: toShownValue(value), message });
  };
  if (!isSourceDir(sourceDir)) {
    add('sourceDir', sourceDir, 'must be the name of a folder next to pipeline.json, such as code');
    return problems;
  }
  if (files.length === 0) {
    add('sourceDir', sourceDir, `has no files: put the source into ${place}`);
    return problems;
  }
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  if (files.length > MAX_SOURCE_FILES || bytes > MAX_SOURCE_BYTES)
    add(
      'sourceDir',
      sourceDir,
      `must have at most ${MAX_SOURCE_FILES} files and ${MAX_SOURCE_BYTES} bytes, has ` +
        `${files.length > MAX_SOURCE_FILES ? 'more' : `${bytes} bytes`}: data belongs into a channel`,
    );
  const paths = files.map(({ path }) => path);
  if (!ENTRY_POINT.test(entryPoint) || entryPoint.split('/').some((part) => part === '.' || part === '..'))
    add(
      'entryPoint',
      entryPoint,
      'must be a path in the source folder of A-Z a-z 0-9 . _ + - /, which is what the training toolkit starts: rename the script',
    );
  else if (!paths.includes(entryPoint)) {
    const nearest = nearestName(entryPoint, paths);
    const meant =
      nearest === undefined ? `it has ${paths.slice(0, 10).join(', ')}` : `did you mean ${nearest}?`;
    add('entryPoint', entryPoint, `is not in ${place}: ${meant}`);
  }
  if (networkIsolation && paths.includes('requirements.txt'))
    problems.push({
      file: `${place}requirements.txt`,
      field: '',
      value: '',
      message:
        'names packages that the container installs from the network, which training.networkIsolation keeps it from: ' +
        'put the packages into the source folder, or set training.networkIsolation to false',
    });
  return problems;
}

/** Whether the source folder lies next to pipeline.json. */
export function isSourceDir(name: string): boolean {
  return name !== '' && name.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
}

/** Whether a file of the source folder is packed; compiled Python and hidden files are not. */
export function isSourceFile(path: string): boolean {
  return !isHidden(path) && !path.endsWith('.pyc') && !path.split('/').includes('__pycache__');
}

/** An import of Horovod at the start of a line, which can't be a word in a sentence. */
const IMPORTS_HOROVOD = /^[ \t]*(?:import|from)[ \t]+horovod(?:$|[\s.,])/m;
const NEEDS_HOROVOD = /^[ \t]*horovod(?:$|[^A-Za-z0-9_-])/im;

/**
 * Problem of an entry point that imports Horovod, itself or in a script that it imports, though neither the image nor requirements.txt has
 * it; empty if that is not known.
 */
export function horovodProblems(
  { framework, version, image, entryPoint }: TrainingSettings,
  { place, texts }: FoundSource,
  horovod: string | null,
): Problem[] {
  if (image !== null || horovod !== null || NEEDS_HOROVOD.test(texts.get('requirements.txt') ?? ''))
    return [];
  const importing = importedScripts(entryPoint, texts).find((path) =>
    IMPORTS_HOROVOD.test(texts.get(path) ?? ''),
  );
  if (importing === undefined) return [];
  const message =
    `imports Horovod, which AWS's ${framework} training image of version ${version} on these instances does not have: ` +
    `set training.version to one that has it (the last is ${LAST_WITH_HOROVOD}), give training.image, or add horovod ` +
    'to requirements.txt, which is built for minutes at every start';
  return [{ file: `${place}${importing}`, field: '', value: '', message }];
}

/**
 * The entry point and the scripts of the source that it imports, directly or not. Modules that a script imports by a computed name, or
 * starts as a program, are not among them.
 *
 * @param texts by path in the source folder
 */
function importedScripts(entryPoint: string, texts: ReadonlyMap<string, string>): string[] {
  const found = new Set([entryPoint]);
  for (const path of found)
    for (const module of importedModules(path, texts.get(path) ?? ''))
      for (const file of [`${module}.py`, `${module}/__init__.py`]) if (texts.has(file)) found.add(file);
  return [...found];
}

/** Modules as paths; `from a import b` gives both `a` and `a/b`, since b may be a module. */
function importedModules(path: string, text: string): string[] {
  return [...text.matchAll(IMPORT)].flatMap(([, modules, from, names = '']) => {
    if (modules !== undefined) return listed(modules).flatMap(withParents);
    const base = from?.startsWith('.') === true ? relativeTo(path, from) : (from ?? '').replaceAll('.', '/');
    return [...withParents(base), ...listed(names).map((name) => (base === '' ? name : `${base}/${name}`))];
  });
}

/** Names of `a.b as c, d`, as paths. */
function listed(names: string): string[] {
  return names.split(',').map((name) => (/[\w.]+/.exec(name)?.[0] ?? '').replaceAll('.', '/'));
}

/** Importing `a.b` also imports `a`. */
function withParents(module: string): string[] {
  const parts = module.split('/');
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}

/** `..a.b` of `x/y/z.py` is `x/a/b`. */
function relativeTo(path: string, from: string): string {
  const dots = /^\.*/.exec(from)?.[0].length ?? 0;
  const folder = path.split('/').slice(0, -dots);
  const rest = from.slice(dots).split('.').filter(Boolean);
  return [...folder, ...rest].join('/');
}

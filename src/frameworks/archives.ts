import type { ArchiveContents } from '../model/archive-contents.ts';
import { importProblems } from '../model/script-names.ts';
import type { ArchiveFiles, ArchiveRules, ServedAs } from './archive.ts';
import { Framework } from './framework-name.ts';
import { onnx } from './onnx/archive.ts';
import { pytorch } from './pytorch/archive.ts';
import { tensorflow } from './tensorflow/archive.ts';

/** Rules of each framework about archives. */
export const ARCHIVES: Readonly<Record<Framework, ArchiveRules>> = { tensorflow, pytorch, onnx };

/** The framework that serves an archive, by its files; undefined if none does. */
export function frameworkOf(archive: Pick<ArchiveFiles, 'files' | 'scripts'>): Framework | undefined {
  return Framework.options.find((name) => ARCHIVES[name].serves(archive));
}

/** The layout in which AWS's containers look for a model, and their further requirements. */
export interface ServingNeeds extends ServedAs {
  readonly framework: Framework;
}

const NAMES_ALONE: ArchiveContents = { scripts: new Map(), kinds: new Map() };

/** Why a container of the framework would not serve these files; each reason includes the remedy. */
export function layoutProblems(
  files: readonly string[],
  needs: ServingNeeds,
  contents: ArchiveContents = NAMES_ALONE,
): string[] {
  const escaping = files.find((name) => name.startsWith('/') || name.split('/').includes('..'));
  if (escaping !== undefined)
    return [
      `holds the path ${JSON.stringify(escaping)}, which leaves the archive: pack it with relative paths`,
    ];
  return [
    ...ARCHIVES[needs.framework].layoutProblems(files, needs, contents),
    ...importProblems(contents.scripts),
    ...(needs.networkIsolation ? isolationProblems(files) : []),
  ];
}

/**
 * Problems of network isolation: containers install requirements.txt when they start, unless there is code/lib, or pip finds
 * its packages in code/wheels.
 */
export function isolationProblems(files: readonly string[]): string[] {
  if (!files.includes('code/requirements.txt')) return [];
  if (files.some((name) => /^code\/(?:lib\/|wheels\/[^/]+\.whl$)/.test(name))) return [];
  return [
    'has code/requirements.txt, and the container would install its packages from the network, which ' +
      'model.networkIsolation keeps it from: pack them into code/lib/ (pip install -r code/requirements.txt -t ' +
      'code/lib) and leave the file out, or set model.networkIsolation to false',
  ];
}

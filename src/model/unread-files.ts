import { editDistance } from '../text/edit-distance.ts';
import type { ArchiveContents } from './archive-contents.ts';
import { INFERENCE_SCRIPT } from './script-names.ts';

const REQUIREMENTS = 'code/requirements.txt';
/** Misspellings that count as the handler: `Inference.py`, `inferece.py`. */
const MOST_EDITS = 2;
/** Folders of packages, of models' own files and of programs that leave traces. */
const FOREIGN = /(?:^|\/)(?:\.[^/]*|__MACOSX|__pycache__|site-packages|variables|assets(?:\.extra)?)(?:\/|$)/;
const PACKAGES = /^code\/(?:lib|wheels)\//;
/** Scripts with these may read any file. */
const READS_ANY = /\bsys\.path\b|\bimportlib\b|\brunpy\b|\bos\.walk\b|\bglob\b|\bPYTHONPATH\b/;

/** A file of an archive that no container reads, and why, with the remedy. */
interface UnreadFile {
  readonly name: string;
  readonly problem: string;
}

/**
 * Finds the code that was meant for a container and lies where none looks, such as `1/code/inference.py`: AWS ignores it without a
 * word. Code that a script of the archive names, or may find on its own, counts as read; other code does no harm.
 */
export function unreadFiles(
  files: readonly string[],
  { scripts }: Pick<ArchiveContents, 'scripts'>,
): readonly UnreadFile[] {
  const hasHandler = files.includes(INFERENCE_SCRIPT);
  if (hasHandler && !scripts.has(INFERENCE_SCRIPT)) return [];
  const texts = hasHandler ? [...scripts.values()] : [];
  return files.flatMap((name) => {
    const place = placeOf(name, hasHandler);
    if (place === undefined || texts.some((text) => reads(text, name))) return [];
    if (place === REQUIREMENTS && files.includes(place)) return [];
    const remedy = files.includes(place)
      ? `leave it out, or let ${INFERENCE_SCRIPT} read it`
      : `move it to ${place}`;
    return [{ name, problem: `has ${name}, which no container reads: ${remedy}` }];
  });
}

/** The place where a container would read the file; undefined for files that it has no use for, or that are in their place. */
function placeOf(name: string, hasHandler: boolean): string | undefined {
  if (FOREIGN.test(name) || PACKAGES.test(name) || name === INFERENCE_SCRIPT) return undefined;
  const base = name.slice(name.lastIndexOf('/') + 1);
  const isInCode = name.startsWith('code/');
  // Packages are installed for a handler.
  if (base === REQUIREMENTS.slice('code/'.length)) return hasHandler && !isInCode ? REQUIREMENTS : undefined;
  // Next to a handler, only a second spelling of its name shows that another one was meant.
  if (isInCode && !hasHandler)
    return /\.py$/i.test(base) && base !== '__init__.py' ? INFERENCE_SCRIPT : undefined;
  return isHandler(base) && (!isInCode || name === `code/${base}`) ? INFERENCE_SCRIPT : undefined;
}

function isHandler(base: string): boolean {
  const lower = base.toLowerCase();
  return (
    /\.py.?$/.test(lower) && !lower.endsWith('.pyc') && editDistance(lower, 'inference.py') <= MOST_EDITS
  );
}

/** Whether a script names a file, or imports from the folder that it is in. */
function reads(script: string, name: string): boolean {
  const [base = '', folder = ''] = name.split('/').toReversed();
  const isImported =
    /^\w+$/.test(folder) && new RegExp(`^[ \\t]*(?:import|from)\\b.*\\b${folder}\\b`, 'm').test(script);
  return READS_ANY.test(script) || script.includes(base) || isImported;
}

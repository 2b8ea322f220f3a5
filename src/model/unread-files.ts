import { editDistance } from '../text/edit-distance.ts';
import type { ArchiveContents } from './serving/serving-container.ts';

const HANDLER = 'code/inference.py';
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
 * Finds the code that lies where no container looks, such as `1/code/inference.py`: AWS ignores it without a word. Code that a script of
 * the archive names, or may find by itself, counts as read.
 */
export function unreadFiles(
  files: readonly string[],
  { scripts }: Pick<ArchiveContents, 'scripts'>,
): readonly UnreadFile[] {
  const hasHandler = files.includes(HANDLER);
  if (hasHandler && !scripts.has(HANDLER)) return [];
  const texts = hasHandler ? [...scripts.values()] : [];
  return files.flatMap((name) => {
    const place = placeOf(name, hasHandler);
    if (place === undefined || texts.some((text) => reads(text, name))) return [];
    const remedy = files.includes(place) ? `leave it out, or let ${HANDLER} read it` : `move it to ${place}`;
    return [{ name, problem: `has ${name}, which no container reads: ${remedy}` }];
  });
}

/** The place where a container would read the file; undefined for files that are no code, or are in their place. */
function placeOf(name: string, hasHandler: boolean): string | undefined {
  if (FOREIGN.test(name) || PACKAGES.test(name) || name === HANDLER) return undefined;
  const base = name.slice(name.lastIndexOf('/') + 1);
  const isScript = /\.py$/i.test(base);
  if (name.startsWith('code/')) {
    // Beside a handler, only a second spelling of its name says that another one was meant.
    const isMeant = hasHandler ? name === `code/${base}` && isHandler(base) : isScript;
    return isMeant ? HANDLER : undefined;
  }
  if (isHandler(base)) return HANDLER;
  return isScript || base === 'requirements.txt' ? `code/${base}` : undefined;
}

function isHandler(base: string): boolean {
  const lower = base.toLowerCase();
  return (
    /\.py.?$/.test(lower) && !lower.endsWith('.pyc') && editDistance(lower, 'inference.py') <= MOST_EDITS
  );
}

/** Whether a script names a file: by its name, or by an import of it or of the folder that it is in. */
function reads(script: string, name: string): boolean {
  const [top = '', ...rest] = name.replace(/^code\//, '').split('/');
  const base = rest.at(-1) ?? top;
  const module = top.replace(/\.py$/i, '');
  const isImported =
    /^\w+$/.test(module) &&
    new RegExp(`^[ \\t]*(?:import|from)[ \\t.]+(?:\\w+, *)*${module}\\b`, 'm').test(script);
  return READS_ANY.test(script) || script.includes(base) || isImported;
}

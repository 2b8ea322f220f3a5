import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { IMPORTS } from './build-programs.ts';

/** Files that a program asks for by the `imports` of package.json, up to the first part that is decided while it runs. */
const ASKED = /import\.meta\.resolve\(["'`]#([^"'`$]+)/g;

/** Refuses a package with programs that wouldn't find a file or a module of their own. */
export function refuseMissingFiles(out: string): void {
  const problems = new Set<string>();
  for (const file of javaScriptOf(path.join(out, 'dist'))) {
    const text = readFileSync(file, 'utf8');
    const own = path.relative(out, file);
    for (const [, asked = ''] of text.matchAll(ASKED)) {
      const place = placeOf(`#${asked}`);
      if (place === undefined || !isThere(path.join(out, place)))
        problems.add(`${own} asks for #${asked}, which is not in the package`);
    }
    for (const [name] of text.matchAll(/(?<=(?:from|import\()\s*["'])@inferdrop\/[^"']+/g))
      problems.add(`${own} imports ${name}, which the bundle should contain`);
  }
  if (problems.size > 0) throw new Error([...problems].join('\n'));
}

function javaScriptOf(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.m?js$/.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name));
}

/** The place that Node would find: an exact key first, then the longest pattern. */
function placeOf(asked: string): string | undefined {
  const exact = IMPORTS[asked];
  if (exact !== undefined) return exact;
  const patterns = Object.keys(IMPORTS)
    .filter((key) => key.includes('*'))
    .sort((a, b) => b.length - a.length);
  for (const key of patterns) {
    const [before = '', after = ''] = key.split('*');
    if (asked.startsWith(before) && asked.endsWith(after))
      return IMPORTS[key]?.replace('*', asked.slice(before.length, asked.length - after.length));
  }
  return undefined;
}

/** A path that stops where a name is filled in must be the folder of these names. */
function isThere(file: string): boolean {
  return existsSync(file) || (file.endsWith(path.sep) && existsSync(path.dirname(file)));
}

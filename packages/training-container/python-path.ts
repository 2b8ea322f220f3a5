import { fileURLToPath } from 'node:url';

/** A file of this package that Python runs. */
export function pythonFile(name: string): string {
  return fileURLToPath(new URL(`./python/${name}`, import.meta.url));
}

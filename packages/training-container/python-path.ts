import { fileURLToPath } from 'node:url';

/** A file of this package that Python runs. */
export function pythonFile(name: string): string {
  return fileURLToPath(import.meta.resolve(`#training-container/python/${name}`));
}

import { fileURLToPath } from 'node:url';
import { pythonLibrary } from '@inferdrop/model-container/python-library';

/** A file of this package that Python runs. */
export function pythonFile(name: string): string {
  return fileURLToPath(new URL(`./python/${name}`, import.meta.url));
}

/**
 * What every Python of a host has on its path: the site that makes a host of it, what that stands on, and a reader of Pipe mode in the
 * place of AWS's, which opens `/opt/ml` in C++ and has no build for TensorFlow past 2.14, Python past 3.10, macOS and ARM.
 */
export function pythonPath(): readonly string[] {
  return [pythonFile('site'), pythonFile('pipe'), pythonLibrary()];
}

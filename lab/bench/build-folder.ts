import path from 'node:path';

/** The repository, and what the benches make and keep. */
export const ROOT = path.resolve(import.meta.dirname, '..', '..');
export const BUILD = path.join(ROOT, 'build', 'bench');

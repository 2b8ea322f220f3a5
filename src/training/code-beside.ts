/** Handler that inference containers look for, below `code/` of the archive and at the root of a source folder. */
const HANDLER = 'inference.py';
const REQUIREMENTS = 'requirements.txt';

/**
 * Files of a source folder that are laid below `code/` of a trained archive, so that its handler comes with the model: all of them,
 * since the handler may import any, but requirements.txt only if the inference container has a network. Empty if the archive has a
 * handler of its own, or the folder has no handler.
 */
export function codeBeside(
  archive: readonly string[],
  source: readonly string[],
  { networkIsolation }: { readonly networkIsolation: boolean },
): readonly string[] {
  if (archive.includes(`code/${HANDLER}`) || !source.includes(HANDLER)) return [];
  const taken = new Set(archive);
  return source.filter((name) => !taken.has(`code/${name}`) && !(networkIsolation && name === REQUIREMENTS));
}

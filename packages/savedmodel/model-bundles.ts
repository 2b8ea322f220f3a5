import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** One model of an archive with the folders of its versions. */
export interface ModelBundle {
  readonly name: string;
  /** Version number → folder that holds `saved_model.pb`. */
  readonly versions: ReadonlyMap<number, string>;
}

/**
 * Searches an unpacked archive as the TensorFlow container does: every `saved_model.pb` in a folder named by digits.
 * The model is named by the folder above; a version at the archive's root belongs to the model `model`.
 *
 * @param modelFile file that such a folder is known by, where it is another
 */
export async function findModelBundles(
  modelDir: string,
  modelFile = 'saved_model.pb',
): Promise<readonly ModelBundle[]> {
  const files = await readdir(modelDir, { recursive: true, withFileTypes: true });
  const versionDirs = files
    .filter((file) => file.isFile() && file.name === modelFile && /^\d+$/.test(basename(file.parentPath)))
    .map((file) => file.parentPath)
    .sort();
  const bundles = new Map<string, Map<number, string>>();
  for (const versionDir of versionDirs) {
    const base = dirname(versionDir);
    const name = base === join(modelDir) ? 'model' : basename(base);
    const versions = bundles.get(name) ?? new Map<number, string>();
    versions.set(Number(basename(versionDir)), versionDir);
    bundles.set(name, versions);
  }
  return [...bundles].map(([name, versions]) => ({ name, versions }));
}

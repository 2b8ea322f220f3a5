import { readdir } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { groupBundles } from './bundle-paths.ts';

/** One model of an archive with the folders of its versions. */
export interface ModelBundle {
  readonly name: string;
  /** Version number → folder that holds `saved_model.pb`. */
  readonly versions: ReadonlyMap<number, string>;
}

/**
 * Searches an unpacked archive as the TensorFlow container does.
 *
 * @param modelFile file that marks such a folder, if not the usual one
 */
export async function findModelBundles(
  modelDir: string,
  modelFile = 'saved_model.pb',
): Promise<readonly ModelBundle[]> {
  const files = await readdir(modelDir, { recursive: true, withFileTypes: true });
  const paths = files
    .filter((file) => file.isFile() && file.name === modelFile)
    .map((file) => relative(modelDir, join(file.parentPath, file.name)).split(sep).join('/'));
  return Array.from(groupBundles(paths), ([name, versions]) => ({
    name,
    versions: new Map(Array.from(versions, ([version, path]) => [version, join(modelDir, dirname(path))])),
  }));
}

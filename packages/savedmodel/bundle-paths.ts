/**
 * Groups the paths of `saved_model.pb` files by model as the TensorFlow container does: those in a folder named by digits count, and the
 * folder above names the model. A version at the archive's root belongs to the model `model`.
 *
 * @param paths of all such files, relative to the archive's root, such as `export/mnist/1/saved_model.pb`
 * @returns by model, version number → path
 */
export function groupBundles(paths: readonly string[]): ReadonlyMap<string, ReadonlyMap<number, string>> {
  const models = new Map<string, Map<number, string>>();
  for (const path of paths.toSorted()) {
    const [version = '', name = 'model'] = path.split('/').slice(0, -1).reverse();
    if (!/^\d+$/.test(version)) continue;
    const versions = models.get(name) ?? new Map<number, string>();
    versions.set(Number(version), path);
    models.set(name, versions);
  }
  return models;
}

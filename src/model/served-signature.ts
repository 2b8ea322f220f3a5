import type { ModelSignature } from './read-signatures.ts';

/** The signature that TensorFlow Serving uses unless a request names another. */
const DEFAULT_SIGNATURE = 'serving_default';

/**
 * The signature that the container answers requests with: that of the highest version of the only model in an archive. Undefined
 * where there are several models, or it cannot be read.
 */
export function servedSignature(
  signatures: ReadonlyMap<string, readonly ModelSignature[]>,
): ModelSignature | undefined {
  const versions = [...signatures].flatMap(([file, found]) => {
    const [, model = '', version] = /^(|.*\/)(\d+)\/saved_model\.pb$/.exec(file) ?? [];
    return version === undefined ? [] : [{ model, version: Number(version), found }];
  });
  if (new Set(versions.map(({ model }) => model)).size !== 1) return undefined;
  const [latest] = versions.toSorted((a, b) => b.version - a.version);
  return latest?.found.find(({ name }) => name === DEFAULT_SIGNATURE);
}

/** Setting of the container that names the model for requests that name none. */
const DEFAULT_MODEL = 'SAGEMAKER_TFS_DEFAULT_MODEL_NAME';

/** The signature that TensorFlow Serving answers with unless a request names another. */
export const DEFAULT_SIGNATURE = 'serving_default';

/**
 * The model that answers requests that name none; `isCertain` is false if AWS's container takes whichever its disk lists first.
 *
 * @param names of the archive's models, in order
 */
export function servedModel(
  names: readonly string[],
  environment: Readonly<Record<string, string>>,
): { readonly name: string; readonly isCertain: boolean } | { readonly reason: string } {
  const named = environment[DEFAULT_MODEL];
  const [first, ...others] = names;
  if (first === undefined) return { reason: 'no SavedModel bundles found!' };
  if (named === undefined || named === 'None') return { name: first, isCertain: others.length === 0 };
  if (names.includes(named)) return { name: named, isCertain: true };
  return { reason: `${DEFAULT_MODEL} must be one of ${names.join(', ')}, is ${named}` };
}

/** The signature that answers requests that name none; undefined if the model has no such signature, and refuses them. */
export function servedSignature<S extends { readonly name: string }>(
  signatures: readonly S[],
): S | undefined {
  return signatures.find(({ name }) => name === DEFAULT_SIGNATURE);
}

import { DEFAULT_SIGNATURE, servedModel } from '@inferdrop/model-container/internal/served-model';
import { groupBundles } from '@inferdrop/savedmodel/internal/bundle-paths';
import type { ModelSignature } from '../../model/read-signatures.ts';

/** The version of a model that answers requests that name none. */
interface ServedVersion {
  readonly model: string;
  readonly version: number;
  /** Its `saved_model.pb`. */
  readonly file: string;
  readonly signatures: readonly ModelSignature[] | 'unread';
  /** Other models of the archive that AWS's container may take as well. */
  readonly rivals: readonly string[];
}

/**
 * Finds the version that the TensorFlow container answers with: the highest of its default model; a reason if the settings name a
 * model that the archive lacks, undefined if it has no models at all.
 */
export function servedVersion(
  {
    files,
    signatures,
  }: {
    readonly files: readonly string[];
    readonly signatures?: ReadonlyMap<string, readonly ModelSignature[]>;
  },
  environment: Readonly<Record<string, string>>,
): ServedVersion | { readonly reason: string } | undefined {
  const models = groupBundles(files.filter((name) => /(^|\/)saved_model\.pb$/.test(name)));
  if (models.size === 0) return undefined;
  const served = servedModel([...models.keys()], environment);
  if ('reason' in served) return served;
  const { name: model, isCertain } = served;
  const [newest] = [...(models.get(model) ?? [])].toSorted(([a], [b]) => b - a);
  if (newest === undefined) return undefined;
  const [version, file] = newest;
  const rivals = isCertain ? [] : [...models.keys()].filter((name) => name !== model);
  return { model, version, file, signatures: signatures?.get(file) ?? 'unread', rivals };
}

/** Words about a model that refuses requests which name no signature. */
export function withoutDefault(signatures: readonly { readonly name: string }[]): string {
  const names = signatures.map(({ name }) => name).join(', ');
  return (
    `without the signature ${DEFAULT_SIGNATURE}, so that the container refuses every request that names none: export it ` +
    `under that name (tf.saved_model.save(model, folder, signatures={"${DEFAULT_SIGNATURE}": ` +
    `…}))${names === '' ? '' : `; it has ${names}`}`
  );
}

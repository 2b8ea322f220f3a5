import { CONVERTED_TYPES, mediaTypeOf } from '@inferdrop/model-container/internal/convert-request';
import { resolveImageGeneration } from '@inferdrop/model-container/internal/image-generation';
import {
  DEFAULT_SIGNATURE,
  servedModel,
  servedSignature,
} from '@inferdrop/model-container/internal/served-model';
import { groupBundles } from '@inferdrop/savedmodel/internal/bundle-paths';
import { describeKind } from '../../file-kind/file-kind.ts';
import type { ArchiveContents } from '../../model/archive-contents.ts';
import { pyodideProblems } from '../../model/pyodide-needs.ts';
import type { ModelSignature } from '../../model/read-signatures.ts';
import { mayDefine } from '../../model/script-names.ts';
import { said } from '../../text/said.ts';
import type { AnsweringModel, ArchiveRules, ServedAs } from '../archive.ts';

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

/** TensorFlow Serving takes a SavedModel in a folder with a number as its name, and converts requests if no handler does. */
export const tensorflow: ArchiveRules = {
  serves: ({ files }) => files.some((name) => /(^|\/)\d+\/saved_model\.pb$/.test(name)),
  layoutProblems: (files, served, contents) => [
    ...bundleProblems(files, contents),
    ...handlerProblems(files, served),
    ...servedProblems(files, served, contents),
    ...scriptProblems(contents),
  ],
  answering,
  ownHandler: () => [],
  plainModel: '1/saved_model.pb',
  functionProblems: pyodideProblems,
};

function answering(
  { files, signatures = new Map() }: Parameters<ArchiveRules['answering']>[0],
  { frameworkVersion, environment }: Parameters<ArchiveRules['answering']>[1],
): AnsweringModel {
  const isPlain = !files.includes('code/inference.py');
  const served = servedVersion({ files, signatures }, environment);
  const known =
    served === undefined || 'reason' in served || served.rivals.length > 0 ? 'unread' : served.signatures;
  return {
    signature: known === 'unread' ? undefined : servedSignature(known),
    signatures: known,
    generation: resolveImageGeneration(frameworkVersion),
    isPlain,
    answersOutputs: isPlain,
    classes: null,
  };
}

function bundleProblems(files: readonly string[], { kinds }: ArchiveContents): string[] {
  const bundles = files.filter((name) => /(^|\/)saved_model\.pbt?x?t?$/.test(name));
  const text = bundles.find((name) => name.endsWith('.pbtxt'));
  if (text !== undefined && !files.includes(text.replace(/txt$/, '')))
    return [
      `has ${text}, a model as text, and the container only takes saved_model.pb: write it again with tf.saved_model.save`,
    ];
  const [found] = kinds;
  if (bundles.length === 0 && found !== undefined) {
    const [name, kind] = found;
    const { what, remedy } = describeKind(kind);
    return [`has no saved_model.pb; its ${name} is ${what}: ${remedy}`];
  }
  if (bundles.length === 0)
    return [
      'has no saved_model.pb: pack a SavedModel as 1/saved_model.pb with 1/variables/ (Keras: model.export(), not model.save())',
    ];
  if (files.some((name) => /(^|\/)\d+\/saved_model\.pb$/.test(name))) return [];
  return [
    `has ${bundles[0]}, but the container only takes a SavedModel in a folder named by a number: move it to 1/saved_model.pb`,
  ];
}

function handlerProblems(
  files: readonly string[],
  { contentType, frameworkVersion = '' }: ServedAs,
): string[] {
  if (files.includes('code/inference.py')) return [];
  const generation = resolveImageGeneration(frameworkVersion);
  const bare = mediaTypeOf(contentType, 'current');
  const remedy = CONVERTED_TYPES.includes(bare)
    ? `write ${JSON.stringify(bare)}, since images before TensorFlow 2.20 compare all of it, or add a handler`
    : `add a handler (docs/handlers.md has some to copy), or use one of ${CONVERTED_TYPES.join(', ')}`;
  return said(
    !CONVERTED_TYPES.includes(mediaTypeOf(contentType, generation)) &&
      'has no code/inference.py, and without one the container answers 415 to transform.contentType ' +
        `${JSON.stringify(contentType)}: ${remedy}`,
  );
}

/** Problems of the model that answers: AWS's container takes any of several, and CSV cannot ask for another signature than its default. */
function servedProblems(
  files: readonly string[],
  { contentType, environment = {} }: ServedAs,
  contents: ArchiveContents,
): string[] {
  const served = servedVersion({ ...contents, files }, environment);
  if (served === undefined) return [];
  if ('reason' in served) return [`has no such model: ${served.reason}`];
  const { model, rivals, signatures } = served;
  if (rivals.length > 0)
    return [
      `has the models ${[model, ...rivals].join(', ')}, and the container answers with whichever it finds first: set ` +
        'SAGEMAKER_TFS_DEFAULT_MODEL_NAME in model.environment to one of them, or pack only that one',
    ];
  const canName = files.includes('code/inference.py') || /json/i.test(contentType);
  if (canName || signatures === 'unread' || servedSignature(signatures) !== undefined) return [];
  return [`has ${served.file} ${withoutDefault(signatures)}`];
}

function scriptProblems({ scripts }: ArchiveContents): string[] {
  const script = scripts.get('code/inference.py');
  if (script === undefined || mayDefine(script, 'handler')) return [];
  const missing = ['input_handler', 'output_handler'].filter((name) => !mayDefine(script, name));
  if (missing.length === 0) return [];
  return [
    `has a code/inference.py without ${missing.join(' and ')}: the container takes input_handler(data, context) together with ` +
      'output_handler(response, context), or handler(data, context) alone (docs/handlers.md has some to copy)',
  ];
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

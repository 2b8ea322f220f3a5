import { CONVERTED_TYPES, mediaTypeOf } from '@inferdrop/model-container/internal/convert-request';
import { resolveImageGeneration } from '@inferdrop/model-container/internal/image-generation';
import { servedSignature } from '@inferdrop/model-container/internal/served-model';
import { describeKind } from '../../file-kind/file-kind.ts';
import type { ArchiveContents } from '../../model/archive-contents.ts';
import { pyodideProblems } from '../../model/pyodide-needs.ts';
import { mayDefine } from '../../model/script-names.ts';
import type { AnsweringModel, ArchiveRules, ServedAs } from '../archive.ts';
import { servedVersion, withoutDefault } from './served-signature.ts';

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
  return [
    ...(CONVERTED_TYPES.includes(mediaTypeOf(contentType, generation))
      ? []
      : [
          'has no code/inference.py, and without one the container answers 415 to transform.contentType ' +
            `${JSON.stringify(contentType)}: ${remedy}`,
        ]),
  ];
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

import { CONVERTED_TYPES, mediaTypeOf } from '@inferdrop/model-container/convert-request';
import { resolveImageGeneration } from '@inferdrop/model-container/image-generation';
import { DEFAULT_SIGNATURE, servedSignature } from '@inferdrop/model-container/served-model';
import { describeKind } from '../../file-kind/file-kind.ts';
import { mayDefine } from '../script-names.ts';
import { servedVersion } from '../served-signature.ts';
import {
  type ArchiveContents,
  type ContainerWork,
  row,
  type ServedAs,
  type ServingContainer,
} from './serving-container.ts';

/** TensorFlow Serving behind nginx and gunicorn. The rows of 2.20 are from aws/deep-learning-containers, docs of 2026-08. */
export const tensorflow: ServingContainer = {
  images: {
    inference: [
      row('1.4.1 1.5.0 1.6.0 1.7.0 1.8.0 1.9.0 1.10.0', 'sagemaker-tensorflow', 'R1', 'py2'),
      row('1.11.0 1.12.0', 'sagemaker-tensorflow-serving', 'R1'),
      row(
        '1.13.0 1.14.0 1.15.0 1.15.2 1.15.3 1.15.4 1.15.5 2.0.0 2.0.1 2.0.2 2.0.3 2.0.4 2.1.0 2.1.1 2.1.2 2.1.3 2.2.0 2.2.1 2.2.2 ' +
          '2.3.0 2.3.1 2.3.2 2.4.1 2.4.3 2.5.1 2.6.0 2.6.3 2.7.0 2.8.0 2.8.4 2.9.2 2.9.3 2.10.0 2.10.1 2.11.0 2.11.1 2.12.1',
        'tensorflow-inference',
        'R3',
      ),
      row('2.13.0 2.14.1', 'tensorflow-inference', 'R4'),
      row('2.16.1 2.18.0 2.19.0', 'tensorflow-inference', 'R5'),
      {
        versions: ['2.20'],
        repository: 'tensorflow-inference',
        registries: 'R5',
        tags: {
          cpu: '2.20-cpu-py312-amzn2023-sagemaker-v1',
          gpu: '2.20-gpu-py312-cu129-amzn2023-sagemaker-v1',
        },
      },
    ],
    graviton: [
      row('2.9.1', 'tensorflow-inference-graviton', 'R3', 'py38-ubuntu20.04-sagemaker'),
      row('2.12.1 2.13.0 2.14.1', 'tensorflow-inference-graviton', 'R3', 'py310-ubuntu20.04-sagemaker'),
      row('2.16.1', 'tensorflow-inference-graviton', 'R5', 'py310-ubuntu20.04-sagemaker'),
    ],
    eia: [
      row('1.10.0', 'sagemaker-tensorflow-eia', 'R1', 'py2'),
      row('1.11.0 1.12.0 1.13.0', 'sagemaker-tensorflow-serving-eia', 'R1'),
      row('1.14.0 1.15.0 2.0.0 2.3.0', 'tensorflow-inference-eia', 'R2'),
    ],
  },
  patchedUntil: {
    '2.14': '2024-09-26',
    '2.16': '2025-03-07',
    '2.18': '2025-10-24',
    '2.19': '2026-03-11',
    '2.20': '2027-08-20',
  },
  firstBeyondP2: '2.12',
  layoutProblems: (files, served, contents) => [
    ...bundleProblems(files, contents),
    ...handlerProblems(files, served),
    ...servedProblems(files, served, contents),
    ...scriptProblems(contents),
  ],
  answersBySignature: (files) => !files.includes('code/inference.py'),
  limits,
};

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
          `has no code/inference.py, and without one the container answers 415 to transform.contentType ${JSON.stringify(contentType)}: ${remedy}`,
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
      `has the models ${[model, ...rivals].join(', ')}, and the container answers with whichever it finds first: set SAGEMAKER_TFS_DEFAULT_MODEL_NAME in model.environment to one of them, or pack only that one`,
    ];
  const canName = files.includes('code/inference.py') || /json/i.test(contentType);
  if (canName || signatures === 'unread' || servedSignature(signatures) !== undefined) return [];
  return [`has ${served.file} ${withoutDefault(signatures)}`];
}

/** Words about a model that refuses requests which name no signature. */
export function withoutDefault(signatures: readonly { readonly name: string }[]): string {
  const names = signatures.map(({ name }) => name).join(', ');
  return `without the signature ${DEFAULT_SIGNATURE}, so that the container refuses every request that names none: export it under that name (tf.saved_model.save(model, folder, signatures={"${DEFAULT_SIGNATURE}": …}))${names === '' ? '' : `; it has ${names}`}`;
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

function limits({ invocationsTimeoutInSeconds, frameworkVersion }: ContainerWork): Record<string, string> {
  const seconds = String(invocationsTimeoutInSeconds);
  const [major = 0, minor = 0] = frameworkVersion.split('.').map(Number);
  return {
    SAGEMAKER_GUNICORN_TIMEOUT_SECONDS: seconds,
    SAGEMAKER_NGINX_PROXY_READ_TIMEOUT_SECONDS: seconds,
    // From 2.20 on it also bounds each request to TensorFlow Serving; before, only the duration of start-up.
    ...((major > 2 || (major === 2 && minor >= 20)) && {
      SAGEMAKER_TFS_WAIT_TIME_SECONDS: String(Math.max(60, invocationsTimeoutInSeconds)),
    }),
  };
}

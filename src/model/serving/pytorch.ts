import { describeKind } from '../../file-kind/file-kind.ts';
import { mayDefine } from '../script-names.ts';
import {
  type ArchiveContents,
  type ContainerWork,
  row,
  type ServedAs,
  type ServingContainer,
} from './serving-container.ts';

/** TorchServe. */
export const pytorch: ServingContainer = {
  images: {
    inference: [
      row('0.4.0 1.0.0 1.1.0', 'sagemaker-pytorch', 'R1', 'py3'),
      row('1.2.0 1.3.1 1.4.0 1.5.0 1.6.0 1.7.1 1.8.0 1.8.1', 'pytorch-inference', 'R3', 'py3'),
      row('1.9.0 1.9.1 1.10.0 1.10.2 1.11.0 1.12.0 1.12.1', 'pytorch-inference', 'R3', 'py38'),
      row('1.13.1', 'pytorch-inference', 'R3', 'py39'),
      row('2.0.0 2.0.1', 'pytorch-inference', 'R3', 'py310'),
      row('2.1.0 2.2.0', 'pytorch-inference', 'R4', 'py310'),
      row('2.3.0 2.4.0 2.5.1', 'pytorch-inference', 'R5', 'py311'),
      row('2.6.0', 'pytorch-inference', 'R5', 'py312'),
    ],
    graviton: [
      row('1.12.1', 'pytorch-inference-graviton', 'R3', 'py38-ubuntu20.04-sagemaker'),
      row('2.0.0 2.0.1 2.1.0 2.2.1', 'pytorch-inference-graviton', 'R5', 'py310-ubuntu20.04-sagemaker'),
      row('2.3.0', 'pytorch-inference-graviton', 'R5', 'py311-ubuntu20.04-sagemaker'),
      row('2.4.0', 'pytorch-inference-graviton', 'R5', 'py311-ubuntu22.04-sagemaker'),
    ],
    eia: [
      row('1.3.1', 'pytorch-inference-eia', 'R6', 'py3'),
      row('1.5.1', 'pytorch-inference-eia', 'R7', 'py3'),
    ],
  },
  // Extended for 1.13, the last 1.x, and for 2.6, the last with TorchServe.
  patchedUntil: {
    '1.13': '2024-10-28',
    '2.0': '2024-03-15',
    '2.1': '2024-10-04',
    '2.2': '2025-01-30',
    '2.3': '2025-04-24',
    '2.4': '2025-07-24',
    '2.5': '2025-10-29',
    '2.6': '2026-06-30',
  },
  firstBeyondP2: '1.13',
  layoutProblems,
  answersBySignature: () => false,
  limits,
};

/** The file that the container loads if no script has model_fn. */
const DEFAULT_FILE = 'model.pt';

function layoutProblems(
  files: readonly string[],
  { contentType }: ServedAs,
  { scripts, kinds, modes }: ArchiveContents,
): string[] {
  const atRoot = files.filter((name) => /^[^/]+\.(pt|pth)$/.test(name));
  const hasScript = files.includes('code/inference.py');
  const script = scripts.get('code/inference.py');
  // A script that could not be read may have any function.
  const has = (name: string): boolean => hasScript && (script === undefined || mayDefine(script, name));
  if (atRoot.length === 0 && !hasScript) return nothingToServe(files, kinds);
  const mixed = ['input_fn', 'predict_fn', 'output_fn'].filter((name) => script && defines(script, name));
  return [
    ...(has('model_fn') ? [] : defaultModelProblems(atRoot, kinds, modes)),
    ...(script !== undefined && defines(script, 'transform_fn') && mixed.length > 0
      ? [
          `has a code/inference.py with transform_fn and ${mixed.join(', ')}: the container takes either, not both`,
        ]
      : []),
    ...(has('input_fn') || has('transform_fn') ? [] : inputProblems(contentType)),
  ];
}

function nothingToServe(files: readonly string[], kinds: ArchiveContents['kinds']): string[] {
  const nested = files.find((name) => /\.(pt|pth)$/.test(name) || name.endsWith('code/inference.py'));
  if (nested !== undefined)
    return [
      `has ${nested}, but the container looks at the root: pack without a wrapping folder (tar czf model.tar.gz -C FOLDER .)`,
    ];
  const [found] = kinds;
  const known = found && describeKind(found[1]);
  return [
    'has neither model.pt at its root nor code/inference.py: the container would have nothing to serve' +
      (known === undefined ? '' : `; its ${found?.[0]} is ${known.what}: ${known.remedy}`),
  ];
}

/** Problems that keep AWS's toolkit from loading a model without a script that says how: it takes TorchScript, from `model.pt`. */
function defaultModelProblems(
  atRoot: readonly string[],
  kinds: ArchiveContents['kinds'],
  modes: ArchiveContents['modes'],
): string[] {
  const [name = DEFAULT_FILE] = atRoot.includes(DEFAULT_FILE) ? [DEFAULT_FILE] : atRoot;
  const kind = kinds.get(name);
  if (kind !== undefined && kind !== 'torchscript') {
    const { what, remedy } = describeKind(kind);
    return [`has no model_fn in code/inference.py, and its ${name} is ${what}: ${remedy}`];
  }
  const { training = [] } = modes?.get(name) ?? {};
  if (training.length > 0)
    return [
      `has no model_fn in code/inference.py, and its ${name} was saved in training mode, in which ${training.join(', ')} drop values at random or ` +
        'take the mean of whatever records come together: call model.eval() before torch.jit.script or torch.jit.trace, and save it again',
    ];
  if (atRoot.includes(DEFAULT_FILE)) return [];
  return [
    `has no model_fn in code/inference.py, and without one the container loads ${DEFAULT_FILE} at the root, which is missing: ` +
      `${atRoot.length === 0 ? 'add it' : `rename ${name} to ${DEFAULT_FILE}`}, or add model_fn`,
  ];
}

/** Content types that AWS's toolkit reads without a script that says how. */
const WITHOUT_INPUT_FN = ['application/json', 'text/csv', 'application/x-npy'];

function inputProblems(contentType: string): string[] {
  const type = contentType.split(';')[0]?.trim().toLowerCase() ?? '';
  if (WITHOUT_INPUT_FN.includes(type)) return [];
  return [
    `has no input_fn in code/inference.py, and without one the container answers 415 to transform.contentType ${JSON.stringify(contentType)}: ` +
      `add it, or use one of ${WITHOUT_INPUT_FN.join(', ')}`,
  ];
}

function defines(script: string, name: string): boolean {
  return new RegExp(`^def ${name}\\b`, 'm').test(script);
}

/** TorchServe's own limit of a request and of an answer, in bytes. */
const TORCHSERVE_DEFAULT_BYTES = 6_553_500;
const MEBIBYTE = 1024 * 1024;

function limits({ invocationsTimeoutInSeconds, maxPayloadInMB }: ContainerWork): Record<string, string> {
  const bytes = String(Math.max(TORCHSERVE_DEFAULT_BYTES, maxPayloadInMB * MEBIBYTE));
  return {
    SAGEMAKER_MODEL_SERVER_TIMEOUT: String(invocationsTimeoutInSeconds),
    TS_MAX_REQUEST_SIZE: bytes,
    TS_MAX_RESPONSE_SIZE: bytes,
  };
}

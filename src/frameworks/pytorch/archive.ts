import { describeKind } from '../../file-kind/file-kind.ts';
import type { ArchiveContents } from '../../model/archive-contents.ts';
import { pyodideProblems } from '../../model/pyodide-needs.ts';
import { mayDefine } from '../../model/script-names.ts';
import type { ArchiveRules, ServedAs } from '../archive.ts';

/** The file that the container loads if no script has model_fn. */
const DEFAULT_FILE = 'model.pt';

/** TorchServe takes TorchScript, or a handler that loads anything. */
export const pytorch: ArchiveRules = {
  serves: ({ files, scripts }) =>
    defines(scripts.get('code/inference.py') ?? '', 'model_fn') ||
    (!files.includes('model.onnx') && files.some((name) => /\.pth?$/.test(name))),
  layoutProblems,
  // No signature describes them.
  answering: () => ({
    signature: undefined,
    signatures: 'unread',
    isPlain: false,
    answersOutputs: false,
    classes: null,
  }),
  ownHandler: () => [],
  plainModel: DEFAULT_FILE,
  functionProblems: pyodideProblems,
};

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
      `has no model_fn in code/inference.py, and its ${name} was saved in training mode, in which ` +
        `${training.join(', ')} drop values at random or ` +
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
    'has no input_fn in code/inference.py, and without one the container answers 415 to transform.contentType ' +
      `${JSON.stringify(contentType)}: ` +
      `add it, or use one of ${WITHOUT_INPUT_FN.join(', ')}`,
  ];
}

function defines(script: string, name: string): boolean {
  return new RegExp(`^def ${name}\\b`, 'm').test(script);
}

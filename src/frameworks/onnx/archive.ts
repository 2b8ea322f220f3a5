import { describeKind } from '../../file-kind/file-kind.ts';
import type { AddedFile } from '../../model/append-to-tar.ts';
import type { ArchiveContents } from '../../model/archive-contents.ts';
import type { OnnxValue } from '../../model/onnx/onnx-model.ts';
import type { SignatureTensor } from '../../model/read-signatures.ts';
import { mayDefine } from '../../model/script-names.ts';
import type { ArchiveRules, ServedAs } from '../archive.ts';
import { pytorch } from '../pytorch/archive.ts';
import { ONNX_HANDLER } from './handler-text.ts';
import { handlerProblems, onnxProblems, ONNXRUNTIME } from './judge-onnx.ts';

/** A model.onnx at the root, which inferdrop's handler opens if the archive has no handler. */
export const onnx: ArchiveRules = {
  ...pytorch,
  serves: ({ files }) => files.includes('model.onnx'),
  layoutProblems(files, served, contents) {
    const missing = missingProblem(files, contents);
    if (missing !== undefined) return [missing];
    const { onnx: model } = contents;
    if (model === undefined || model === null) return codeProblems(files, served, contents);
    if ('reason' in model)
      return [
        `has a model.onnx that is not read, because ${model.reason}: export it again (torch.onnx.export, skl2onnx, onnxmltools)`,
      ];
    const isPlain = !files.includes('code/inference.py');
    return [
      ...onnxProblems(model, files),
      ...(isPlain ? handlerProblems(model, served) : []),
      ...codeProblems(files, served, contents),
    ];
  },
  answering(archive, asked) {
    const { files, onnx: model } = archive;
    if (model === undefined || model === null || 'reason' in model) return pytorch.answering(archive, asked);
    return {
      signature: { name: 'model.onnx', inputs: [], outputs: model.outputs.map(toSignatureTensor) },
      isPlain: false,
      answersOutputs: !files.includes('code/inference.py'),
      classes: model.classes,
    };
  },
  ownHandler,
  plainModel: null,
  functionProblems({ scripts }) {
    const script = scripts.get('code/inference.py');
    if (script === undefined || script === ONNX_HANDLER) return [];
    return [
      "has a code/inference.py of its own, and functions run ONNX archives with inferdrop's handler alone: leave code/ out",
    ];
  },
};

/** Files that make an ONNX archive without a handler one that AWS's PyTorch container serves; none if it has a handler. */
function ownHandler(files: readonly string[]): readonly AddedFile[] {
  if (files.includes('code/inference.py')) return [];
  const hasWheels = files.some((name) => /^code\/wheels\/[^/]+\.whl$/.test(name));
  // A relative path starts from the folder of the file.
  const requirements = [
    ...(hasWheels ? ['--no-index', '--find-links wheels'] : []),
    `onnxruntime==${ONNXRUNTIME}`,
  ];
  return [
    { name: 'code/inference.py', body: Buffer.from(ONNX_HANDLER) },
    { name: 'code/requirements.txt', body: Buffer.from(`${requirements.join('\n')}\n`) },
  ];
}

function toSignatureTensor({ name, type, shape }: OnnxValue): SignatureTensor {
  const kind = /^float/.test(type) ? 'float' : /^u?int/.test(type) ? 'integer' : 'other';
  return { name, kind, shape: shape?.map((size) => (typeof size === 'number' ? size : -1)) };
}

function missingProblem(files: readonly string[], { kinds }: ArchiveContents): string | undefined {
  if (files.includes('model.onnx')) return undefined;
  const pack = 'inferdrop model pack FILE -o model.tar.gz';
  const other = files.find((name) => name.endsWith('.onnx'));
  if (other !== undefined)
    return `has ${other}, and the container looks for model.onnx at the root: pack it with ${pack}`;
  const [found] = kinds;
  const known = found && describeKind(found[1]);
  return (
    'has no model.onnx at its root' +
    (known === undefined
      ? `: pack one with ${pack}`
      : `; its ${found?.[0]} is ${known.what}: ${known.remedy}`)
  );
}

function codeProblems(
  files: readonly string[],
  { networkIsolation }: ServedAs,
  { scripts }: ArchiveContents,
): string[] {
  if (files.includes('code/inference.py')) {
    const script = scripts.get('code/inference.py');
    return script === undefined || mayDefine(script, 'model_fn')
      ? []
      : [
          'has a code/inference.py without model_fn, and without one the container looks for model.pt: add a model_fn ' +
            'that opens model.onnx with onnxruntime, or leave code/ out, and inferdrop adds a handler',
        ];
  }
  const misplaced = files.find((name) => /(?:^|\/)inference\.py$/.test(name));
  if (misplaced !== undefined)
    return [
      `has ${misplaced}, which no container runs: its place is code/inference.py, with a model_fn that opens ` +
        'model.onnx; or leave it out, and inferdrop adds a handler',
    ];
  if (files.includes('code/requirements.txt'))
    return [
      'has code/requirements.txt without code/inference.py: leave it out, and inferdrop adds both, or add a handler of your own',
    ];
  const wheels = files.filter((name) => /^code\/wheels\/[^/]+\.whl$/.test(name));
  if (wheels.some(isWheel)) return [];
  const [found] = wheels.filter((name) => name.startsWith('code/wheels/onnxruntime-'));
  const fitting = `of onnxruntime ${ONNXRUNTIME} for Linux and Python 3.12 (3.11 before PyTorch 2.6)`;
  const why =
    wheels.length > 0
      ? `has no wheel ${fitting} in code/wheels${found === undefined ? '' : `, where ${found} does not fit`}: leave the ` +
        'wheels out, with model.networkIsolation false, '
      : "has no wheel of onnxruntime, and AWS's container has none, which pip would install from the network that " +
        'model.networkIsolation keeps it from: set model.networkIsolation to false, ';
  if (wheels.length === 0 && !networkIsolation) return [];
  return [
    why +
      `or pack wheels (pip download onnxruntime==${ONNXRUNTIME} --only-binary=:all: --platform manylinux_2_28_x86_64 ` +
      '--python-version 3.12 -d code/wheels, then inferdrop model pack FILE --code code -o model.tar.gz)',
  ];
}

/** Whether pip installs a wheel for the handler in a container of AWS. */
function isWheel(name: string): boolean {
  const [, version] =
    /^code\/wheels\/onnxruntime-([^-/]+)-cp31[12]-[^-/]+-(?:many)?linux[^-/]*\.whl$/.exec(name) ?? [];
  return version === ONNXRUNTIME;
}

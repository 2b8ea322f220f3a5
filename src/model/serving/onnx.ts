import { describeKind } from '../../file-kind/file-kind.ts';
import { handlerProblems, onnxProblems, ONNXRUNTIME } from '../onnx/judge-onnx.ts';
import { mayDefine } from '../script-names.ts';
import { pytorch } from './pytorch.ts';
import type { ArchiveContents, ServedAs, ServingContainer } from './serving-container.ts';

/** Images with a Python that the pinned onnxruntime is built for: 3.11 and 3.12. */
const since = (version: string) => (row: { readonly versions: readonly string[] }) =>
  row.versions.some(
    (known) => Number(known.split('.')[1]) >= Number(version.split('.')[1]) && known.startsWith('2.'),
  );

/**
 * The PyTorch container, in which a handler opens model.onnx with onnxruntime. It has no onnxruntime: pip installs it, from the network or from
 * `code/wheels/`.
 */
export const onnx: ServingContainer = {
  ...pytorch,
  images: {
    inference: pytorch.images.inference.filter(since('2.3')),
    graviton: pytorch.images.graviton.filter(since('2.3')),
    eia: [],
  },
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
};

function missingProblem(files: readonly string[], { kinds }: ArchiveContents): string | undefined {
  if (files.includes('model.onnx')) return undefined;
  const pack = 'inferdrop model pack --onnx FILE -o model.tar.gz';
  const other = files.find((name) => name.endsWith('.onnx'));
  if (other !== undefined)
    return `has ${other}, and the container looks for model.onnx at the root: pack it with ${pack}`;
  const [found] = kinds;
  const known = found && describeKind(found[1]);
  return (
    `has no model.onnx at its root: pack one with ${pack}` +
    (known === undefined ? '' : `; its ${found?.[0]} is ${known.what}: ${known.remedy}`)
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
          'has a code/inference.py without model_fn, and without one the container looks for model.pt: add a model_fn that opens model.onnx with onnxruntime, or leave code/ out, and inferdrop adds a handler',
        ];
  }
  const misplaced = files.find((name) => /(?:^|\/)inference\.py$/.test(name));
  if (misplaced !== undefined)
    return [
      `has ${misplaced}, which no container runs: its place is code/inference.py, with a model_fn that opens model.onnx; or leave it out, and inferdrop adds a handler`,
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
      ? `has no wheel ${fitting} in code/wheels${found === undefined ? '' : `, where ${found} does not fit`}: leave the wheels out, with model.networkIsolation false, `
      : "has no wheel of onnxruntime, and AWS's container has none, which pip would install from the network that model.networkIsolation keeps it from: set model.networkIsolation to false, ";
  if (wheels.length === 0 && !networkIsolation) return [];
  return [
    why +
      `or pack wheels (pip download onnxruntime==${ONNXRUNTIME} --only-binary=:all: --platform manylinux_2_28_x86_64 --python-version 3.12 -d code/wheels, then inferdrop model pack --onnx FILE --code code -o model.tar.gz)`,
  ];
}

/** Whether pip installs a wheel for the handler in a container of AWS. */
function isWheel(name: string): boolean {
  const [, version] =
    /^code\/wheels\/onnxruntime-([^-/]+)-cp31[12]-[^-/]+-(?:many)?linux[^-/]*\.whl$/.exec(name) ?? [];
  return version === ONNXRUNTIME;
}

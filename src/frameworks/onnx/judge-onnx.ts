import type { Dimension, OnnxModel, OnnxValue } from '../../model/onnx/onnx-model.ts';
import type { ServedAs } from '../archive.ts';
import { type ImageSettings, imagesProblem } from './image-settings.ts';
import operatorsByDomain from './operators.json' with { type: 'json' };

/** onnxruntime of the handler, and of this machine: packages/savedmodel/engine/package.json. */
export const ONNXRUNTIME = '1.30.0';
/** The newest that it takes, by its own messages. */
const NEWEST = { ir: 13, opsets: new Map([['', 26], ['ai.onnx.ml', 5]]) } as const; // prettier-ignore
/** First opset in which onnxruntime computes an operator, by domain and name. */
const OPERATORS = new Map(
  Object.entries(operatorsByDomain).map(([domain, names]) => [
    domain,
    new Map(names.split(' ').map((word) => [word.split(':')[0], Number(word.split(':')[1] ?? 1)])),
  ]),
);
/** A message of Protocol Buffers has no more bytes. */
const MAX_BYTES = 2 ** 31;
const FEW = 5;

/** Why onnxruntime would not load a model; each reason includes the remedy. */
export function onnxProblems(model: OnnxModel, files: readonly string[]): string[] {
  return [
    ...versionProblems(model),
    ...operatorProblems(model),
    ...oldOperatorProblems(model),
    ...externalProblems(model, files),
    ...model.contradictions
      .slice(0, FEW)
      .map((found) => `has a damaged model.onnx; its ${found}: export it again`),
    ...(model.sizeBytes >= MAX_BYTES
      ? [
          `has a model.onnx of ${model.sizeBytes} bytes, and no program reads one of 2^31 or more: store the weights ` +
            'next to it with onnx.save_model(model, "model.onnx", save_as_external_data=True)',
        ]
      : []),
  ];
}

function versionProblems({ irVersion, opsets }: OnnxModel): string[] {
  const problems: string[] = [];
  if (irVersion > NEWEST.ir)
    problems.push(
      `has a model.onnx of format version ${irVersion}, and onnxruntime ${ONNXRUNTIME} reads up to ${NEWEST.ir}: set ` +
        `model.ir_version = ${NEWEST.ir} with the onnx package, or export it with an older exporter`,
    );
  for (const [domain, newest] of NEWEST.opsets) {
    const version = opsets.get(domain) ?? 0;
    if (version > newest)
      problems.push(
        `has a model.onnx of opset ${version}${domain === '' ? '' : ` of ${domain}`}, and onnxruntime ${ONNXRUNTIME} ` +
          `knows up to ${newest}: export it with opset_version=${newest} or less`,
      );
  }
  return problems;
}

function operatorProblems({ operators }: OnnxModel): string[] {
  const unknown = [...operators].flatMap(([domain, names]) =>
    names
      .filter((name) => OPERATORS.get(domain)?.has(name) !== true)
      .map((name) => (domain === '' ? name : `${domain}.${name}`)),
  );
  if (unknown.length === 0) return [];
  return [
    `has a model.onnx with operators that onnxruntime ${ONNXRUNTIME} does not know: ` +
      `${unknown.slice(0, FEW).join(', ')}${andMore(unknown)}: export it with operators of ONNX, or set model.framework ` +
      'to "pytorch" and bring a code/inference.py that loads what computes them',
  ];
}

/** An operator keeps the meaning of its opset, and onnxruntime computes opset 7 and later. */
function oldOperatorProblems({ opsets, operators }: OnnxModel): string[] {
  return [...operators].flatMap(([domain, names]) => {
    const opset = opsets.get(domain) ?? Infinity;
    const known = OPERATORS.get(domain) ?? new Map<string, number>();
    const old = names.filter((name) => (known.get(name) ?? 1) > opset);
    if (old.length === 0) return [];
    const first = Math.max(...old.map((name) => known.get(name) ?? 1));
    return [
      `has a model.onnx of opset ${opset}${domain === '' ? '' : ` of ${domain}`}, in which onnxruntime ${ONNXRUNTIME} ` +
        `does not compute ${old.slice(0, FEW).join(', ')}${andMore(old)}: export it with opset_version=${first} or ` +
        `more, or convert it with onnx.version_converter.convert_version(model, ${first})`,
    ];
  });
}

function andMore(names: readonly string[]): string {
  return names.length > FEW ? ` and ${names.length - FEW} more` : '';
}

function externalProblems({ external }: OnnxModel, files: readonly string[]): string[] {
  const places = [...new Set(external.map(({ location }) => location))];
  const escaping = places.find(
    (place) => /^[/\\]|^[a-zA-Z]:|(^|[/\\])\.\.([/\\]|$)/.test(place) || place === '',
  );
  if (escaping !== undefined)
    return [
      `has a model.onnx that takes weights from ${JSON.stringify(escaping)}, outside of the archive: store them next ` +
        'to it with onnx.save_model(model, "model.onnx", save_as_external_data=True, location="weights.bin")',
    ];
  const missing = places.filter((place) => !files.includes(place.replace(/^(\.\/)+/, '')));
  if (missing.length === 0) return [];
  return [
    `lacks ${missing.slice(0, FEW).join(', ')}, from which its model.onnx takes weights: pack it next to model.onnx ` +
      '(inferdrop model pack does)',
  ];
}

const INPUT_TYPES = new Set([
  'float32', 'float64', 'int8', 'int16', 'int32', 'int64', 'uint8', 'uint16', 'uint32', 'uint64', 'bool', 'string',
]); // prettier-ignore

/** Why the added handler wouldn't serve a model as a pipeline needs it; each reason includes the remedy. */
export function handlerProblems(model: OnnxModel, { contentType, images = null }: ServedAs): string[] {
  const type = contentType.split(';')[0]?.trim().toLowerCase() ?? '';
  const isImage = type === 'application/x-image' || type.startsWith('image/');
  const values = [
    ...model.inputs.map(inputProblem),
    ...model.outputs.map((one) => outputProblem(one, model)),
  ];
  const problems = values.filter((problem) => problem !== undefined);
  if (model.inputs.length === 0) problems.push('has a model.onnx without inputs: export it with one');
  const columns = scoreColumns(model);
  if (columns.length > 0)
    problems.push(
      `has a model.onnx that answers the score of each class in an output of its own (${columns.join(', ')}): convert ` +
        'it again with options={"zipmap": False}',
    );
  if (problems.length > 0) return problems;
  if (isImage) return imageProblems(model.inputs, images);
  if (type === 'application/x-npy' && model.inputs.length > 1)
    return [
      `has a model.onnx with the inputs ${namesOf(model.inputs)}, and a NumPy array is one: send JSON or CSV`,
    ];
  if (TYPES.includes(type)) return [];
  return [
    `has no code/inference.py, and without one transform.contentType ${JSON.stringify(contentType)} is not read: use ` +
      `one of ${TYPES.join(', ')}, application/x-image, or add a handler`,
  ];
}

const TYPES = ['application/json', 'application/jsonlines', 'text/csv', 'application/x-npy'];

/** Names of the outputs that skl2onnx writes with zipmap "columns": one for each class, next to the label. */
function scoreColumns({ outputs, classes }: OnnxModel): readonly string[] {
  const scores = outputs.filter(
    ({ type, shape }) => type.startsWith('float') && (shape ?? []).slice(1).every((size) => size === 1),
  );
  if (scores.length < 2 || scores.length !== classes?.length || outputs.length !== scores.length + 1)
    return [];
  return scores.map(({ name }) => name);
}

function namesOf(values: readonly OnnxValue[]): string {
  return values.map(({ name }) => name).join(', ');
}

/** The shape in words; open sizes have their names, or are `?`. */
export function shownShape(shape: readonly Dimension[] | null): string {
  return shape === null ? 'of any shape' : `[${shape.map((size) => size ?? '?').join(', ')}]`;
}

function inputProblem({ name, kind, type, shape }: OnnxValue): string | undefined {
  if (kind !== 'tensor' || !INPUT_TYPES.has(type))
    return (
      `has a model.onnx in which input ${JSON.stringify(name)} takes ${type}, which no request holds: export it with an ` +
      'input of float32 (a Cast may follow in the graph)'
    );
  if (shape === null || shape.length === 0)
    return `has a model.onnx in which input ${JSON.stringify(name)} has no axis of records: export it with a first axis for the batch`;
  return undefined;
}

function outputProblem({ name, kind, type }: OnnxValue, { operators }: OnnxModel): string | undefined {
  const isMap = kind === 'sequence' && /^sequence of map from (int64|string) to float32$/.test(type);
  if (isMap && operators.get('ai.onnx.ml')?.includes('ZipMap') === true) return undefined;
  if (kind === 'tensor' && INPUT_TYPES.has(type)) return undefined;
  return `has a model.onnx in which output ${JSON.stringify(name)} is ${type}, which no answer holds: export it with an output of float32`;
}

const WORDS =
  '{"scale": 0.00392156862745098, "mean": [0.485, 0.456, 0.406], "std": [0.229, 0.224, 0.225], "resize": 256}, with ' +
  'the values of its training';

function imageProblems(inputs: readonly OnnxValue[], images: ImageSettings | null): string[] {
  const [input, ...others] = inputs;
  if (input === undefined || others.length > 0)
    return [
      `has a model.onnx with the inputs ${namesOf(inputs)}, and an image is one: send JSON, or add a handler`,
    ];
  const [atOnce] = input.shape ?? [];
  if (typeof atOnce === 'number' && atOnce !== 1)
    return [
      `has a model.onnx in which input ${JSON.stringify(input.name)} ${shownShape(input.shape)} takes ${atOnce} ` +
        'records at once, and an image is one: export it with a first axis of 1 or of any size (torch.onnx.export: ' +
        'dynamic_shapes or dynamic_axes)',
    ];
  const layout = imageLayout(input.shape ?? []);
  if (layout === undefined)
    return [
      `has a model.onnx in which input ${JSON.stringify(input.name)} ${shownShape(input.shape)} takes no images: ` +
        'export it as [N, C, H, W] or [N, H, W, C], with a fixed H and W and a C of 1 or 3, or add a handler',
    ];
  if (images === null)
    return [
      `has a model.onnx for images, and pipeline.json does not say how it wants their pixels: set model.images to ${WORDS}`,
    ];
  const wrong = imagesProblem(images, layout, 'model.images');
  if (wrong !== undefined) return [`has a model.onnx that ${wrong}`];
  const isPlain =
    images.scale === 1 &&
    [images.mean].flat().every((one) => one === 0) &&
    [images.std].flat().every((one) => one === 1);
  if (input.type === 'uint8' && !isPlain)
    return [
      'has a model.onnx that takes levels of 0..255 as uint8, which model.images would change: set its scale to 1, mean to 0, std to 1',
    ];
  if (input.type.startsWith('float') || input.type === 'uint8') return [];
  return [
    `has a model.onnx in which input ${JSON.stringify(input.name)} takes ${input.type}, and no pixels: export it with float32 or uint8`,
  ];
}

function imageLayout(
  shape: readonly Dimension[],
): { readonly channels: number; readonly height: number; readonly width: number } | undefined {
  if (shape.length !== 4) return undefined;
  for (const places of [
    [1, 2, 3],
    [3, 1, 2],
  ]) {
    const [channels, height, width] = places.map((place) => shape[place]);
    if ((channels === 1 || channels === 3) && typeof height === 'number' && typeof width === 'number')
      return { channels, height, width };
  }
  return undefined;
}

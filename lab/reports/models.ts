import { WireWriter } from '@inferdrop/savedmodel/internal/wire-writer';

type Write = (writer: WireWriter) => void;

const message = (...parts: Write[]): WireWriter => {
  const writer = new WireWriter();
  for (const part of parts) part(writer);
  return writer;
};
const int =
  (field: number, value: number): Write =>
  (writer) =>
    writer.int(field, value);
const text =
  (field: number, value: string): Write =>
  (writer) =>
    writer.text(field, value);
const within =
  (field: number, ...parts: Write[]): Write =>
  (writer) =>
    writer.message(field, message(...parts));
const floats =
  (field: number, values: readonly number[]): Write =>
  (writer) =>
    writer.bytes(field, Buffer.from(Float32Array.from(values).buffer));

/** Weights that make of four numbers a score each for cat, dog and bird, which CAT, DOG and BIRD of threads.ts have highest. */
const WEIGHTS = [2, -1, 0, -1, 2, 0, 0, 0, 1, 0.5, -0.5, 1];
const FLOAT = 1;

/** A TensorShapeProto of TensorFlow. */
const shapeOf = (field: number, sizes: readonly number[]): Write =>
  within(field, ...sizes.map((size) => within(2, int(1, size))));

/** An operation of a graph of TensorFlow; attributes by name. */
const operation = (
  name: string,
  op: string,
  inputs: readonly string[],
  attributes: Readonly<Record<string, Write>>,
): Write =>
  within(
    1,
    ...[text(1, name), text(2, op), ...inputs.map((input) => text(3, input))],
    ...Object.entries(attributes).map(([key, value]) => within(5, text(1, key), within(2, value))),
  );

/** saved_model.pb; its signature takes `x` [any, 4] and answers the named `outputs`: `scores`, and `twice` (no classification). */
export function savedModel({
  signature = 'serving_default',
  outputs = ['scores'],
}: { readonly signature?: string; readonly outputs?: readonly string[] } = {}): Buffer {
  const type = int(6, FLOAT);
  const no = int(5, 0);
  const weights = within(8, int(1, FLOAT), shapeOf(2, [4, 3]), floats(4, WEIGHTS));
  const graph = [
    operation('x', 'Placeholder', [], { dtype: type, shape: shapeOf(7, [-1, 4]) }),
    operation('w', 'Const', [], { dtype: type, value: weights }),
    operation('product', 'MatMul', ['x', 'w'], { T: type, transpose_a: no, transpose_b: no }),
    operation('scores', 'Softmax', ['product'], { T: type }),
    operation('twice', 'AddV2', ['x', 'x'], { T: type }),
  ];
  const tensor = (field: number, name: string, size: number): Write =>
    within(field, ...[text(1, name), within(2, text(1, `${name}:0`), int(2, FLOAT), shapeOf(3, [-1, size]))]);
  const width = (name: string): number => (name === 'scores' ? 3 : 4);
  return Buffer.from(
    message(
      int(1, 1),
      within(
        2,
        within(1, text(4, 'serve'), text(5, '2.19.0')),
        within(2, ...graph, within(4, int(1, 1882))),
        within(
          5,
          text(1, signature),
          within(
            2,
            ...[tensor(1, 'x', 4), ...outputs.map((name) => tensor(2, name, width(name)))],
            text(3, 'tensorflow/serving/predict'),
          ),
        ),
      ),
    ).toBytes(),
  );
}

/** An input or output of an ONNX graph: [batch, size]. */
const onnxValue = (field: number, name: string, size: number, type = FLOAT): Write =>
  within(
    field,
    text(1, name),
    within(2, within(1, int(1, type), within(2, within(1, text(2, 'batch')), within(1, int(1, size))))),
  );

/** The same scores as ONNX; or, as some converters write them, one output for each class next to the label. */
export function onnxModel({ isByColumn = false } = {}): Buffer {
  const attribute = (name: string, type: number, ...values: Write[]): Write =>
    within(5, text(1, name), ...values, int(20, type));
  const linear = (output: string): Write =>
    within(1, ...[text(1, 'x'), text(1, 'w'), text(2, output), text(4, 'MatMul')]);
  const names = ['cat', 'dog', 'bird'];
  const classifier = within(
    1,
    ...[text(1, 'x'), text(2, 'label'), text(2, 'all'), text(4, 'LinearClassifier'), text(7, 'ai.onnx.ml')],
    attribute(
      'coefficients',
      6,
      floats(
        7,
        [0, 1, 2].flatMap((at) => WEIGHTS.filter((_, place) => place % 3 === at)),
      ),
    ),
    attribute('classlabels_strings', 8, ...names.map((name) => text(9, name))),
  );
  const columns = names.map((name, at) =>
    within(
      1,
      ...[text(1, 'all'), text(1, `at${at}`), text(2, `s${name}`), text(4, 'Gather')],
      attribute('axis', 2, int(3, 1)),
    ),
  );
  const place = (at: number): Write => within(5, int(1, 1), int(2, 7), int(7, at), text(8, `at${at}`));
  const weights = within(5, int(1, 4), int(1, 3), int(2, FLOAT), floats(4, WEIGHTS), text(8, 'w'));
  const softmax = within(1, text(1, 'product'), text(2, 'scores'), text(4, 'Softmax'));
  const graph = isByColumn
    ? [
        ...[classifier, ...columns, text(2, 'g'), place(0), place(1), place(2), onnxValue(11, 'x', 4)],
        within(12, text(1, 'label'), within(2, within(1, int(1, 8), within(2, within(1, text(2, 'batch')))))),
        ...names.map((name) => onnxValue(12, `s${name}`, 1)),
      ]
    : [linear('product'), softmax, text(2, 'g'), weights, onnxValue(11, 'x', 4), onnxValue(12, 'scores', 3)];
  return Buffer.from(
    message(
      ...[int(1, 8), text(2, 'inferdrop'), within(7, ...graph), within(8, int(2, 17))],
      within(8, text(1, 'ai.onnx.ml'), int(2, 3)),
    ).toBytes(),
  );
}

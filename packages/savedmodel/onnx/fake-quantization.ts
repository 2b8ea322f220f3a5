import { boolAttr, floatAttr, type GraphNode, intAttr, unsupported } from '../savedmodel/graph-node.ts';
import type { Conversion, Converter } from './conversion.ts';
import { shapeLike } from './known-tensors.ts';
import type { Family } from './operation.ts';

const single = Math.fround;

/** A range of floats with its zero at a whole number of steps, in single precision as TensorFlow computes it. */
interface Steps {
  readonly min: number;
  readonly max: number;
  readonly step: number;
  /** Inverse of the step, as TensorFlow computes it: halfway between two steps its last bit decides. */
  readonly inverse: number;
  /** Number of the step that is zero. */
  readonly zero: number;
}

/** The one operation with a kernel that divides; the others multiply by the inverse. */
function divides(node: GraphNode): boolean {
  return node.op === 'FakeQuantWithMinMaxVars';
}

function stepsOf(node: GraphNode, min: number, max: number): Steps {
  const last = 2 ** intAttr(node, 'num_bits', 8) - 1;
  const first = boolAttr(node, 'narrow_range') ? 1 : 0;
  const step = single(single(max - min) / (last - first));
  const place = single(first - single(min / step));
  const zeroPoint = place < first ? first : place > last ? last : Math.round(place);
  const low = single((first - zeroPoint) * step);
  const inverse = single((last - first) / single(max - min));
  const steps = single(divides(node) ? -low / step : -low * inverse);
  const zero = Math.floor(single(steps + 0.5));
  return { min: low, max: single((last - zeroPoint) * step), step, inverse, zero };
}

/** @throws {UnsupportedModel} for ranges that hold no zero or nothing at all, which TensorFlow does not take */
function quantized(
  node: GraphNode,
  conversion: Conversion,
  mins: readonly number[],
  maxs: readonly number[],
): void {
  const { onnx } = conversion;
  if (
    mins.length === 0 ||
    mins.some((min, index) => !(min <= 0 && (maxs[index] ?? 0) >= 0 && min < (maxs[index] ?? 0)))
  )
    throw unsupported(node, 'of a range that does not hold zero');
  const steps = mins.map((min, index) => stepsOf(node, min, maxs[index] ?? 0));
  const each = (of: (one: Steps) => number) =>
    onnx.constant({
      dtype: 'float32',
      shape: steps.length === 1 ? [] : [steps.length],
      data: Float32Array.from(steps, of),
    });
  const size = each(({ step }) => step);
  const low = each(({ min }) => min);
  const high = each(({ max }) => max);
  const clamped = onnx.op('Max', onnx.op('Min', conversion.input(node), high), low);
  const above = onnx.op('Sub', clamped, low);
  const inverse = () => each((one) => one.inverse);
  const scaled = divides(node) ? onnx.op('Div', above, size) : onnx.op('Mul', above, inverse());
  const zero = each((one) => one.zero);
  const shifted = onnx.op('Sub', scaled, zero);
  const whole = onnx.op('Floor', onnx.op('Add', shifted, onnx.scalar('float32', 0.5)));
  conversion.set(node, onnx.op('Mul', whole, size));
}

const ofVariables: Converter = (node, conversion) => {
  quantized(node, conversion, conversion.numbersInput(node, 1), conversion.numbersInput(node, 2));
};

const ofAttributes: Converter = (node, conversion) => {
  quantized(node, conversion, [floatAttr(node, 'min', -6)], [floatAttr(node, 'max', 6)]);
};

/** Floats rounded as if they were kept in a few bits. */
export const FAKE_QUANTIZATIONS: Family = {
  title: 'Fake quantization',
  takes: 'float32; ranges that are constants or variables and hold zero',
  limits: [],
  operations: {
    FakeQuantWithMinMaxArgs: [ofAttributes, shapeLike(0)],
    FakeQuantWithMinMaxVars: [ofVariables, shapeLike(0)],
    FakeQuantWithMinMaxVarsPerChannel: [ofVariables, shapeLike(0)],
  },
};

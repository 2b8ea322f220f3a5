import { encodePng } from '@inferdrop/image/encode-png';
import { openImage } from '@inferdrop/model-container/internal/read-image';
import type { Tensor } from '@inferdrop/savedmodel/servable-model';
import type { ImageSettings } from '../../src/frameworks/onnx/image-settings.ts';
import { type ProtoField, toProtoBytes } from './proto-message.ts';
import { random } from './random.ts';

/** Side of the images that the networks take. */
export const SIDE = 6;
/** Classes, in the order of their outputs. */
export const COLORS: Readonly<Record<string, readonly [number, number, number]>> = {
  brick: [190, 90, 60],
  grass: [80, 170, 60],
  sky: [70, 110, 200],
  stone: [140, 130, 120],
};
const INPUT = { name: 'x', dtype: 'float32', shape: [1, 3, SIDE, SIDE] } as const;
const FEATURES = 3 * SIDE * SIDE;

/** A labeled picture, as PNG. */
export interface Picture {
  readonly label: string;
  readonly file: Uint8Array;
}

/** Pictures of noisy colors, wide and tall; a color fades from left to right. */
export function pictures(count: number, seed: number): readonly Picture[] {
  const next = random(seed);
  const labels = Object.keys(COLORS);
  return Array.from({ length: count }, (_, at) => {
    const label = labels[at % labels.length]!;
    const [width, height] = [8 + Math.floor(next() * 12), 8 + Math.floor(next() * 12)];
    const light = 0.6 + 0.5 * next();
    const data = Uint8Array.from({ length: width * height * 3 }, (_value, place) => {
      const fade = 1 - (0.5 * (Math.floor(place / 3) % width)) / width;
      const level = COLORS[label]![place % 3]! * light * fade + 240 * (next() - 0.5);
      return Math.min(255, Math.max(0, level));
    });
    return { label, file: encodePng({ width, height, channels: 3, data }) };
  });
}

/** Weights of a softmax regression on pixels: a row and a bias for each class. */
export interface LinearNetwork {
  readonly weights: readonly (readonly number[])[];
  readonly biases: readonly number[];
}

/** Trains on pictures that are prepared as these settings say. */
export function trained(settings: ImageSettings, seed: number): LinearNetwork {
  const examples = pictures(160, seed).map(({ label, file }) => ({
    of: Object.keys(COLORS).indexOf(label),
    pixels: Array.from(openImage(INPUT, file)(settings).data, Number),
  }));
  // Standard features learn alike in each scale; the weights take the scale in afterwards.
  const columns = Array.from({ length: FEATURES }, (_, at) => {
    const values = examples.map(({ pixels }) => pixels[at]!);
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
    return { mean, std: Math.sqrt(variance) };
  });
  const standard = examples.map(({ of, pixels }) => ({
    of,
    features: columns.map(({ mean, std }, at) => (pixels[at]! - mean) / std),
  }));
  const weights = Object.keys(COLORS).map(() => new Array<number>(FEATURES).fill(0));
  const biases = weights.map(() => 0);
  for (let step = 0; step < 40; step++) {
    const slopes = weights.map(() => new Array<number>(FEATURES).fill(0));
    for (const { of, features } of standard) {
      const chances = probabilitiesOf({ weights, biases }, features);
      chances.forEach((chance, output) => {
        const error = (chance - Number(output === of)) / standard.length;
        biases[output]! -= 0.5 * error;
        features.forEach((feature, at) => (slopes[output]![at]! += error * feature));
      });
    }
    weights.forEach((row, output) => row.forEach((_, at) => (row[at]! -= 0.5 * slopes[output]![at]!)));
  }
  return {
    weights: weights.map((row) => row.map((weight, at) => weight / columns[at]!.std)),
    biases: weights.map((row, output) =>
      row.reduce(
        (bias, weight, at) => bias - (weight * columns[at]!.mean) / columns[at]!.std,
        biases[output]!,
      ),
    ),
  };
}

/** Probabilities of the classes. */
export function probabilitiesOf(
  { weights, biases }: LinearNetwork,
  pixels: readonly number[],
): readonly number[] {
  const scores = weights.map((row, output) =>
    row.reduce((sum, weight, at) => sum + weight * pixels[at]!, biases[output]!),
  );
  const powers = scores.map((score) => Math.exp(score - Math.max(...scores)));
  const total = powers.reduce((sum, power) => sum + power, 0);
  return powers.map((power) => power / total);
}

/** Prepares a picture in several ways, each computed from the file once. */
export function preparedPixels(file: Uint8Array): (settings: ImageSettings) => Tensor {
  return openImage(INPUT, file);
}

const floats = (name: string, sizes: readonly number[], values: readonly number[]): ProtoField => [
  5,
  [
    ...sizes.map((size): ProtoField => [1, size]),
    [2, 1],
    [8, name],
    [9, Buffer.from(Float32Array.from(values).buffer)],
  ],
];

const value = (place: number, name: string, sizes: readonly number[]): ProtoField => [
  place,
  [
    [1, name],
    [
      2,
      [
        [
          1,
          [
            [1, 1],
            [2, [[1, [[2, 'N']]], ...sizes.map((size): ProtoField => [1, [[1, size]]])]],
          ],
        ],
      ],
    ],
  ],
];

const node = (inputs: readonly string[], output: string, operator: string): ProtoField => [
  1,
  [...inputs.map((name): ProtoField => [1, name]), [2, output], [4, operator]],
];

/** The network as an ONNX file that ends in a Softmax. */
export function linearOnnx({ weights, biases }: LinearNetwork): Uint8Array {
  const classes = biases.length;
  const byFeature = Array.from(
    { length: FEATURES * classes },
    (_, at) => weights[at % classes]![Math.floor(at / classes)]!,
  );
  return toProtoBytes([
    [1, 8],
    [2, 'test'],
    [
      7,
      [
        node(['x'], 'flat', 'Flatten'),
        node(['flat', 'w', 'b'], 'scores', 'Gemm'),
        node(['scores'], 'y', 'Softmax'),
        [2, 'graph'],
        floats('w', [FEATURES, classes], byFeature),
        floats('b', [classes], biases),
        value(11, 'x', [3, SIDE, SIDE]),
        value(12, 'y', [classes]),
      ],
    ],
    [8, [[2, 13]]],
  ]);
}

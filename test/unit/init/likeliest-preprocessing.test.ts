import { expect, test } from 'vitest';
import { likeliestPreprocessing } from '../../../src/init/likeliest-preprocessing.ts';
import { readingsOf } from '../../../src/init/outputs-of-labels.ts';
import { type Preprocessing, preprocessings } from '../../../src/init/preprocessings.ts';
import {
  COLORS,
  type LinearNetwork,
  pictures,
  preparedPixels,
  probabilitiesOf,
  SIDE,
  trained,
} from '../../support/linear-network.ts';

const WAYS = preprocessings({ height: SIDE, width: SIDE, channels: 3 });
const CLASSES = Object.keys(COLORS);
const sample = pictures(120, 7);
const prepared = sample.map(({ file }) => {
  const prepare = preparedPixels(file);
  return WAYS.map(({ images }) => Array.from(prepare(images).data, Number));
});
const labels = sample.map(({ label }) => label);

const answersOf = (network: LinearNetwork) =>
  WAYS.map((row, way) => ({
    row,
    probabilities: prepared.map((pixels) => probabilitiesOf(network, pixels[way]!)),
  }));

function judge(network: LinearNetwork, names: readonly string[] | undefined, count: number) {
  const answers = answersOf(network).map(({ row, probabilities }) => ({
    row,
    probabilities: probabilities.slice(0, count),
  }));
  return likeliestPreprocessing(answers, readingsOf(answers, labels.slice(0, count), names))!;
}

const isSame = (a: Preprocessing, b: Preprocessing) =>
  a.scale === b.scale && a.images.order === b.images.order;

// Each scale and order once, with one of the geometries.
const TRAINED = WAYS.filter((_, at) =>
  [0, 3, 4, 7, 8, 9, 12, 13, 16, 17, 20, 21, 24, 25, 28, 29].includes(at),
);

test.each(
  TRAINED.map((way, seed) => [`${way.scale}, ${way.images.resize}, ${way.images.order}`, way, seed] as const),
)('a network trained with %s: its scale and order are the likeliest', (_, way, seed) => {
  const { best, fits, of } = judge(trained(way.images, 100 + seed), CLASSES, 60);
  expect({ same: isSame(best, way), fits, of }).toEqual({ same: true, fits: true, of: 60 });
});

const STRETCHED = WAYS[6]!;
const network = trained(STRETCHED.images, 1);

test('what the labels make certain, and what they leave open', () => {
  expect(STRETCHED.scale).toBe('0 to 1');
  const judged = judge(network, CLASSES, 120);
  expect(judged).toMatchObject({ best: { scale: STRETCHED.scale, images: { order: 'RGB' } }, isSure: true });
  expect(judged.open.every((way) => isSame(way, STRETCHED))).toBe(true);
  // A few labels show the same, and are too few to be sure.
  expect(judge(network, CLASSES, 28)).toMatchObject({ fits: true, of: 28, isSure: false });
});

test('an order of classes that nothing names is sorted, or what the answers show', () => {
  expect(judge(network, undefined, 120)).toMatchObject({
    right: judge(network, CLASSES, 120).right,
    isSure: true,
  });
  const [brick, grass, sky, stone] = network.weights;
  const [one, two, three, four] = network.biases;
  const turned = { weights: [sky!, brick!, stone!, grass!], biases: [three!, one!, four!, two!] };
  const readings = readingsOf(answersOf(turned), labels, undefined);
  expect(readings.map(({ isFitted }) => isFitted)).toContain(true);
  expect(judge(turned, undefined, 120)).toMatchObject({ best: { scale: STRETCHED.scale }, isSure: true });
});

test('none fits a network with other classes, wrong labels, or answers that are no numbers', () => {
  expect(judge(network, ['stone', 'brick', 'grass', 'sky'], 60)).toMatchObject({
    fits: false,
    isSure: false,
  });
  expect(judge(network, ['a', 'b', 'c', 'd'], 60)).toMatchObject({ right: 0, fits: false });
  const random = answersOf(network).map(({ row, probabilities }) => ({
    row,
    probabilities: probabilities.toSorted((a, b) => a[0]! - b[0]!),
  }));
  const outputs = labels.map((label) => CLASSES.indexOf(label));
  expect(likeliestPreprocessing(random, [{ outputs, isFitted: false }])).toMatchObject({ isSure: false });
  const nothing = answersOf({
    weights: network.weights.map((row) => row.map(() => NaN)),
    biases: network.biases,
  });
  expect(likeliestPreprocessing(nothing, [{ outputs, isFitted: false }])).toMatchObject({
    right: 0,
    fits: false,
  });
});

test('nothing is compared without labels or a reading of them', () => {
  expect(likeliestPreprocessing([], [])).toBeUndefined();
  expect(likeliestPreprocessing(answersOf(network), [])).toBeUndefined();
  expect(
    likeliestPreprocessing(
      WAYS.map((row) => ({ row, probabilities: [] })),
      [{ outputs: [], isFitted: false }],
    ),
  ).toBeUndefined();
});

test('labels that are places are read as such, and a background class comes before the names', () => {
  const three = [[0.1, 0.2, 0.7]];
  const [row] = WAYS;
  const answers = [{ row: row!, probabilities: three }];
  expect(readingsOf(answers, ['1'], ['a', 'b', 'c']).map(({ outputs }) => outputs)).toEqual([
    [undefined],
    [1],
    [0],
  ]);
  expect(readingsOf(answers, ['b'], ['a', 'b'])).toEqual([{ outputs: [2], isFitted: false }]);
});

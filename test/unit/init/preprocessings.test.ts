import { describe, expect, test } from 'vitest';
import { ImageSettings } from '../../../src/frameworks/onnx/image-settings.ts';
import { exampleSettings, preprocessings, preprocessingWords } from '../../../src/init/preprocessings.ts';
import { toProbabilities } from '../../../src/init/to-probabilities.ts';

const SIZE = { height: 224, width: 224, channels: 3 };

test('thirty ways, all of which model.images can say', () => {
  const ways = preprocessings(SIZE);
  expect(ways).toHaveLength(30);
  expect(new Set(ways.map(({ images }) => JSON.stringify(ImageSettings.parse(images)))).size).toBe(30);
  expect(ways.map((way) => preprocessingWords(way, SIZE)).join('\n')).toMatchInlineSnapshot(`
    "levels of 0 to 255, stretched to 224 x 224, RGB
    levels of 0 to 255, stretched to 224 x 224, BGR
    levels of 0 to 255, middle of the shorter side 224 → 224, RGB
    levels of 0 to 255, middle of the shorter side 224 → 224, BGR
    levels of 0 to 255, middle of the shorter side 256 → 224, RGB
    levels of 0 to 255, middle of the shorter side 256 → 224, BGR
    0 to 1, stretched to 224 x 224, RGB
    0 to 1, stretched to 224 x 224, BGR
    0 to 1, middle of the shorter side 224 → 224, RGB
    0 to 1, middle of the shorter side 224 → 224, BGR
    0 to 1, middle of the shorter side 256 → 224, RGB
    0 to 1, middle of the shorter side 256 → 224, BGR
    -1 to 1, stretched to 224 x 224, RGB
    -1 to 1, stretched to 224 x 224, BGR
    -1 to 1, middle of the shorter side 224 → 224, RGB
    -1 to 1, middle of the shorter side 224 → 224, BGR
    -1 to 1, middle of the shorter side 256 → 224, RGB
    -1 to 1, middle of the shorter side 256 → 224, BGR
    ImageNet mean and deviation, stretched to 224 x 224, RGB
    ImageNet mean and deviation, stretched to 224 x 224, BGR
    ImageNet mean and deviation, middle of the shorter side 224 → 224, RGB
    ImageNet mean and deviation, middle of the shorter side 224 → 224, BGR
    ImageNet mean and deviation, middle of the shorter side 256 → 224, RGB
    ImageNet mean and deviation, middle of the shorter side 256 → 224, BGR
    levels without their ImageNet mean, stretched to 224 x 224, RGB
    levels without their ImageNet mean, stretched to 224 x 224, BGR
    levels without their ImageNet mean, middle of the shorter side 224 → 224, RGB
    levels without their ImageNet mean, middle of the shorter side 224 → 224, BGR
    levels without their ImageNet mean, middle of the shorter side 256 → 224, RGB
    levels without their ImageNet mean, middle of the shorter side 256 → 224, BGR"
  `);
});

test('one channel has no colors', () => {
  const gray = { height: 28, width: 20, channels: 1 };
  const ways = preprocessings(gray);
  expect(ways).toHaveLength(9);
  expect(ways.map((way) => preprocessingWords(way, gray)).slice(0, 3)).toEqual([
    'levels of 0 to 255, stretched to 20 x 28',
    'levels of 0 to 255, middle of the shorter side 28 → 20 x 28',
    'levels of 0 to 255, middle of the shorter side 32 → 20 x 28',
  ]);
  expect(exampleSettings(gray)).toMatchObject({ scale: 1 / 255, mean: 0, resize: 32, order: 'RGB' });
  expect(exampleSettings(SIZE)).toMatchObject({ mean: [0.485, 0.456, 0.406], resize: 256, order: 'RGB' });
});

describe('probabilities', () => {
  test('stay as they are; other scores go through softmax, all alike', () => {
    expect(toProbabilities([[[0.2, 0.8]], [[1, 0]]])).toEqual([[[0.2, 0.8]], [[1, 0]]]);
    expect(toProbabilities([[[0, 1]], [[2, 2]]])[1]).toEqual([[0.5, 0.5]]);
    expect(toProbabilities([[[0, 1]], [[2, 2]]])[0]![0]![1]).toBeCloseTo(0.731, 3);
    expect(toProbabilities([[[1e4, 0, 0]]])).toEqual([[[1, 0, 0]]]);
  });

  test('of a single score, which is the second class’s', () => {
    expect(toProbabilities([[[0.25]], [[1]]])).toEqual([[[0.75, 0.25]], [[0, 1]]]);
    expect(toProbabilities([[[0]], [[-3]]])[0]).toEqual([[0.5, 0.5]]);
  });

  test('answers that are no numbers do not make logits of others', () => {
    expect(toProbabilities([[[NaN, NaN]], [[0.5, 0.5]]])[1]).toEqual([[0.5, 0.5]]);
  });
});

import { expect, test } from 'vitest';
import { encodePng } from '@inferdrop/image/encode-png';
import { openImage, readImage, readImageSettings } from '../onnx/read-image.ts';
import { RequestRefused } from '../onnx/request-refused.ts';

const COLORS = encodePng({ width: 1, height: 2, channels: 3, data: Uint8Array.of(10, 20, 30, 40, 50, 60) });
const PLAIN = { scale: 1, mean: 0, std: 1, resize: 'stretch', order: 'RGB' } as const;
const input = (shape: readonly number[], dtype: 'float32' | 'uint8' = 'float32') => ({
  name: 'x',
  dtype,
  shape,
});

function values(spec: ReturnType<typeof input>, settings: NonNullable<Parameters<typeof readImage>[2]>) {
  return Array.from(readImage(spec, COLORS, settings).get('x')!.data, Number);
}

test.each([
  [[1, 3, 2, 1], 'RGB', [10, 40, 20, 50, 30, 60]],
  [[1, 3, 2, 1], 'BGR', [30, 60, 20, 50, 10, 40]],
  [[-1, 2, 1, 3], 'RGB', [10, 20, 30, 40, 50, 60]],
  [[-1, 2, 1, 3], 'BGR', [30, 20, 10, 60, 50, 40]],
] as const)('channels of %j in the order %s', (shape, order, expected) => {
  expect(values(input(shape), { ...PLAIN, order })).toEqual(expected);
  expect(values(input(shape, 'uint8'), { ...PLAIN, order })).toEqual(expected);
});

test('means and deviations follow the order of the channels that the model takes', () => {
  const settings = { ...PLAIN, mean: [30, 20, 10], std: [1, 2, 5], order: 'BGR' as const };
  expect(values(input([1, 2, 1, 3]), settings)).toEqual([0, 0, 0, 30, 15, 6]);
});

test('a gray network has one channel in either order', () => {
  const gray = input([1, 1, 2, 1]);
  expect(values(gray, { ...PLAIN, order: 'BGR' })).toEqual(values(gray, PLAIN));
});

test('an image that is opened once gives what each setting of its own would', () => {
  const spec = input([1, 3, 1, 1]);
  const tensorOf = openImage(spec, COLORS);
  for (const resize of ['stretch', 1, 2, 'stretch'] as const)
    for (const order of ['RGB', 'BGR'] as const) {
      const settings = { ...PLAIN, resize, order };
      expect(tensorOf(settings)).toEqual(readImage(spec, COLORS, settings).get('x'));
    }
});

test('settings of an earlier stack have no order, which was RGB', () => {
  const text = '{"scale":1,"mean":0,"std":1,"resize":"stretch"}';
  expect(readImageSettings({ INFERDROP_ONNX_IMAGES: text })).toEqual(PLAIN);
  expect(() => readImageSettings({ INFERDROP_ONNX_IMAGES: text.replace('}', ',"order":"GBR"}') })).toThrow();
  expect(() => readImage(input([1, 3, 1, 2]), COLORS, undefined)).toThrow(RequestRefused);
});

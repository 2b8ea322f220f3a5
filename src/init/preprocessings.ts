import type { ImageSettings } from '../frameworks/onnx/image-settings.ts';

/** One way of preparing the pixels of an image for a network. */
export interface Preprocessing {
  /** Range or statistics of the pixels that it makes of levels, in words. */
  readonly scale: string;
  readonly images: ImageSettings;
}

/** Size of the images that a network takes. */
export interface ImageSize {
  readonly height: number;
  readonly width: number;
  readonly channels: number;
}

type Scale = Pick<ImageSettings, 'scale' | 'mean' | 'std'>;

/** Levels as they are. */
export const LEVELS = { scale: 1, mean: 0, std: 1, resize: 'stretch', order: 'RGB' } as const;

const SCALES: Readonly<Record<string, Scale>> = {
  'levels of 0 to 255': LEVELS,
  '0 to 1': { scale: 1 / 255, mean: 0, std: 1 },
  '-1 to 1': { scale: 1 / 127.5, mean: 1, std: 1 },
  'ImageNet mean and deviation': { scale: 1 / 255, mean: [0.485, 0.456, 0.406], std: [0.229, 0.224, 0.225] },
  'levels without their ImageNet mean': { scale: 1, mean: [123.68, 116.779, 103.939], std: 1 },
};

/** The 30 ways that training programs mostly take; fewer for one channel, which has no colors. */
export function preprocessings({ height, width, channels }: ImageSize): readonly Preprocessing[] {
  const side = Math.max(height, width);
  const orders = channels === 3 ? (['RGB', 'BGR'] as const) : (['RGB'] as const);
  return Object.entries(SCALES)
    .filter(([, { mean }]) => channels === 3 || !Array.isArray(mean))
    .flatMap(([name, scale]) =>
      (['stretch', side, Math.round((side * 8) / 7)] as const).flatMap((resize) =>
        orders.map((order) => ({ scale: name, images: { ...ordered(scale, order), resize, order } })),
      ),
    );
}

/** Means and deviations follow the order of the channels. */
function ordered({ scale, mean, std }: Scale, order: ImageSettings['order']): Scale {
  const turned = (values: Scale['mean']): Scale['mean'] =>
    Array.isArray(values) && order === 'BGR' ? values.toReversed() : values;
  return { scale, mean: turned(mean), std: turned(std) };
}

/** A way in words: `0 to 1, middle of the shorter side 256 → 224, RGB`. */
export function preprocessingWords(
  { scale, images }: Preprocessing,
  { height, width, channels }: ImageSize,
): string {
  const size = height === width ? String(height) : `${width} x ${height}`;
  const geometry =
    images.resize === 'stretch'
      ? `stretched to ${width} x ${height}`
      : `middle of the shorter side ${images.resize} → ${size}`;
  return [scale, geometry, ...(channels === 3 ? [images.order] : [])].join(', ');
}

/** Settings of the commonest networks, for an example in messages. */
export function exampleSettings(size: ImageSize): ImageSettings {
  const ways = preprocessings(size);
  const isCommon = ({ scale, images }: Preprocessing): boolean =>
    scale === (size.channels === 3 ? 'ImageNet mean and deviation' : '0 to 1') && images.order === 'RGB';
  return ways.findLast(isCommon)?.images ?? LEVELS;
}

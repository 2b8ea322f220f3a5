import * as z from 'zod';
import { decodeBmp } from '@inferdrop/image/internal/decode-bmp';
import { decodeJpeg, DEFAULT_JPEG_SETTINGS } from '@inferdrop/image/internal/decode-jpeg';
import { decodePng } from '@inferdrop/image/internal/decode-png';
import { decodeWebp } from '@inferdrop/image/internal/decode-webp';
import { imageFormat } from '@inferdrop/image/internal/image-format';
import { jpegSize } from '@inferdrop/image/internal/jpeg-size';
import { MAX_PIXELS, type Pixels } from '@inferdrop/image/internal/pixels';
import { withoutAlpha } from '@inferdrop/image/internal/png-channels';
import { resizeImage } from '@inferdrop/image/internal/resize-image';
import type { NamedTensors, Tensor, TensorSpec } from '@inferdrop/savedmodel/servable-model';
import { refuse } from './request-refused.ts';
import { shown, toTensor } from './to-tensor.ts';

const PerChannel = z.union([z.number(), z.array(z.number()).min(1).max(3)]);

/** `model.images` of pipeline.json: how a model wants the pixels of an image. */
const ImageSettings = z.object({
  scale: z.number(),
  mean: PerChannel,
  std: PerChannel,
  /** `stretch`, or the shorter side before the middle is cut out. */
  resize: z.union([z.literal('stretch'), z.int().positive()]),
  resample: z.enum(['bilinear', 'bicubic']).optional(),
  /** Order of three channels; mean and std keep to it. */
  order: z.enum(['RGB', 'BGR']).default('RGB'),
});
export type ImageSettings = z.infer<typeof ImageSettings>;

/** Variable of the container in which the settings travel. */
const VARIABLE = 'INFERDROP_ONNX_IMAGES';

/** Undefined if the pipeline has no such settings. @throws {Error} for a variable that holds something else */
export function readImageSettings(environment: Readonly<Record<string, string>>): ImageSettings | undefined {
  const text = environment[VARIABLE];
  return text === undefined ? undefined : ImageSettings.parse(JSON.parse(text));
}

/** The tensor of an image, as the archive's handler makes it with Pillow and numpy. @throws {RequestRefused} */
export function readImage(
  spec: TensorSpec,
  body: Uint8Array,
  settings: ImageSettings | undefined,
): NamedTensors {
  if (settings === undefined)
    return refuse('pipeline.json has no model.images, which says how the model wants the pixels of an image');
  return new Map([[spec.name, openImage(spec, body)(settings)]]);
}

/**
 * Decodes an image for a model, which then gives its tensor by any settings: each size is computed once.
 *
 * @throws {RequestRefused}
 */
export function openImage(spec: TensorSpec, body: Uint8Array): (settings: ImageSettings) => Tensor {
  const size = layoutOf(spec);
  const whole = decode(body);
  const fitted = new Map<string, Pixels>();
  return (settings) => {
    const { resize, resample } = settings;
    const key = `${resize} ${resample ?? ''}`;
    const known = fitted.get(key);
    const cut = known ?? cutOut(resized(whole, settings, size.height, size.width), size, resize);
    if (known === undefined) fitted.set(key, cut);
    return toPixelTensor(spec, size, size.channels === 1 ? gray(cut) : cut, settings);
  };
}

function toPixelTensor(
  spec: TensorSpec,
  { isFirst, channels, height, width }: Layout,
  pixels: Pixels,
  settings: ImageSettings,
): Tensor {
  const levels = spec.dtype === 'uint8' ? [] : levelsOf(settings);
  const area = width * height;
  const values = new Float32Array(area * channels);
  const [step, start] = isFirst ? [1, area] : [channels, 1];
  // Gray pixels have one sample for all channels.
  const own = pixels.channels;
  for (let channel = 0; channel < channels; channel++) {
    const level = levels[channel] ?? EACH_LEVEL;
    const color = settings.order === 'BGR' ? channels - 1 - channel : channel;
    let to = channel * start;
    for (let at = own === 1 ? 0 : color; at < area * own; at += own, to += step)
      values[to] = level[pixels.data[at] ?? 0] ?? 0;
  }
  const shape = isFirst ? [1, channels, height, width] : [1, height, width, channels];
  return spec.dtype === 'float32'
    ? { dtype: 'float32', shape, data: values }
    : toTensor(spec, shape, Array.from(values));
}

const EACH_LEVEL = Float32Array.from({ length: 256 }, (_, sample) => sample);
const LEVELS = new WeakMap<ImageSettings, readonly Float32Array[]>();

/** The value of each sample of 8 bits, by channels; each step in single precision, as numpy computes it. */
function levelsOf(settings: ImageSettings): readonly Float32Array[] {
  const known = LEVELS.get(settings);
  if (known !== undefined) return known;
  const { scale, mean, std } = settings;
  const factor = Math.fround(scale);
  const found = Array.from({ length: 3 }, (_, channel) => {
    const [middle, spread] = [perChannel(mean)(channel), perChannel(std)(channel)];
    const levels = new Float32Array(256);
    for (let sample = 0; sample < levels.length; sample++)
      levels[sample] = Math.fround(Math.fround(sample * factor) - middle) / spread;
    return levels;
  });
  LEVELS.set(settings, found);
  return found;
}

function perChannel(values: ImageSettings['mean']): (channel: number) => number {
  return (channel) =>
    Math.fround(typeof values === 'number' ? values : (values[channel] ?? values[0] ?? NaN));
}

interface Layout {
  /** Whether channels come before pixels. */
  readonly isFirst: boolean;
  readonly channels: number;
  readonly height: number;
  readonly width: number;
}

function layoutOf({ name, shape }: TensorSpec): Layout {
  const sizes = shape ?? [];
  if (sizes.length === 4)
    for (const [isFirst, places] of [
      [true, [1, 2, 3]],
      [false, [3, 1, 2]],
    ] as const) {
      const [channels = 0, height = 0, width = 0] = places.map((place) => sizes[place]);
      if ((channels === 1 || channels === 3) && height > 0 && width > 0)
        return { isFirst, channels, height, width };
    }
  return refuse(
    `input ${name} of the shape ${shown(sizes)} takes no images: it must be [N, C, H, W] or [N, H, W, C], with a ` +
      'fixed H and W and a C of 1 or 3',
  );
}

const OTHER_FORM = 'the image is none of 8 bits a channel in gray or RGB: save it as one';

/** RGB of a file as Pillow gives it; a gray PNG only has its gray, because all three would be the same. */
function decode(file: Uint8Array): Pixels {
  try {
    const format = imageFormat(file);
    switch (format) {
      case 'JPEG':
        if (jpegSize(file).channels > 3) return refuse(OTHER_FORM);
        return decodeJpeg(file, 3, { ...DEFAULT_JPEG_SETTINGS, accurate: true });
      case 'PNG': {
        // Depth and color type of the header.
        if (file[24] === 16 && file[25] === 0) return refuse(OTHER_FORM);
        const { data, ...size } = decodePng(file, ((file[25] ?? 0) & 2) === 0 ? 1 : 3, false);
        return { ...size, data: data instanceof Uint8Array ? data : Uint8Array.from(data) };
      }
      case 'BMP': {
        const bits = (file[28] ?? 0) + 256 * (file[29] ?? 0);
        if (bits < 24) return refuse(OTHER_FORM);
        return decodeBmp(file, 3);
      }
      case 'WebP':
        return withoutAlpha(decodeWebp(file, 0, true));
      default:
        return refuse(`the image cannot be decoded: ${format} is not JPEG, PNG, BMP or WebP`);
    }
  } catch (error) {
    if (error instanceof Error && error.name !== 'RequestRefused')
      return refuse(`the image cannot be decoded: ${error.message}`);
    throw error;
  }
}

function resized(
  pixels: Pixels,
  { resize, resample = 'bilinear' }: ImageSettings,
  height: number,
  width: number,
): Pixels {
  const short = Math.min(pixels.width, pixels.height);
  const side = (own: number): number =>
    own === short ? Number(resize) : Math.floor((Number(resize) * own) / short);
  const to =
    resize === 'stretch' ? { width, height } : { width: side(pixels.width), height: side(pixels.height) };
  if (to.width * to.height > MAX_PIXELS) refuse(`the image would have ${to.width} x ${to.height} pixels`);
  return resizeImage(pixels, to, resample);
}

function cutOut(
  pixels: Pixels,
  { width, height }: { readonly width: number; readonly height: number },
  resize: ImageSettings['resize'],
): Pixels {
  const [left, top] = [halfToEven(pixels.width - width), halfToEven(pixels.height - height)];
  if (left < 0 || top < 0)
    refuse(
      `model.images.resize is ${resize}, less than the ${width} x ${height} pixels that the model takes`,
    );
  if (width === pixels.width && height === pixels.height) return pixels;
  const { channels } = pixels;
  const data = new Uint8Array(width * height * channels);
  for (let y = 0; y < height; y++) {
    const start = ((y + top) * pixels.width + left) * channels;
    data.set(pixels.data.subarray(start, start + width * channels), y * width * channels);
  }
  return { width, height, channels, data };
}

/** Half of an integer, rounded to the even neighbor as Python rounds. */
function halfToEven(value: number): number {
  const below = Math.floor(value / 2);
  return value % 2 !== 0 && below % 2 !== 0 ? below + 1 : below;
}

/** Pillow's weights of the colors. */
function gray(pixels: Pixels): Pixels {
  const { width, height, channels, data } = pixels;
  if (channels === 1) return pixels;
  const light = new Uint8Array(width * height);
  for (let pixel = 0; pixel < light.length; pixel++) {
    const at = 3 * pixel;
    const [red, green, blue] = [data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0];
    light[pixel] = (red * 19_595 + green * 38_470 + blue * 7_471 + 0x8000) >> 16;
  }
  return { width, height, channels: 1, data: light };
}

import * as z from 'zod';

const perChannel = z.union([z.number(), z.array(z.number()).min(1).max(3)]);

/** How a model wants the pixels of an image: (level × scale − mean) ÷ std, as in its training. */
export const ImageSettings = z.strictObject({
  scale: z
    .number()
    .positive()
    .describe('Factor of the levels 0..255: 0.00392156862745098 makes 0..1 of them.'),
  mean: perChannel.describe(
    'What is subtracted then: one number, or one a channel in the order of the channels.',
  ),
  std: perChannel.describe(
    'What is divided by at last: one number, or one a channel in the order of the channels.',
  ),
  resize: z
    .union([z.literal('stretch'), z.int().min(1).max(4096)])
    .describe(
      '"stretch": to the size that the model takes. A number: the length of the shorter side, before the middle is ' +
        'cut out, as Pillow does it.',
    ),
  resample: z
    .enum(['bilinear', 'bicubic'])
    .optional()
    .describe('Filter of Pillow that images are resized with. Left out: "bilinear".'),
  order: z
    .enum(['RGB', 'BGR'])
    .default('RGB')
    .describe('Order of three channels: BGR for networks that were trained with OpenCV or Caffe.'),
});
export type ImageSettings = z.infer<typeof ImageSettings>;

/**
 * Why a network can't take images by such settings, after its name; undefined if it can.
 *
 * @param name the settings in words, such as `model.images`
 */
export function imagesProblem(
  { mean, std, resize, order }: ImageSettings,
  { channels, height, width }: Readonly<Record<'channels' | 'height' | 'width', number>>,
  name: string,
): string | undefined {
  const takes = `takes ${channels} ${channels === 1 ? 'channel' : 'channels'}, and ${name}`;
  const wrong = [mean, std].find((list) => Array.isArray(list) && list.length !== channels);
  if (wrong !== undefined)
    return `${takes} names ${JSON.stringify(wrong)}: give one number, or one a channel`;
  if ([std].flat().includes(0)) return `divides pixels by 0: ${name} has a std of 0`;
  if (order === 'BGR' && channels === 1) return `${takes} has the order "BGR": leave it out`;
  if (typeof resize !== 'number' || resize >= Math.max(height, width)) return undefined;
  return (
    `takes ${width} x ${height} pixels, and ${name} has the resize ${resize}: set it to ` +
    `${Math.max(height, width)} or more, or to "stretch"`
  );
}

/** Variable of the container in which the settings travel to the handler. */
export const IMAGES_VARIABLE = 'INFERDROP_ONNX_IMAGES';

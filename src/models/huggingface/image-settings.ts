import * as z from 'zod';
import type { ImageSettings } from '../../frameworks/onnx/image-settings.ts';

const PerChannel = z.union([z.number(), z.array(z.number()).min(1).max(3)]);
const Side = z.int().min(1).max(4096);
/** preprocessor_config.json with all fields, as `save_pretrained` writes it. */
const Preprocessor = z.looseObject({
  do_resize: z.literal(true),
  size: z.union([z.looseObject({ height: Side, width: Side }), z.looseObject({ shortest_edge: Side })]),
  resample: z.union([z.literal(2), z.literal(3)]),
  do_center_crop: z.boolean().nullish(),
  crop_size: z.looseObject({ height: Side, width: Side }).nullish(),
  crop_pct: z.number().gt(0).max(1).nullish(),
  do_rescale: z.boolean(),
  rescale_factor: z.number().positive(),
  rescale_offset: z.literal(false).nullish(),
  do_normalize: z.boolean(),
  image_mean: PerChannel,
  image_std: PerChannel,
  do_flip_channel_order: z.boolean().nullish(),
  do_pad: z.literal(false).nullish(),
});

/** Filters of Pillow by their numbers. */
const RESAMPLE = { 2: 'bilinear', 3: 'bicubic' } as const;
/** Images of ConvNeXT's processor from this size on are stretched, and not cut. */
const UNCUT_SIDE = 384;

/**
 * Preprocessing of a Hugging Face image classifier as `model.images` of pipeline.json.
 *
 * @param text content of preprocessor_config.json
 * @returns a refusal for fields that `model.images` doesn't have, by their names
 */
export function imageSettings(preprocessor: unknown): ImageSettings | { readonly refused: string } {
  const read = Preprocessor.safeParse(preprocessor);
  if (!read.success) {
    const [field = ''] = read.error.issues[0]?.path ?? [];
    const value = z.record(z.string(), z.unknown()).safeParse(preprocessor).data?.[String(field)];
    return {
      refused:
        value === undefined
          ? `has no ${String(field)}: write all fields, AutoImageProcessor.from_pretrained(FOLDER).save_pretrained(FOLDER)`
          : `has ${String(field)} ${JSON.stringify(value)}, which model.images can't say: export an ONNX file that takes ` +
            'pixels, and pack it with a handler of your own',
    };
  }
  const { size, resample, do_rescale, rescale_factor, do_normalize, image_mean, image_std } = read.data;
  const {
    do_center_crop: isCut,
    crop_size: cut,
    crop_pct: share,
    do_flip_channel_order: isFlipped,
  } = read.data;
  if (isFlipped === true && do_normalize)
    return {
      refused:
        'has do_flip_channel_order and do_normalize, and nothing says which comes first: write an images.json',
    };
  const resize = resizeOf(size, isCut === true ? cut : undefined, share ?? undefined);
  if (resize === undefined)
    return {
      refused:
        `has size ${JSON.stringify(size)} and crop_size ${JSON.stringify(cut ?? null)}, which model.images can't say: ` +
        `stretched images aren't cut, and others have a crop_size`,
    };
  return {
    scale: do_rescale ? rescale_factor : 1,
    mean: do_normalize ? image_mean : 0,
    std: do_normalize ? image_std : 1,
    resize,
    resample: RESAMPLE[resample],
    order: isFlipped === true ? 'BGR' : 'RGB',
  };
}

/** Images are stretched, or scaled by their shorter side and cut; undefined for another way. */
function resizeOf(
  size: z.infer<typeof Preprocessor>['size'],
  cut: z.infer<typeof Preprocessor>['crop_size'],
  share: number | undefined,
): ImageSettings['resize'] | undefined {
  if (!('shortest_edge' in size)) {
    const isWhole = cut?.height === size.height && cut.width === size.width;
    return cut === undefined || cut === null || isWhole ? 'stretch' : undefined;
  }
  const { shortest_edge: side } = size;
  if (share === undefined) return cut === undefined || cut === null ? undefined : Number(side);
  if (cut !== undefined) return undefined;
  return Number(side) < UNCUT_SIDE ? Math.trunc(Number(side) / share) : 'stretch';
}

import { DEFAULT_JPEG_SETTINGS } from '@inferdrop/image/internal/decode-jpeg';
import {
  boolAttr,
  floatAttr,
  type GraphNode,
  intAttr,
  textAttr,
  typeAttr,
} from '../savedmodel/graph-node.ts';
import type { Decoding } from './decode-image.ts';

/** Operations that turn an encoded image into numbers. */
export const DECODERS: ReadonlySet<string> = new Set(
  'DecodePng DecodeJpeg DecodeImage DecodeGif DecodeBmp DecodeWebP'.split(' '),
);

/** Element types besides uint8, which every decoder gives. */
const DTYPES: Readonly<Record<string, readonly string[]>> = {
  DecodePng: ['uint16'],
  DecodeImage: ['uint16', 'float32'],
};

/** How a decoder wants its images; a text where TensorFlow would not build it. */
export function readDecoding(node: GraphNode): Decoding | string {
  const { op } = node;
  const dtype = typeAttr(node, 'dtype', 'uint8');
  // TensorFlow decodes for GIF to RGB, whatever the file's format.
  const channels = op === 'DecodeGif' ? 3 : intAttr(node, 'channels');
  const ratio = intAttr(node, 'ratio', 1);
  const method = textAttr(node, 'dct_method');
  if (dtype !== 'uint8' && !(DTYPES[op] ?? []).includes(dtype)) return dtype;
  if (dtype !== 'uint8' && dtype !== 'uint16' && dtype !== 'float32') return dtype;
  if (![0, 1, 3, 4].includes(channels)) return `${channels} channels`;
  if (![1, 2, 4, 8].includes(ratio)) return `ratio ${ratio}`;
  if (!['', 'INTEGER_FAST', 'INTEGER_ACCURATE'].includes(method)) return `dct_method ${method}`;
  const defaults = DEFAULT_JPEG_SETTINGS;
  const jpeg = {
    ratio,
    accurate: method === 'INTEGER_ACCURATE',
    fancyUpscaling: boolAttr(node, 'fancy_upscaling', defaults.fancyUpscaling),
    tryRecoverTruncated: boolAttr(node, 'try_recover_truncated', defaults.tryRecoverTruncated),
    acceptableFraction: floatAttr(node, 'acceptable_fraction', defaults.acceptableFraction),
  };
  const expandAnimations = boolAttr(node, 'expand_animations', true);
  return { op, channels, dtype, expandAnimations, jpeg };
}

/** Images that TensorFlow decodes and this machine refuses, a sentence for each kind; what is decoded has TensorFlow's pixels. */
export function decoderLimits(nodes: readonly GraphNode[]): string[] {
  const decoders = nodes.filter(({ op }) => DECODERS.has(op));
  if (decoders.length === 0) return [];
  const gray = decoders.some((node) => intAttr(node, 'channels') === 1);
  const recovered = decoders.some((node) => boolAttr(node, 'try_recover_truncated'));
  return [
    'images are refused beyond 134217728 pixels, in JPEG XL, as animated WebP without transparency, and as GIF cut off amid a frame',
    ...(gray ? ['colors become gray in no PNG with a color profile, or with 16 bits and a gamma'] : []),
    ...(recovered ? ['cut-off JPEGs that try_recover_truncated would read for ever are refused'] : []),
  ];
}

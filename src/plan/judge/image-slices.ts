import { USD_PER_READ } from '../../price/request-prices.ts';
import type { Problem } from '../../problem/problem.ts';
import { imageProperties } from '../../slice/dimension.ts';
import { dollars, duration, grouped, plural } from '../../text/figures.ts';
import { toSize } from '../../text/size.ts';
import type { ResolvedSlices } from './resolve-slices.ts';

/**
 * Bytes of images that FoldPredictions decodes in a second, put low: a processor of 2.5 GHz takes 19 MB of JPEG and PNG a second, and a few
 * MB of WebP.
 */
const DECODED_BYTES_A_SECOND = 4_000_000;
/** Share of its 15 minutes that FoldPredictions may decode. */
const MAX_DECODING_SECONDS = 600;
/** The header of an image is in this many bytes, but for photographs with a long preview. */
export const HEADER_BYTES = 65_536;

interface SentImages {
  readonly count: number;
  readonly bytes: number;
}

/** Tells what slices by images cost, and why they cannot be had at that size. */
export function judgeImageSlices(
  { dimensions, places }: ResolvedSlices,
  sent: SentImages,
  inputsPerShard: number,
): { readonly problems: readonly Problem[]; readonly notes: readonly string[] } {
  const properties = imageProperties(dimensions);
  if (properties.length === 0 || sent.count === 0) return { problems: [], notes: [] };
  const decodes = properties.includes('brightness');
  const bytes = decodes ? sent.bytes : Math.min(sent.bytes, sent.count * HEADER_BYTES);
  const usd = sent.count * USD_PER_READ;
  const seconds = bytes / DECODED_BYTES_A_SECOND;
  const time = decodes ? `, and decodes them in up to ${duration(seconds)} of functions' time` : '';
  const note =
    `report.slices reads ${plural(sent.count, 'image')} again when their answers are counted (${toSize(bytes)}, ` +
    `${dollars(usd)} of requests)${time}`;
  const mean = sent.bytes / sent.count;
  const within = Math.max(1, Math.floor((MAX_DECODING_SECONDS * DECODED_BYTES_A_SECOND) / mean));
  const at = dimensions.findIndex((one) => one.from === 'image' && one.property === 'brightness');
  const isLong = decodes && Math.min(sent.count, inputsPerShard) > within;
  const message =
    `decodes images of ${toSize(mean)}; one function counts ${grouped(inputsPerShard)} of them ` +
    `(limits.inputsPerShard), and would take longer than it may: set limits.inputsPerShard to ${within} or less, or ` +
    'leave it out';
  return {
    problems: isLong
      ? [{ file: 'pipeline.json', field: places[at] ?? 'report.slices', value: '"brightness"', message }]
      : [],
    notes: [note],
  };
}

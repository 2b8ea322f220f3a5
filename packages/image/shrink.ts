import type { Pixels } from './pixels.ts';

/** Width and height in pixels. */
interface Size {
  readonly width: number;
  readonly height: number;
}

/**
 * The image at another size, each sample the average of the area that it covers; where a pixel lies on the edge of two areas, each has
 * its share. The same picture at two sizes has nearly the same averages, which sampling single pixels would not give.
 */
export function averageAreas({ width, height, channels, data }: Pixels, to: Size): Float32Array {
  const columns = sharesOf(width, to.width);
  const rows = sharesOf(height, to.height);
  const stride = to.width * channels;
  const line = new Float32Array(stride);
  const out = new Float32Array(stride * to.height);
  let read = -1;
  for (const [at, y] of rows.from.entries()) {
    if (y !== read) {
      line.fill(0);
      for (let step = 0; step < columns.from.length; step++) {
        const source = (y * width + (columns.from[step] ?? 0)) * channels;
        const target = (columns.to[step] ?? 0) * channels;
        const share = columns.share[step] ?? 0;
        for (let channel = 0; channel < channels; channel++)
          line[target + channel] = (line[target + channel] ?? 0) + share * (data[source + channel] ?? 0);
      }
      read = y;
    }
    const start = (rows.to[at] ?? 0) * stride;
    const share = rows.share[at] ?? 0;
    for (let x = 0; x < stride; x++) out[start + x] = (out[start + x] ?? 0) + share * (line[x] ?? 0);
  }
  return out;
}

/** The image at another size, in levels of 8 bits. */
export function shrink(pixels: Pixels, to: Size): Pixels {
  return { ...to, channels: pixels.channels, data: Uint8Array.from(averageAreas(pixels, to), Math.round) };
}

/** Overlaps of a line's pixels with the new line's, in order: old pixel, new pixel, and the share of the new one. */
function sharesOf(
  length: number,
  newLength: number,
): { readonly from: readonly number[]; readonly to: readonly number[]; readonly share: readonly number[] } {
  const overlaps = { from: new Array<number>(), to: new Array<number>(), share: new Array<number>() };
  // In units of `1/newLength` of a pixel and `1/length` of a new one, so that all edges are integers.
  for (let from = 0, to = 0; from < length;) {
    const [end, newEnd] = [(from + 1) * newLength, (to + 1) * length];
    const start = Math.max(from * newLength, to * length);
    overlaps.from.push(from);
    overlaps.to.push(to);
    overlaps.share.push((Math.min(end, newEnd) - start) / length);
    if (newEnd <= end) to += 1;
    if (end <= newEnd) from += 1;
  }
  return overlaps;
}

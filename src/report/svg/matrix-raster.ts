import { constants, crc32, deflateSync } from 'node:zlib';
import { cellChannels, cellStrength, type Theme } from '../colors.ts';
import type { Report } from '../report.ts';

/** Cap on the classes of a matrix that is drawn: beyond it, cells outnumber the pixels of any screen and fill the memory. */
export const MAX_DRAWN_CLASSES = 2_000;

const LEVELS = 120;

/** The confusion matrix as a PNG data URI with one pixel a cell, for matrices too large for single shapes. */
export function matrixRaster(
  { classes, confusion }: Pick<Report, 'classes' | 'confusion'>,
  theme: Theme,
): string {
  const n = classes.length;
  const rows = Buffer.alloc((n + 1) * n);
  for (const [truth, predicted, count] of confusion) {
    const right = truth === predicted;
    const strength = cellStrength(count / (classes[truth]?.support ?? count), right);
    // A minimum level keeps a single confusion among thousands visible.
    const level = Math.max(right ? 1 : 12, Math.round(strength * LEVELS));
    rows[truth * (n + 1) + 1 + predicted] = right ? level : LEVELS + level;
  }
  return `data:image/png;base64,${png(n, rows, palette(theme)).toString('base64')}`;
}

function palette(theme: Theme): Buffer {
  const colors = Buffer.alloc(3 * (2 * LEVELS + 1));
  for (let level = 0; level <= LEVELS; level++) {
    colors.set(cellChannels(theme, level / LEVELS, true), 3 * level);
    if (level > 0) colors.set(cellChannels(theme, level / LEVELS, false), 3 * (LEVELS + level));
  }
  return colors;
}

/** PNG of palette indexes (W3C PNG, third edition); each row begins with filter type 0. */
function png(size: number, rows: Buffer, colors: Buffer): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  header.set([8, 3, 0, 0, 0], 8);
  const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('PLTE', colors),
    // Only neighboring cells repeat: a wider search takes a hundred times as long and saves nothing.
    chunk('IDAT', deflateSync(rows, { strategy: constants.Z_RLE })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const whole = Buffer.alloc(body.length + 8);
  whole.writeUInt32BE(data.length, 0);
  body.copy(whole, 4);
  whole.writeUInt32BE(crc32(body), body.length + 4);
  return whole;
}

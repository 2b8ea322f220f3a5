import { expect, test } from 'vitest';
import { resizeImage } from '../resize-image.ts';

/** Levels of 7 x 5 pixels, and what Pillow 12 makes of them. */
const PIXELS = [
  78, 39, 248, 185, 251, 31, 108, 241, 181, 41, 163, 225, 204, 92, 230, 130, 195, 142, 192, 240, 132, 27, 235,
  249, 54, 172, 100, 248, 110, 171, 177, 20, 179, 19, 26, 116, 251, 171, 123, 155, 6, 61, 123, 72, 191, 108,
  97, 96, 123, 9, 129, 160, 194, 101, 73, 205, 4, 16, 182, 148, 222, 218, 173, 44, 145, 217, 12, 173, 68, 125,
  35, 223, 20, 70, 59, 56, 95, 190, 63, 139, 62, 122, 148, 86, 69, 145, 247, 230, 181, 12, 128, 15, 188, 187,
  38, 122, 22, 168, 198, 229, 9, 1, 53, 110, 143,
];
const PILLOW = {
  bilinear: [
    119, 175, 148, 120, 144, 189, 168, 162, 143, 99, 134, 155, 139, 96, 126, 140, 131, 110, 77, 106, 147, 82,
    107, 111, 91, 161, 110, 125, 133, 139, 118, 72, 139, 112, 93, 95,
  ],
  bicubic: [
    117, 182, 147, 120, 145, 199, 173, 162, 143, 101, 137, 161, 145, 89, 121, 143, 129, 108, 73, 101, 148, 75,
    104, 109, 85, 173, 108, 129, 137, 138, 119, 64, 147, 113, 88, 90,
  ],
};

test.each(['bilinear', 'bicubic'] as const)('%s is as Pillow resizes, bit for bit', (resample) => {
  const pixels = { width: 7, height: 5, channels: 3, data: Uint8Array.from(PIXELS) };
  const { data } = resizeImage(pixels, { width: 3, height: 4 }, resample);
  expect(Array.from(data)).toEqual(PILLOW[resample]);
});

/** Markers that begin a frame and say its size: all of 0xc0 to 0xcf but the tables of Huffman and arithmetic coding, and an extension. */
const NO_FRAME = [0xc4, 0xc8, 0xcc];

/**
 * Size and number of channels that a JPEG states in the header of its frame, without decoding it.
 *
 * @throws {Error} if the file has no frame header, or other bytes instead of a marker
 */
export function jpegSize(file: Uint8Array): {
  readonly width: number;
  readonly height: number;
  /** Channels in the file: 1 gray, 3 color, 4 inks. */
  readonly channels: number;
} {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  let at = 2;
  while (at + 10 <= file.length) {
    if (file[at] !== 0xff) throw new Error(`JPEG: no marker at byte ${at}`);
    const marker = view.getUint8(at + 1);
    // Bytes of 0xff may fill the space before a marker.
    if (marker === 0xff) at += 1;
    else if (marker >= 0xc0 && marker <= 0xcf && !NO_FRAME.includes(marker))
      return {
        width: view.getUint16(at + 7),
        height: view.getUint16(at + 5),
        channels: view.getUint8(at + 9),
      };
    else at += 2 + view.getUint16(at + 2);
  }
  throw new Error('JPEG: cut off before the size of its frame');
}

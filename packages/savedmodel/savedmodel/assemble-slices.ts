import { BrokenModel, UnsupportedModel } from './servable-model.ts';
import { type Box, boxSize, copyBox, intersection } from './tensor-slice.ts';

/** Slices are compared with each other, which must not take long. */
const MAX_SLICES = 4096;
/** An ONNX file holds no more; slices of a damaged file might all lie on the same bytes and so claim any size. */
const MAX_BYTES = 2 ** 31;

/** A part of a tensor that is stored on its own. */
export interface StoredPart {
  readonly box: Box;
  /** Its elements, row-major. @throws {BrokenModel} if they are not as many as the box says */
  read(): Uint8Array;
}

/**
 * The elements' bytes of a box, row-major, from whichever stored parts it lies in; no other is read.
 *
 * @throws {BrokenModel} if the parts do not cover the box exactly once
 */
export function assembleSlices(
  box: Box,
  stored: readonly StoredPart[],
  elementBytes: number,
  where: string,
): Uint8Array {
  if (stored.length > MAX_SLICES)
    throw new BrokenModel(`${where}: ${stored.length} slices, more than ${MAX_SLICES}`);
  const parts = stored.flatMap((part) => {
    const common = intersection(box, part.box);
    return common === undefined ? [] : [{ part, common }];
  });
  const size = boxSize(box);
  const covered = parts.reduce((sum, { common }) => sum + boxSize(common), 0);
  if (covered !== size || overlap(parts.map(({ common }) => common)))
    throw new BrokenModel(`${where}: its slices leave gaps or overlap`);
  if (size * elementBytes > MAX_BYTES)
    throw new UnsupportedModel(
      ['weights of more than 2 GiB'],
      `${where}: ${size} elements of ${elementBytes} bytes`,
    );
  const [first, second] = parts;
  if (first !== undefined && second === undefined && boxSize(first.part.box) === size)
    return first.part.read();
  // Read first: what a damaged file claims to hold is not allocated before it is there.
  const sources = parts.map(({ part, common }) => ({ common, box: part.box, bytes: part.read() }));
  const target = { box, bytes: new Uint8Array(size * elementBytes) };
  for (const source of sources) copyBox(source.common, source, target, elementBytes);
  return target.bytes;
}

function overlap(boxes: readonly Box[]): boolean {
  return boxes.some((box, index) => {
    for (let other = 0; other < index; other++) {
      if (intersection(box, boxes[other] ?? []) !== undefined) return true;
    }
    return false;
  });
}

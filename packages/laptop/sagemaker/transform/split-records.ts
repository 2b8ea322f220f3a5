import { clientError } from './object-failure.ts';

/** One record of an object: `framed` as it lies in the file, `payload` without length, checksum or padding. */
export interface InputRecord {
  readonly framed: Buffer;
  readonly payload: Buffer;
}

/** `TransformInput.SplitType` of CreateTransformJob. */
export type SplitType = 'None' | 'Line' | 'RecordIO' | 'TFRecord';

/** The whole records at the start of some bytes. */
interface Cut {
  readonly records: InputRecord[];
  /** Bytes that these records take. */
  readonly used: number;
  /** Minimum size of the next record in bytes; 0 where it is unknown. */
  readonly next: number;
}

/** `at` is the place of the bytes in the object, for messages. */
type Cutter = (bytes: Buffer, ended: boolean, at: number) => Cut;

/**
 * Cuts an object into records as its bytes come; little more than one record and one chunk is held.
 *
 * @param maxPayloadBytes of a record; `Infinity` is unlimited
 * @throws {ObjectFailure} if a frame is torn or has no magic number, or a record is so long that it is not worth holding
 */
export async function* splitRecords(
  chunks: AsyncIterable<Buffer>,
  splitType: SplitType,
  maxPayloadBytes: number,
): AsyncGenerator<readonly InputRecord[]> {
  const cut = CUTTERS[splitType];
  // With its frame, a record takes at most three times its payload.
  const mostHeld = 3 * maxPayloadBytes + 64;
  let held: Buffer[] = [];
  let size = 0;
  let at = 0;
  let wanted = 0;
  const take = (ended: boolean): readonly InputRecord[] => {
    const [only] = held;
    const bytes = held.length === 1 && only ? only : Buffer.concat(held);
    const { records, used, next } = cut(bytes, ended, at);
    const rest = bytes.subarray(used);
    held = rest.length === 0 ? [] : [rest];
    size = rest.length;
    at += used;
    // If the end is unknown, the bytes double between tries, so that a long record is not searched over and over.
    wanted = next > 0 ? next : size * 2;
    if (Math.max(size, next) > mostHeld)
      throw clientError(
        `a record of at least ${Math.max(size, next)} bytes is over the limit of ${maxPayloadBytes} bytes (MaxPayloadInMB)`,
      );
    return records;
  };
  for await (const chunk of chunks) {
    held.push(chunk);
    size += chunk.length;
    if (size < wanted && size <= mostHeld) continue;
    const records = take(false);
    if (records.length > 0) yield records;
  }
  if (size > 0) yield take(true);
}

const CUTTERS: Readonly<Record<SplitType, Cutter>> = {
  None: cutWhole,
  Line: cutLines,
  RecordIO: cutRecordIO,
  TFRecord: cutTFRecords,
};

function cutWhole(bytes: Buffer, ended: boolean): Cut {
  return ended
    ? { records: [{ framed: bytes, payload: bytes }], used: bytes.length, next: 0 }
    : { records: [], used: 0, next: 0 };
}

/** A line's newline belongs to its frame; a last line without one counts, an empty rest does not. */
function cutLines(bytes: Buffer, ended: boolean): Cut {
  const records: InputRecord[] = [];
  let start = 0;
  for (let newline = bytes.indexOf(0x0a); newline >= 0; newline = bytes.indexOf(0x0a, start)) {
    records.push({ framed: bytes.subarray(start, newline + 1), payload: bytes.subarray(start, newline) });
    start = newline + 1;
  }
  if (!ended || start === bytes.length) return { records, used: start, next: 0 };
  const framed = bytes.subarray(start);
  return { records: [...records, { framed, payload: framed }], used: bytes.length, next: 0 };
}

const RECORD_IO_MAGIC = 0xced7230a;

/** A record that contains the magic number is stored in parts with the number itself left out. */
const MAGIC_BYTES = Buffer.from([0x0a, 0x23, 0xd7, 0xce]);

/** MXNet's RecordIO: magic, flag and length in one word, payload, padding to four bytes; parts of split records are joined. */
function cutRecordIO(bytes: Buffer, ended: boolean, at: number): Cut {
  const records: InputRecord[] = [];
  let start = 0;
  let parts: Buffer[] = [];
  for (let here = 0; here < bytes.length;) {
    const headed = here + 8 <= bytes.length;
    if (headed ? bytes.readUInt32LE(here) !== RECORD_IO_MAGIC : ended)
      throw clientError(`RecordIO: no record starts at byte ${at + here}`);
    const word = headed ? bytes.readUInt32LE(here + 4) : 0;
    const flag = word >>> 29;
    const end = here + 8 + (word & 0x1fffffff);
    const padded = here + 8 + Math.ceil((word & 0x1fffffff) / 4) * 4;
    // A last record may lack its padding.
    if (!headed || (ended ? end : padded) > bytes.length) {
      if (ended) throw clientError(`RecordIO: the record at byte ${at + here} is cut off`);
      return { records, used: start, next: padded - start };
    }
    if (parts.length > 0) parts.push(MAGIC_BYTES);
    parts.push(bytes.subarray(here + 8, end));
    here = Math.min(bytes.length, padded);
    if (flag === 0 || flag === 3) {
      records.push({
        framed: bytes.subarray(start, here),
        payload: parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts),
      });
      parts = [];
      start = here;
    }
  }
  if (parts.length > 0 && ended) throw clientError('RecordIO: the last record lacks its end');
  return { records, used: start, next: bytes.length - start + 8 };
}

/** TensorFlow's: length (8), its checksum (4), payload, its checksum (4). Checksums are left to the reader. */
function cutTFRecords(bytes: Buffer, ended: boolean, at: number): Cut {
  const records: InputRecord[] = [];
  let start = 0;
  while (start < bytes.length) {
    const headed = start + 12 <= bytes.length;
    const length = headed ? Number(bytes.readBigUInt64LE(start)) : 0;
    const end = start + 16 + length;
    if (!headed || end > bytes.length) {
      if (ended) throw clientError(`TFRecord: the record at byte ${at + start} is cut off`);
      return { records, used: start, next: end - start };
    }
    records.push({ framed: bytes.subarray(start, end), payload: bytes.subarray(start + 12, end - 4) });
    start = end;
  }
  return { records, used: start, next: 12 };
}

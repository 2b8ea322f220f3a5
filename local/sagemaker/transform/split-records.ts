/** One record of an object: `framed` as it lies in the file, `payload` without length, checksum or padding. */
export interface InputRecord {
  readonly framed: Buffer;
  readonly payload: Buffer;
}

export type SplitType = 'None' | 'Line' | 'RecordIO' | 'TFRecord';

/** The object is not made of records of its split type. */
class BadRecord extends Error {
  override readonly name = 'BadRecord';
}

/**
 * Cuts an object into records.
 *
 * @throws {BadRecord} if a frame is torn or has no magic number
 */
export function splitRecords(body: Buffer, splitType: SplitType): InputRecord[] {
  switch (splitType) {
    case 'None':
      return [{ framed: body, payload: body }];
    case 'Line':
      return splitLines(body);
    case 'RecordIO':
      return splitRecordIO(body);
    case 'TFRecord':
      return splitTFRecord(body);
  }
}

/** A line's newline belongs to its frame; a last line without one counts, an empty rest does not. */
function splitLines(body: Buffer): InputRecord[] {
  const records: InputRecord[] = [];
  for (let start = 0; start < body.length;) {
    const newline = body.indexOf(0x0a, start);
    const end = newline < 0 ? body.length : newline + 1;
    const framed = body.subarray(start, end);
    records.push({ framed, payload: newline < 0 ? framed : body.subarray(start, newline) });
    start = end;
  }
  return records;
}

const RECORD_IO_MAGIC = 0xced7230a;

/** MXNet's RecordIO: magic, flag and length in one word, payload, padding to four bytes; parts of split records are joined. */
function splitRecordIO(body: Buffer): InputRecord[] {
  const records: InputRecord[] = [];
  let start = 0;
  let parts: Buffer[] = [];
  for (let at = 0; at < body.length;) {
    if (at + 8 > body.length || body.readUInt32LE(at) !== RECORD_IO_MAGIC) {
      throw new BadRecord(`RecordIO: no record starts at byte ${at}`);
    }
    const word = body.readUInt32LE(at + 4);
    const flag = word >>> 29;
    const end = at + 8 + (word & 0x1fffffff);
    if (end > body.length) throw new BadRecord(`RecordIO: the record at byte ${at} is cut off`);
    if (parts.length > 0) parts.push(MAGIC_BYTES);
    parts.push(body.subarray(at + 8, end));
    at = Math.min(body.length, at + 8 + Math.ceil((word & 0x1fffffff) / 4) * 4);
    if (flag === 0 || flag === 3) {
      records.push({
        framed: body.subarray(start, at),
        payload: parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts),
      });
      parts = [];
      start = at;
    }
  }
  if (parts.length > 0) throw new BadRecord('RecordIO: the last record lacks its end');
  return records;
}

/** A record that contains the magic number is stored in parts with the number itself left out. */
const MAGIC_BYTES = Buffer.from([0x0a, 0x23, 0xd7, 0xce]);

/** TensorFlow's: length (8), its checksum (4), payload, its checksum (4). Checksums are left to the reader. */
function splitTFRecord(body: Buffer): InputRecord[] {
  const records: InputRecord[] = [];
  for (let at = 0; at < body.length;) {
    const length = at + 12 <= body.length ? Number(body.readBigUInt64LE(at)) : Infinity;
    const end = at + 12 + length + 4;
    if (end > body.length) throw new BadRecord(`TFRecord: the record at byte ${at} is cut off`);
    records.push({ framed: body.subarray(at, end), payload: body.subarray(at + 12, end - 4) });
    at = end;
  }
  return records;
}

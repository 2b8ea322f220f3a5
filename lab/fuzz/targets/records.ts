import { crc32c, maskChecksum } from '@inferdrop/savedmodel/internal/crc32c';
import { splitRecords, type SplitType } from '../../../packages/laptop/sagemaker/transform/split-records.ts';
import { parseUpload } from '../../../src/drop/upload-event.ts';
import { pieces } from '../../../test/support/pieces.ts';
import { mutateBytes } from '../mutate.ts';
import { type FuzzTarget, refusedByName } from '../target.ts';

interface Records {
  readonly splitType: SplitType;
  readonly bytes: Buffer;
  readonly pieceBytes: number;
}

const RECORD_IO = Buffer.concat(
  [5, 8, 1].map((size) => {
    const record = Buffer.alloc(8 + Math.ceil(size / 4) * 4, 'x');
    record.writeUInt32LE(0xced7230a, 0);
    record.writeUInt32LE(size, 4);
    return record;
  }),
);
const TF_RECORD = Buffer.concat(['one', 'two', 'three'].map((text) => toTfRecord(Buffer.from(text))));
const EVENT = Buffer.from('{"key":"incoming/p/drop/a.png","time":"2026-01-01T00:00:00Z"}');

function toTfRecord(data: Buffer): Buffer {
  const [length, ...sums] = [8, 4, 4].map((size) => Buffer.alloc(size));
  length!.writeBigUInt64LE(BigInt(data.length));
  [length!, data].forEach((summed, at) => sums[at]!.writeUInt32LE(maskChecksum(crc32c(summed))));
  return Buffer.concat([length!, sums[0]!, data, sums[1]!]);
}

/** Objects that are cut into records, and messages of the upload queue. */
export function open(): FuzzTarget<Records> {
  return {
    name: 'records',
    seeds: [
      { splitType: 'TFRecord', bytes: TF_RECORD, pieceBytes: 1_000 },
      { splitType: 'RecordIO', bytes: RECORD_IO, pieceBytes: 5 },
      { splitType: 'Line', bytes: Buffer.from('a,b\r\n\nc,d\n'), pieceBytes: 3 },
      { splitType: 'None', bytes: EVENT, pieceBytes: 1_000 },
    ],
    mutate: ({ splitType, bytes }, chance) => ({
      splitType,
      bytes: mutateBytes(bytes, chance),
      pieceBytes: chance.size(1_000),
    }),
    judge({ splitType, bytes, pieceBytes }) {
      const upload = parseUpload(bytes.toString());
      if ('refused' in upload && upload.problem.length > 6_000)
        return `a refusal of ${upload.problem.length} characters`;
      return refusedByName(['ObjectFailure'], async () => {
        let framed = 0;
        for await (const records of splitRecords(pieces(bytes, pieceBytes), splitType, 1_000_000))
          for (const record of records) framed += record.framed.length;
        if (framed > bytes.length) throw new Error(`${framed} bytes of records in ${bytes.length}`);
      });
    },
  };
}

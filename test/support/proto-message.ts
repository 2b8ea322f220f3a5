/** A field of a Protocol Buffers message: its number, and a varint, text, bytes, or message of fields. */
export type ProtoField = readonly [
  number: number,
  value: number | string | Uint8Array | readonly ProtoField[],
];

const VARINT = 0;
const LENGTH_DELIMITED = 2;

/** Bytes of a message in the wire format (https://protobuf.dev/programming-guides/encoding/); varints are not negative. */
export function toProtoBytes(fields: readonly ProtoField[]): Uint8Array {
  return Buffer.concat(
    fields.map(([number, value]) => {
      if (typeof value === 'number')
        return Buffer.from([...toVarint(number * 8 + VARINT), ...toVarint(value)]);
      const bytes =
        typeof value === 'string' || value instanceof Uint8Array ? Buffer.from(value) : toProtoBytes(value);
      return Buffer.concat([
        Buffer.from([...toVarint(number * 8 + LENGTH_DELIMITED), ...toVarint(bytes.length)]),
        bytes,
      ]);
    }),
  );
}

function toVarint(value: number): number[] {
  return value < 128 ? [value] : [(value % 128) + 128, ...toVarint(Math.floor(value / 128))];
}

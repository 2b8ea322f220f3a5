import { crc32c, maskChecksum } from '@inferdrop/savedmodel/crc32c';

/** A `tf.train.Example` with the features `image` (raw bytes) and `label`, framed as one TFRecord. */
export function toTfRecord(image: Uint8Array, label: number): Buffer {
  const example = message(1, [
    feature('image', message(1, [field(1, image)])),
    feature('label', message(3, [message(1, [varint(label)])])),
  ]);
  const data = Buffer.concat(example);
  const length = Buffer.alloc(12);
  length.writeBigUInt64LE(BigInt(data.length), 0);
  length.writeUInt32LE(maskChecksum(crc32c(length.subarray(0, 8))), 8);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32LE(maskChecksum(crc32c(data)), 0);
  return Buffer.concat([length, data, checksum]);
}

type Bytes = readonly Uint8Array[];

/** An entry of the map `Features.feature`. */
function feature(name: string, value: Bytes): Uint8Array {
  return Buffer.concat(message(1, [field(1, Buffer.from(name)), ...message(2, [Buffer.concat(value)])]));
}

function message(number: number, parts: readonly (Uint8Array | Bytes)[]): Bytes {
  return [
    field(number, Buffer.concat(parts.flatMap((part) => (part instanceof Uint8Array ? [part] : part)))),
  ];
}

/** A length-delimited field. */
function field(number: number, value: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.from([(number << 3) | 2]), varint(value.length), value]);
}

function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Buffer.from([...bytes, rest]);
    bytes.push((rest % 128) | 128);
  }
}

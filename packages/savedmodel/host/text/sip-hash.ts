const MASK = 0xffffffffffffffffn;

const rotate = (value: bigint, bits: bigint) => ((value << bits) | (value >> (64n - bits))) & MASK;

/** SipHash-2-4 with a key of 128 bits. @returns an unsigned integer of 64 bits. https://www.aumasson.jp/siphash/siphash.pdf */
export function sipHash(key: readonly [bigint, bigint], bytes: Uint8Array): bigint {
  let [v0, v1] = [key[0] ^ 0x736f6d6570736575n, key[1] ^ 0x646f72616e646f6dn];
  let [v2, v3] = [key[0] ^ 0x6c7967656e657261n, key[1] ^ 0x7465646279746573n];
  const round = () => {
    v0 = (v0 + v1) & MASK;
    v1 = rotate(v1, 13n) ^ v0;
    v0 = rotate(v0, 32n);
    v2 = (v2 + v3) & MASK;
    v3 = rotate(v3, 16n) ^ v2;
    v0 = (v0 + v3) & MASK;
    v3 = rotate(v3, 21n) ^ v0;
    v2 = (v2 + v1) & MASK;
    v1 = rotate(v1, 17n) ^ v2;
    v2 = rotate(v2, 32n);
  };
  const take = (word: bigint) => {
    v3 ^= word;
    round();
    round();
    v0 ^= word;
  };
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const whole = bytes.length - (bytes.length % 8);
  for (let place = 0; place < whole; place += 8) take(view.getBigUint64(place, true));
  let last = BigInt(bytes.length & 0xff) << 56n;
  for (let place = whole; place < bytes.length; place++)
    last |= BigInt(view.getUint8(place)) << BigInt(8 * (place - whole));
  take(last);
  v2 ^= 0xffn;
  for (let count = 0; count < 4; count++) round();
  return v0 ^ v1 ^ v2 ^ v3;
}

/** FarmHash's fingerprint of 64 bits, which its authors have promised not to change. https://github.com/google/farmhash */
const K0 = 0xc3a5c85c97cb3127n;
const K1 = 0xb492b66fbe98f273n;
const K2 = 0x9ae16a3b2f90404fn;
const MASK = 0xffffffffffffffffn;

type Pair = readonly [bigint, bigint];

const cut = (value: bigint) => value & MASK;
const rotate = (value: bigint, bits: bigint) => cut((value >> bits) | (value << (64n - bits)));
const mixed = (value: bigint) => value ^ (value >> 47n);

function joined(u: bigint, v: bigint, multiplier: bigint): bigint {
  const a = mixed(cut((u ^ v) * multiplier));
  return cut(mixed(cut((v ^ a) * multiplier)) * multiplier);
}

/** @returns an unsigned integer of 64 bits */
export function fingerprint64(bytes: Uint8Array): bigint {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const { length } = bytes;
  const multiplier = cut(K2 + BigInt(length) * 2n);
  const at = (place: number) => view.getBigUint64(place, true);
  if (length <= 16) return upTo16(view, multiplier);
  if (length <= 32) {
    const [a, b] = [cut(at(0) * K1), at(8)];
    const [c, d] = [cut(at(length - 8) * multiplier), cut(at(length - 16) * K2)];
    return joined(
      cut(rotate(cut(a + b), 43n) + rotate(c, 30n) + d),
      cut(a + rotate(cut(b + K2), 18n) + c),
      multiplier,
    );
  }
  return length <= 64 ? upTo64(at, length, multiplier) : longer(at, length);
}

function upTo16(view: DataView, multiplier: bigint): bigint {
  const length = view.byteLength;
  if (length >= 8) {
    const a = cut(view.getBigUint64(0, true) + K2);
    const b = view.getBigUint64(length - 8, true);
    const c = cut(rotate(b, 37n) * multiplier + a);
    return joined(c, cut((rotate(a, 25n) + b) * multiplier), multiplier);
  }
  if (length >= 4) {
    const [first, last] = [view.getUint32(0, true), view.getUint32(length - 4, true)];
    return joined(cut(BigInt(length) + (BigInt(first) << 3n)), BigInt(last), multiplier);
  }
  if (length === 0) return K2;
  const y = BigInt(view.getUint8(0) + (view.getUint8(length >> 1) << 8));
  const z = BigInt(length + (view.getUint8(length - 1) << 2));
  return cut(mixed(cut(y * K2) ^ cut(z * K0)) * K2);
}

function upTo64(at: (place: number) => bigint, length: number, multiplier: bigint): bigint {
  const [a, b] = [cut(at(0) * K2), at(8)];
  const [c, d] = [cut(at(length - 8) * multiplier), cut(at(length - 16) * K2)];
  const y = cut(rotate(cut(a + b), 43n) + rotate(c, 30n) + d);
  const z = joined(y, cut(a + rotate(cut(b + K2), 18n) + c), multiplier);
  const [e, f] = [cut(at(16) * multiplier), at(24)];
  const g = cut((y + at(length - 32)) * multiplier);
  const h = cut((z + at(length - 24)) * multiplier);
  return joined(
    cut(rotate(cut(e + f), 43n) + rotate(g, 30n) + h),
    cut(e + rotate(cut(f + a), 18n) + g),
    multiplier,
  );
}

/** A weak hash of 32 bytes and two seeds. */
function weak(at: (place: number) => bigint, place: number, first: bigint, second: bigint): Pair {
  const [w, x, y, z] = [at(place), at(place + 8), at(place + 16), at(place + 24)];
  const start = cut(first + w);
  const b = rotate(cut(second + start + z), 21n);
  const a = cut(start + x + y);
  return [cut(a + z), cut(b + rotate(a, 44n) + start)];
}

function longer(at: (place: number) => bigint, length: number): bigint {
  let x = cut(81n * K2 + at(0));
  let y = cut(81n * K1 + 113n);
  let z = cut(mixed(cut(y * K2 + 113n)) * K2);
  let v: Pair = [0n, 0n];
  let w: Pair = [0n, 0n];
  const end = Math.floor((length - 1) / 64) * 64;
  for (let place = 0; place < end; place += 64) {
    x = cut(rotate(cut(x + y + v[0] + at(place + 8)), 37n) * K1);
    y = cut(rotate(cut(y + v[1] + at(place + 48)), 42n) * K1);
    x ^= w[1];
    y = cut(y + v[0] + at(place + 40));
    z = cut(rotate(cut(z + w[0]), 33n) * K1);
    v = weak(at, place, cut(v[1] * K1), cut(x + w[0]));
    w = weak(at, place + 32, cut(z + w[1]), cut(y + at(place + 16)));
    [z, x] = [x, z];
  }
  const multiplier = cut(K1 + ((z & 0xffn) << 1n));
  const last = length - 64;
  const first = cut(w[0] + BigInt((length - 1) & 63));
  v = [cut(v[0] + first), v[1]];
  w = [cut(first + v[0]), w[1]];
  x = cut(rotate(cut(x + y + v[0] + at(last + 8)), 37n) * multiplier);
  y = cut(rotate(cut(y + v[1] + at(last + 48)), 42n) * multiplier);
  x ^= cut(w[1] * 9n);
  y = cut(y + v[0] * 9n + at(last + 40));
  z = cut(rotate(cut(z + w[0]), 33n) * multiplier);
  v = weak(at, last, cut(v[1] * multiplier), cut(x + w[0]));
  w = weak(at, last + 32, cut(z + w[1]), cut(y + at(last + 16)));
  [z, x] = [x, z];
  return joined(
    cut(joined(v[0], w[0], multiplier) + cut(mixed(y) * K0) + z),
    cut(joined(v[1], w[1], multiplier) + x),
    multiplier,
  );
}

/** 1/2.2, the gamma of sRGB, in hundred thousandths as PNG stores it. */
const SRGB_GAMMA = 45_455;

/** A level of 8 bits for each level. */
type Levels = readonly number[];

/** Levels to light and back, between which libpng mixes colors to gray. */
export interface Gamma {
  readonly toLight: Levels;
  readonly fromLight: Levels;
}

/**
 * The file's gamma in its chunks sRGB and gAMA; undefined if it is 1. As in libpng, sRGB outranks gAMA, and an invalid chunk stops
 * the search.
 */
export function readGamma(chunks: ReadonlyMap<string, readonly Uint8Array[]>): Gamma | undefined {
  let gamma = 0;
  for (const [type, [data = new Uint8Array()]] of chunks) {
    if (type !== 'sRGB' && type !== 'gAMA') continue;
    const found = type === 'sRGB' ? srgbGamma(data) : storedGamma(data);
    if (found === undefined) break;
    gamma = found;
    if (type === 'sRGB') break;
  }
  const screen = reciprocal(gamma);
  if (gamma === 0 || (!isSignificant(gamma) && !isSignificant(screen))) return undefined;
  return { toLight: levels(reciprocal(gamma)), fromLight: levels(reciprocal(screen)) };
}

/** Its one byte is a rendering intent. */
function srgbGamma(data: Uint8Array): number | undefined {
  return data.length === 1 && (data[0] ?? 4) < 4 ? SRGB_GAMMA : undefined;
}

function storedGamma(data: Uint8Array): number | undefined {
  const gamma = data.length === 4 ? Buffer.from(data).readUInt32BE() : 0;
  return gamma < 16 || gamma > 625_000_000 ? undefined : gamma;
}

function reciprocal(gamma: number): number {
  return Math.floor(1e10 / gamma + 0.5);
}

/** libpng takes anything within 5 % of 1 for 1. */
function isSignificant(gamma: number): boolean {
  return gamma < 95_000 || gamma > 105_000;
}

function levels(gamma: number): Levels {
  return Array.from({ length: 256 }, (_, level) =>
    level === 0 || level === 255 || !isSignificant(gamma)
      ? level
      : Math.floor(255 * (level / 255) ** (gamma * 0.00001) + 0.5),
  );
}

/** 1/2.2, the gamma of sRGB, in hundred thousandths as PNG stores it. */
const SRGB_GAMMA = 45_455;

/** A level of 8 bits for each level. */
type Levels = readonly number[];

/** Levels to light and back, between which libpng mixes colours to grey. */
export interface Gamma {
  readonly toLight: Levels;
  readonly fromLight: Levels;
}

/**
 * What the chunks sRGB and gAMA, of which the first one counts, say of the file's gamma; undefined where it is 1 or nonsense, which libpng
 * passes over.
 */
export function readGamma(srgb: Uint8Array | undefined, gama: Uint8Array | undefined): Gamma | undefined {
  const gamma = isSrgb(srgb) ? SRGB_GAMMA : gama?.length === 4 ? Buffer.from(gama).readUInt32BE() : 0;
  if (gamma < 16 || gamma > 625_000_000) return undefined;
  const screen = reciprocal(gamma);
  if (!isSignificant(gamma) && !isSignificant(screen)) return undefined;
  return { toLight: levels(reciprocal(gamma)), fromLight: levels(reciprocal(screen)) };
}

/** Its one byte is a rendering intent. */
function isSrgb(srgb: Uint8Array | undefined): boolean {
  return srgb?.length === 1 && (srgb[0] ?? 4) < 4;
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

/** Colors of one theme. Right answers and confusions have different hues, so that neither hides the other. */
export interface Theme {
  readonly paper: string;
  readonly ink: string;
  readonly muted: string;
  readonly line: string;
  readonly right: string;
  readonly wrong: string;
}

/** Colors on a light background. */
export const LIGHT: Theme = {
  paper: '#ffffff',
  ink: '#14171a',
  muted: '#59616b',
  line: '#e1e4e8',
  right: '#12508f',
  wrong: '#b8360f',
};

/** Colors on a dark background. */
export const DARK: Theme = {
  paper: '#121417',
  ink: '#e8eaed',
  muted: '#a0a8b2',
  line: '#2c3036',
  right: '#6db3f8',
  wrong: '#ff9166',
};

/**
 * Strength of a cell's color, 0 … 1. A right answer's is its share; a confusion's is the square root of its share, so that
 * confusions of a few per cent are visible.
 */
export function cellStrength(share: number, right: boolean): number {
  return right ? share : Math.sqrt(share);
}

/** Color of a cell as `rgb(…)`. */
export function cellColor(theme: Theme, strength: number, right: boolean): string {
  return `rgb(${cellChannels(theme, strength, right).join(', ')})`;
}

/** Color of a cell as red, green and blue, 0 … 255. */
export function cellChannels(theme: Theme, strength: number, right: boolean): readonly number[] {
  const hue = channels(right ? theme.right : theme.wrong);
  return channels(theme.paper).map((from, at) => Math.round(from + strength * ((hue[at] ?? 0) - from)));
}

/** Red, green and blue of a theme's `#rrggbb`. */
function channels(color: string): readonly number[] {
  return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
}

/** Strength above which the text of a cell takes the color of the paper, by contrast (WCAG 2 relative luminance). */
export function inverseFrom(theme: Theme, right: boolean): number {
  for (let step = 0; step <= 100; step++) {
    const luminance = relativeLuminance(cellChannels(theme, step / 100, right));
    const onDarkPaper = relativeLuminance(channels(theme.paper)) < 0.2;
    // Black and white text have equal contrast at a luminance of 0.179.
    if (onDarkPaper ? luminance > 0.179 : luminance < 0.179) return step / 100;
  }
  return 1.01;
}

function relativeLuminance(rgb: readonly number[]): number {
  const [red = 0, green = 0, blue = 0] = rgb.map((channel) => {
    const value = channel / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

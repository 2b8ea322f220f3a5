const BLOCKS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/** A bar of `width` characters for a share in 0..1, to an eighth of a character. */
export function progressBar(share: number, width: number): string {
  const eighths = Math.round(Math.min(1, Math.max(0, share)) * width * 8);
  const full = '█'.repeat(Math.floor(eighths / 8)) + (BLOCKS[eighths % 8] ?? '');
  return full.padEnd(width, '░');
}

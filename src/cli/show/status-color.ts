import type { Terminal } from './terminal.ts';

const GOOD = ['completed', 'promoted', 'passed', 'InService'];
const BAD = ['failed', 'refused', 'Failed', 'gone'];

/** Colors a text by the status that it begins with: green for a good end, red for a bad one, else as it is. */
export function statusColor(text: string, { green, red }: Terminal['color']): string {
  const [status = ''] = text.trim().split(/[ ,]/);
  return GOOD.includes(status) ? green(text) : BAD.includes(status) ? red(text) : text;
}

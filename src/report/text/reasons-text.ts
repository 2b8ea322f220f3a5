import { grouped } from '../../text/figures.ts';
import { showInvisible } from '../page/markup.ts';

/** `3 model-error, 1 empty`; empty if no input failed. */
export function reasonsText(errorsByReason: Readonly<Record<string, number>>): string {
  return Object.entries(errorsByReason)
    .map(([reason, count]) => `${grouped(count)} ${showInvisible(reason)}`)
    .join(', ');
}

import { coordinate, percent } from '../../text/figures.ts';
import { html, type Markup } from './markup.ts';

/** Words for the rows of a table. */
const KINDS = { classes: 'class', slices: 'slice' } as const;

/** Cap on the classes that the page lists; report.json has all. */
export const MAX_ROWS = 1_200;
/** Cap on the rows of a table without a scrolling frame. */
const MAX_ROWS_WITHOUT_FRAME = 40;

/** A column's name, how the rows are sorted by it, and `text` for a column of text. */
type Heading = readonly [label: string, sort?: 'ascending' | 'descending' | false, kind?: 'text'];

/** A table of classes or slices: a script sorts it by any column, and filters it by name where it is long. */
export function sortedTable(
  id: string,
  headings: readonly (Heading | false)[],
  rows: readonly Markup[],
  kind: keyof typeof KINDS = 'classes',
): Markup {
  const framed = rows.length > MAX_ROWS_WITHOUT_FRAME;
  return html`${framed && html`<div class="controls"><input type="search" placeholder="Filter ${kind}" aria-label="Filter ${kind} by name" data-none="No ${KINDS[kind]} has this in its name."><output></output></div>`}
<div class="scroll${framed && ' tall-list'}"${framed && html` tabindex="0" role="region" aria-label="${kind === 'classes' ? 'Classes' : 'Slices'}"`}><table class="list" id="${id}"><thead><tr>
${headings.map((heading) => heading && html`<th scope="col" class="${heading[2]}" aria-sort="${heading[1] || 'none'}"><button type="button">${heading[0]}</button></th>`)}
</tr></thead><tbody>
${rows}</tbody></table></div>`;
}

/** A cell that is sorted by its value, independent of the text shown. */
export function number(value: number, text: string): Markup {
  return html`<td data-v="${value}">${text}</td>`;
}

/** A share with its interval on a line from 0 to 1. */
export function strip(share: number, { low, high }: { readonly low: number; readonly high: number }): Markup {
  const at = (part: number): string => coordinate(part * 100);
  return html`<span class="strip" title="${percent(low)} … ${percent(high)}" style="--a:${at(low)}%;--b:${at(high)}%;--p:${at(share)}%"></span>`;
}

/** The cell with the name of a class, and the markup below it. */
export function className(
  { name, listed }: { readonly name: string; readonly listed: boolean },
  below?: Markup,
): Markup {
  return html`<td class="wrap">${name}${!listed && html` <span class="muted">not in labels.classes</span>`}${below}</td>`;
}

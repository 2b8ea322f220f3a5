import { html, type Markup } from './markup.ts';

/** Cap on the classes that the page lists; report.json has all. */
export const MAX_ROWS = 1_200;
/** Cap on the rows of a table without a scrolling frame. */
const MAX_ROWS_WITHOUT_FRAME = 40;

/** A column's name, how the rows are sorted by it, and `text` for a column of text. */
type Heading = readonly [label: string, sort?: 'ascending' | 'descending' | false, kind?: 'text'];

/** A table of classes: a script sorts it by any column, and filters it by name where it is long. */
export function sortedTable(
  id: string,
  headings: readonly (Heading | false)[],
  rows: readonly Markup[],
): Markup {
  const framed = rows.length > MAX_ROWS_WITHOUT_FRAME;
  return html`${framed && html`<div class="controls"><input type="search" placeholder="Filter classes" aria-label="Filter classes by name"><output></output></div>`}
<div class="scroll${framed && ' tall-list'}"${framed && html` tabindex="0" role="region" aria-label="Classes"`}><table class="list" id="${id}"><thead><tr>
${headings.map((heading) => heading && html`<th scope="col" class="${heading[2]}" aria-sort="${heading[1] || 'none'}"><button type="button">${heading[0]}</button></th>`)}
</tr></thead><tbody>
${rows}</tbody></table></div>`;
}

/** A cell that is sorted by its value, independent of the text shown. */
export function number(value: number, text: string): Markup {
  return html`<td data-v="${value}">${text}</td>`;
}

/** The cell with the name of a class, and the markup below it. */
export function className(
  { name, listed }: { readonly name: string; readonly listed: boolean },
  below?: Markup,
): Markup {
  return html`<td class="wrap">${name}${!listed && html` <span class="muted">not in labels.classes</span>`}${below}</td>`;
}

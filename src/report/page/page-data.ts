import { CountPacker } from '../../metric/packed-counts.ts';
import type { Report } from '../report.ts';
import { similarityOrder } from '../similarity-order.ts';
import { html, type Markup, raw, showInvisible } from './markup.ts';
import type { MatrixData } from './matrix-data.ts';

/** Cap on the cells that the page carries; rarer confusions are only in report.json. */
const MAX_CELLS = 200_000;

/** The data that the page's script draws the matrix from, as JSON that no name can terminate. */
export function pageData(report: Report): Markup {
  const { classes, confusion } = report;
  const n = classes.length;
  const cells = confusion.length <= MAX_CELLS ? confusion : largest(confusion);
  const packer = new CountPacker();
  for (const [truth, predicted, count] of cells) packer.add(truth * n + predicted, count);
  const data: MatrixData = {
    names: classes.map(({ name }) => showInvisible(name.toWellFormed())),
    support: classes.map(({ support }) => support),
    predicted: classes.map(({ predicted }) => predicted),
    cells: packer.finish(),
    similar: similarityOrder(report),
  };
  // "<" occurs in JSON only inside strings, and \u003c means the same there.
  return html`<script type="application/json" id="data">${raw(JSON.stringify(data).replaceAll('<', '\\u003c'))}</script>
`;
}

function largest(confusion: Report['confusion']): Report['confusion'] {
  return confusion
    .toSorted((a, b) => b[2] - a[2])
    .slice(0, MAX_CELLS)
    .sort((a, b) => a[0] - b[0] || a[1] - b[1]);
}

/** Script of report.html. Without it the page shows everything, in one order. */
import { findById } from '../by-id.ts';
import { animateExemplars } from '../exemplars/exemplars.ts';
import { animateCanvas } from '../matrix/canvas.ts';
import { readMatrix } from '../matrix/matrix.ts';
import { animateTable } from '../matrix/table.ts';
import { animateClassTable } from '../tables/class-tables.ts';
import { animateThreshold } from '../threshold/threshold.ts';

for (const id of ['class-table', 'predicted-table', 'slice-table']) {
  const table = findById(id, HTMLTableElement);
  if (table !== undefined) animateClassTable(table);
}

const open = animateExemplars();
const data = findById('data', HTMLScriptElement);
if (data !== undefined) {
  const matrix = readMatrix(JSON.parse(data.textContent));
  const table = findById('matrix', HTMLTableElement);
  const plane = findById('plane', HTMLElement);
  if (table !== undefined) animateTable(table, matrix, open);
  if (plane !== undefined) animateCanvas(plane, matrix, open);
}

const thresholds = findById('threshold-data', HTMLScriptElement);
if (thresholds !== undefined) animateThreshold(JSON.parse(thresholds.textContent));

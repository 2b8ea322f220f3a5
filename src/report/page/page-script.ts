import { MATRIX_CANVAS_SCRIPT } from './matrix-canvas-script.ts';
import { MATRIX_DATA_SCRIPT } from './matrix-data-script.ts';
import { MATRIX_TABLE_SCRIPT } from './matrix-table-script.ts';
import { TABLE_SORT_SCRIPT } from './table-sort-script.ts';

/** The script of report.html. Without it the page still shows everything, in one order. */
export const PAGE_SCRIPT = `(function () {
'use strict';
const byId = (id) => document.getElementById(id);
${TABLE_SORT_SCRIPT}
${MATRIX_DATA_SCRIPT}
if (byId('matrix')) (function () {${MATRIX_TABLE_SCRIPT}})();
if (byId('plane')) (function () {${MATRIX_CANVAS_SCRIPT}})();
})();`;

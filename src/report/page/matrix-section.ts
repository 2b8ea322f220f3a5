import { decimal, grouped } from '../../text/figures.ts';
import { cellStrength, DARK, inverseFrom, LIGHT } from '../colors.ts';
import type { Report } from '../report.ts';
import { matrixRaster, MAX_DRAWN_CLASSES } from '../svg/matrix-raster.ts';
import { textWidthEm } from '../svg/text-width.ts';
import { shareText } from '../text/share-text.ts';
import { confusedPairs } from './confused-pairs.ts';
import { html, type Markup } from './markup.ts';
import { fileLink } from './page-links.ts';

/** Cap on the classes of a matrix that is a table with a number in each cell; beyond it, a canvas. */
const MAX_TABLE_CLASSES = 30;
/** Cap on the classes for which the image behind the canvas has a dark variant; a larger one would fill the page. */
const MAX_DARK_CLASSES = 300;

const AS_LISTED = ['listed', 'as listed'] as const;
const BY_SIMILARITY = ['similar', 'by similarity'] as const;
const OTHER_ORDERS = [
  ['recall', 'by recall'],
  ['name', 'by name'],
] as const;

/** The confusion matrix with its controls, and its most frequent confusions. */
export function matrixSection(report: Report): Markup | false {
  const { classes, confusion } = report;
  if (confusion.length === 0) return false;
  if (classes.length > MAX_DRAWN_CLASSES) {
    return html`<section id="confusion"><h2>Confusion matrix: what is taken for what</h2>
<p class="lead">A matrix of ${grouped(classes.length)} classes cannot be read. All its counts are in ${fileLink('report.json')}.</p>
${confusedPairs(report)}</section>`;
  }
  const opens = report.exemplars.length > 0;
  const large = classes.length > MAX_TABLE_CLASSES;
  return html`<section id="confusion"><h2>Confusion matrix: what is taken for what</h2>
<p class="lead">Each row is a true class, each column a predicted one. Blue lies on the diagonal and is right; orange is a confusion.${opens && ' Click a cell, or press Enter on it, to see records of it.'}</p>
<div class="controls" hidden id="matrix-controls">
${choice('Show', 'norm', [
  ['row', '% of row'],
  ['col', '% of column'],
  ['all', '% of all'],
  ['count', 'counts'],
])}
${choice('Order', 'order', large ? [BY_SIMILARITY, AS_LISTED, ...OTHER_ORDERS] : [AS_LISTED, BY_SIMILARITY, ...OTHER_ORDERS])}
${large && html`<span><button type="button" id="zoom-in" aria-label="Zoom in">+</button> <button type="button" id="zoom-out" aria-label="Zoom out">−</button> <button type="button" id="zoom-reset">Whole</button></span><input type="search" id="matrix-find" placeholder="Find a class" aria-label="Find a class in the matrix" list="class-names"><output></output>`}
</div>
<div class="columns"><div>
${large ? plane(report) : table(report)}
<p class="legend"><span>right<i style="background:linear-gradient(90deg,var(--paper),var(--right))"></i>0 … 100%</span><span>taken for another<i style="background:linear-gradient(90deg,var(--paper),var(--wrong))"></i>0 … 25 … 100%, by square root</span></p>
<p class="readout" id="readout" aria-live="polite">${large ? 'Point at or touch a cell, or focus the matrix and use the arrow keys; + and − zoom, drag moves.' : 'Point at or touch a cell, or move through the matrix with Tab and the arrow keys.'}</p>
</div><div><div id="pairs">${confusedPairs(report)}</div>${opens && html`<div id="exemplars" aria-live="polite"></div>`}</div></div>
</section>`;
}

function choice(title: string, name: string, options: readonly (readonly [string, string])[]): Markup {
  return html`<fieldset><legend>${title}</legend>${options.map(
    ([value, label], at) =>
      html`<label><input type="radio" name="${name}" value="${value}"${at === 0 && html` checked`}>${label}</label>`,
  )}</fieldset>`;
}

function table({ classes, confusion, exemplars }: Report): Markup {
  const n = classes.length;
  const cell = Math.max(24, Math.min(58, Math.floor(560 / n)));
  const flat = classes.every(({ name }) => textWidthEm(name) * 12.5 <= cell);
  const counts = new Map(confusion.map(([truth, predicted, count]) => [truth * n + predicted, count]));
  const inverse = [
    inverseFrom(LIGHT, true),
    inverseFrom(LIGHT, false),
    inverseFrom(DARK, true),
    inverseFrom(DARK, false),
  ];
  const [lightRight = 1, lightWrong = 1, darkRight = 1, darkWrong = 1] = inverse;
  return html`<div class="scroll"><table class="matrix${!flat && ' tall'}${exemplars.length > 0 && ' opens'}" id="matrix" data-inverse="${inverse.join(' ')}" style="--cell:${cell}px">
<caption>Rows: truth. Columns: prediction. <span id="matrix-unit">Per cent of the row.</span></caption>
<thead><tr><td style="background:none"></td>${classes.map(({ name }) => html`<th scope="col" title="${name}"><span>${name}</span></th>`)}</tr></thead>
<tbody>${classes.map(
    ({ name, support }, truth) =>
      html`<tr><th scope="row" title="${name}">${name}</th>${classes.map((_, predicted) => {
        const count = counts.get(truth * n + predicted) ?? 0;
        const right = truth === predicted;
        const share = support === 0 ? 0 : count / support;
        const strength = cellStrength(share, right);
        const names = [
          right && 'r',
          strength >= (right ? lightRight : lightWrong) && 'il',
          strength >= (right ? darkRight : darkWrong) && 'id',
        ];
        return html`<td tabindex="${truth === 0 && predicted === 0 ? 0 : -1}" class="${names.filter(Boolean).join(' ')}" style="--v:${decimal(strength, 3)}">${shareText(share)}</td>`;
      })}</tr>
`,
  )}</tbody></table></div>`;
}

function plane(report: Report): Markup {
  const { classes } = report;
  return html`<div class="plane" id="plane"><picture>${classes.length <= MAX_DARK_CLASSES && html`<source media="(prefers-color-scheme:dark)" srcset="${matrixRaster(report, DARK)}">`}<img src="${matrixRaster(report, LIGHT)}" alt="Confusion matrix of ${grouped(classes.length)} classes; the table of classes and the list of confusions say the same in words"></picture></div>
<datalist id="class-names">${classes.map(({ name }) => html`<option value="${name}">`)}</datalist>`;
}

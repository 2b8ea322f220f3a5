import { decimal } from '../../text/figures.ts';
import { cellColor, cellStrength, inverseFrom, LIGHT, type Theme } from '../colors.ts';
import { accuracyFact, judgedShare } from '../facts.ts';
import { html, type Markup } from '../page/markup.ts';
import type { Report } from '../report.ts';
import { shareText } from '../text/share-text.ts';
import { matrixRaster } from './matrix-raster.ts';
import { shortened, textWidthEm } from './text-width.ts';

/** Cap on the classes drawn as shapes; beyond it each cell is a pixel of an image. */
const MAX_SHAPES = 120;
const FONT = "Inter, 'Helvetica Neue', Helvetica, Arial, 'Liberation Sans', sans-serif";
const LABEL_EM = 16;
/** Pixels of the longest caption, of ten million records, in DejaVu Sans, the widest of the fallback fonts of `FONT`. */
const CAPTION_WIDTH = 500;

interface Layout {
  readonly cell: number;
  readonly side: number;
  readonly left: number;
  readonly top: number;
  readonly fontSize: number;
  readonly labels: boolean;
  readonly flatColumns: boolean;
}

/**
 * The confusion matrix for a paper or a README: rows are the truth, shades and numbers are per cent of the row, so that the
 * diagonal is recall. Light, on white, without a style sheet, as converters require.
 */
export function confusionMatrixSvg(
  report: Pick<Report, 'run' | 'classes' | 'confusion' | 'quality' | 'sample' | 'ledger'>,
): Markup {
  const { classes, quality } = report;
  const layout = layoutOf(classes.map(({ name }) => name));
  const width = Math.max(CAPTION_WIDTH, layout.left + layout.side + 24);
  const title = `Confusion matrix of ${report.run}`;
  const fact = quality === null ? undefined : accuracyFact(quality, report.sample);
  const judged = quality === null ? undefined : judgedShare(quality, report.ledger);
  const caption =
    fact === undefined
      ? []
      : [
          `${fact.label} ${fact.value}`,
          fact.note,
          ...(judged === undefined ? [] : [judged]),
          'Per cent of each row; on the diagonal: recall',
        ];
  const height = layout.top + layout.side + 30 + 17 * Math.max(3, caption.length);
  return html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title" font-family="${FONT}" font-size="${layout.fontSize}" fill="${LIGHT.ink}">
<title id="title">${title}</title>
<rect width="${width}" height="${height}" fill="${LIGHT.paper}"/>
<text x="${layout.left + layout.side / 2}" y="20" text-anchor="middle" font-size="13" fill="${LIGHT.muted}">Predicted class</text>
<text transform="translate(18,${layout.top + layout.side / 2}) rotate(-90)" text-anchor="middle" font-size="13" fill="${LIGHT.muted}">True class</text>
${layout.labels && labels(classes, layout)}
${classes.length > MAX_SHAPES ? image(report, layout) : shapes(report, layout, LIGHT)}
<rect x="${layout.left}" y="${layout.top}" width="${layout.side}" height="${layout.side}" fill="none" stroke="${LIGHT.muted}" stroke-width="0.75"/>
${caption.map((line, at) => html`<text x="${width - 12}" y="${layout.top + layout.side + 24 + at * 17}" text-anchor="end" font-size="12" fill="${LIGHT.muted}">${line}</text>`)}
</svg>
`;
}

function layoutOf(names: readonly string[]): Layout {
  const n = Math.max(1, names.length);
  const cell = n > MAX_SHAPES ? Math.max(0.25, 900 / n) : Math.max(7, Math.min(52, Math.floor(900 / n)));
  const fontSize = Math.min(13, Math.max(6, cell * 0.8));
  const labels = cell >= 7;
  const longest = Math.min(LABEL_EM, Math.max(1, ...names.map(textWidthEm))) * fontSize;
  const flatColumns = labels && longest <= cell - 4;
  const side = cell * n;
  return {
    cell,
    side,
    fontSize,
    labels,
    flatColumns,
    left: 40 + (labels ? longest : 0),
    top: 34 + (labels ? (flatColumns ? fontSize : longest) : 0),
  };
}

function labels(classes: Report['classes'], { cell, left, top, fontSize, flatColumns }: Layout): Markup[] {
  const center = (place: number): number => place * cell + cell / 2;
  return classes.map(({ name }, place) => {
    const text = shortened(name, LABEL_EM);
    const column = flatColumns
      ? html`<text x="${round(left + center(place))}" y="${round(top - 6)}" text-anchor="middle">${text}</text>`
      : html`<text transform="translate(${round(left + center(place) + fontSize * 0.35)},${round(top - 6)}) rotate(-90)">${text}</text>`;
    return html`<text x="${round(left - 6)}" y="${round(top + center(place) + fontSize * 0.35)}" text-anchor="end">${text}</text>${column}
`;
  });
}

function shapes(
  { classes, confusion }: Pick<Report, 'classes' | 'confusion'>,
  layout: Layout,
  theme: Theme,
): Markup[] {
  const { cell, left, top } = layout;
  const inverse = { right: inverseFrom(theme, true), wrong: inverseFrom(theme, false) };
  const gap = cell > 16 ? 1 : 0;
  return confusion.map(([truth, predicted, count]) => {
    const right = truth === predicted;
    const share = count / (classes[truth]?.support ?? count);
    const strength = cellStrength(share, right);
    const x = left + predicted * cell;
    const y = top + truth * cell;
    const ink = strength >= (right ? inverse.right : inverse.wrong) ? '#fff' : '#000';
    return html`<rect x="${round(x + gap / 2)}" y="${round(y + gap / 2)}" width="${round(cell - gap)}" height="${round(cell - gap)}" fill="${cellColor(theme, strength, right)}"><title>${classes[truth]?.name ?? ''} as ${classes[predicted]?.name ?? ''}: ${count}</title></rect>${
      cell >= 22 &&
      html`<text x="${round(x + cell / 2)}" y="${round(y + cell / 2 + Math.min(12, cell * 0.36) * 0.35)}" text-anchor="middle" font-size="${round(Math.min(12, cell * 0.36))}" fill="${ink}">${shareText(share)}</text>`
    }
`;
  });
}

function image(report: Pick<Report, 'classes' | 'confusion'>, { left, top, side }: Layout): Markup {
  return html`<image x="${left}" y="${top}" width="${side}" height="${side}" style="image-rendering:pixelated" href="${matrixRaster(report, LIGHT)}"/>`;
}

function round(value: number): number {
  return Number(decimal(value, 2));
}

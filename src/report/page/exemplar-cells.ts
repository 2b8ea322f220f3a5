import { compareExemplars, type Exemplar } from '../../metric/exemplar.ts';
import { grouped } from '../../text/figures.ts';
import type { Report } from '../report.ts';
import { type GalleryImages, hasPictures, mistakeList, type RecordTexts } from './gallery.ts';
import { html, type Markup } from './markup.ts';

/** The records of each cell that has some, which the page's script shows next to the matrix; without the script, they stay hidden. */
export function exemplarCells(
  { classes, confusion, exemplars }: Report,
  images: GalleryImages,
  texts: RecordTexts,
): Markup[] {
  const isShown = ({ key }: Exemplar): boolean => !hasPictures(images) || images.has(key);
  const byCell = Map.groupBy(exemplars.filter(isShown), ({ truth, predicted }) =>
    JSON.stringify([truth, predicted]),
  );
  // The most frequent confusions first: the order in which the page leads from one cell to the next.
  const isRight = ([t, p]: Report['confusion'][number]): number => Number(t === p);
  const cells = confusion.toSorted(
    (a, b) => isRight(a) - isRight(b) || b[2] - a[2] || a[0] - b[0] || a[1] - b[1],
  );
  return cells.flatMap(([t, p, count]) => {
    const [truth, predicted] = [classes[t]?.name ?? '', classes[p]?.name ?? ''];
    const records = byCell.get(JSON.stringify([truth, predicted]))?.toSorted(compareExemplars);
    if (records === undefined) return [];
    const title =
      t === p ? html`<b>${truth}</b> recognized` : html`<b>${truth}</b> taken for <b>${predicted}</b>`;
    const shown =
      records.length < count
        ? html`${records.length} of ${grouped(count)}, drawn by lot.`
        : html`All ${count}.`;
    return [
      html`<template id="cell-${t}-${p}"><h3>${title}</h3><p class="muted">${shown}</p>${mistakeList('Records of the cell', records, images, texts)}</template>
`,
    ];
  });
}

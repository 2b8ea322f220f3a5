import { shownPlace, shownRecord } from '../../input/shown-place.ts';
import { percent } from '../../text/figures.ts';
import type { Report } from '../report.ts';
import { html, type Markup, raw } from './markup.ts';

/** Cap on the mistakes that the page shows. */
export const GALLERY_SIZE = 24;
/** Cap on the characters of a record's text. */
const SHOWN_TEXT = 240;

type Mistake = Report['mistakes'][number];

/** An image as a data URI. */
export interface GalleryPicture {
  readonly source: string;
  /** Whether it is drawn pixel by pixel, as images of a few pixels are. */
  readonly isTiny: boolean;
}

/** An image, or why it is not shown. */
export type GalleryImage = GalleryPicture | { readonly reason: string };

/** Images by key, as many as the page has room for. */
export type GalleryImages = ReadonlyMap<string, GalleryImage>;

/** The text of a mistake's record, for files that hold many records. */
export type RecordTexts = ReadonlyMap<Mistake, string>;

/**
 * The records that the page shows: the mistakes with the highest confidence, those with a label worth a look, then those that stand for
 * cells.
 */
export function shownRecords({ mistakes, suspectLabels, exemplars }: Report): readonly Mistake[] {
  return [
    ...mistakes.slice(0, GALLERY_SIZE),
    ...(suspectLabels?.first ?? []).slice(0, GALLERY_SIZE),
    ...exemplars,
  ];
}

/** The mistakes with the highest confidence. */
export function gallery({ mistakes }: Report, images: GalleryImages, texts: RecordTexts): Markup | false {
  if (mistakes.length === 0) return false;
  const sure = mistakes.some(({ confidence }) => confidence !== null);
  const shown = mistakes.slice(0, GALLERY_SIZE);
  return html`<section id="mistakes"><h2>${sure ? 'Sure and wrong' : 'Wrong'}</h2>
<p class="lead">${sure ? 'The most confident mistakes.' : 'Some mistakes; how sure the model was is not known.'}</p>
${mistakeList('Mistakes', shown, images, texts)}</section>`;
}

/**
 * Records as pictures; without any image they are a table.
 *
 * @param name of its region, unique in the page
 */
export function mistakeList(
  name: string,
  mistakes: readonly Mistake[],
  images: GalleryImages,
  texts: RecordTexts,
): Markup {
  return hasPictures(images) ? pictures(mistakes, images) : table(name, mistakes, texts);
}

/** Whether any input can be shown; if none can, the inputs are not images. */
export function hasPictures(images: GalleryImages): boolean {
  return images.values().some((image) => 'source' in image);
}

function pictures(mistakes: readonly Mistake[], images: GalleryImages): Markup {
  return html`<ul class="gallery">${mistakes.map(
    (mistake) => html`<li><div class="frame">${picture(mistake.key, images.get(mistake.key))}</div>
<p><b>${mistake.predicted}</b>${mistake.confidence !== null && ` ${percent(mistake.confidence)}`}</p><p class="muted">truth: ${mistake.truth}${mistake.truthScore !== null && `, given ${percent(mistake.truthScore)}`}</p><p class="key">${fileName(mistake.key)}</p></li>
`,
  )}</ul>`;
}

/** A record's picture; without an image, its key, for readers with access to the bucket, and the reason. */
function picture(key: string, image: GalleryImage | undefined): Markup {
  if (image !== undefined && 'source' in image)
    return html`<img ${image.isTiny && raw('class="tiny" ')}src="${image.source}" alt="${fileName(key)}">`;
  return html`<span class="key">${key}<br><span class="muted">${image?.reason ?? 'not shown: the page would be too large'}</span></span>`;
}

function fileName(key: string): string {
  return key.slice(key.lastIndexOf('/') + 1);
}

function table(name: string, mistakes: readonly Mistake[], texts: RecordTexts): Markup {
  const score = (value: number | null): Markup | false =>
    value !== null && html` <span class="muted">${percent(value)}</span>`;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${name}"><table class="list"><thead><tr><th scope="col">Predicted</th><th scope="col" class="text">Truth</th><th scope="col" class="text">Input</th></tr></thead><tbody>
${mistakes.map((mistake) => {
  const { predicted, truth, confidence, truthScore } = mistake;
  const text = texts.get(mistake) ?? '';
  return html`<tr><td>${predicted}${score(confidence)}</td><td class="text">${truth}${score(truthScore)}</td><td class="text wrap key">${text.slice(0, SHOWN_TEXT)}${text.length > SHOWN_TEXT && '…'}${text !== '' && html`<br>`}<span class="muted">${texts.size > 0 ? shownPlace(mistake) : shownRecord(mistake)}</span></td></tr>
`;
})}</tbody></table></div>`;
}

import { percent } from '../figures.ts';
import type { Markup } from '../markup.ts';
import { html, raw } from '../markup.ts';
import type { Report } from '../report.ts';

/** How many mistakes the page shows. */
export const GALLERY_SIZE = 24;

/** Images by key, as data URIs, of the mistakes whose files are small enough to embed. */
export type GalleryImages = ReadonlyMap<string, string>;

/** The mistakes that the model was surest of: often they are errors of the labels. */
export function gallery({ mistakes, setup }: Report, images: GalleryImages): Markup | false {
  const bucket = /^s3:\/\/([^/]+)/.exec(setup?.input ?? '')?.[1];
  if (mistakes.length === 0) return false;
  const sure = mistakes.some(({ confidence }) => confidence !== null);
  return html`<section id="mistakes"><h2>${sure ? 'Sure and wrong' : 'Wrong'}</h2>
<p class="lead">${sure ? 'The most confident mistakes. Look here first for wrong labels.' : 'Some mistakes; how sure the model was is not known.'}</p>
<ul class="gallery">${mistakes.slice(0, GALLERY_SIZE).map(
    (mistake) => html`<li><div class="frame">${picture(mistake.key, images, bucket)}</div>
<p><b>${mistake.predicted}</b>${mistake.confidence !== null && ` ${percent(mistake.confidence)}`}</p><p class="muted">truth: ${mistake.truth}${mistake.truthScore !== null && `, given ${percent(mistake.truthScore)}`}</p><p class="key">${fileName(mistake.key)}${mistake.recordIndex > 0 && `, record ${mistake.recordIndex}`}</p></li>
`,
  )}</ul></section>`;
}

/** An image that is not embedded is linked by its key, for whoever may read the bucket. */
function picture(key: string, images: GalleryImages, bucket: string | undefined): Markup {
  const source = images.get(key);
  if (source === undefined) {
    if (bucket === undefined) return html`<span class="key">${key}</span>`;
    const uri = `s3://${bucket}/${key.toWellFormed().split('/').map(encodeURIComponent).join('/')}`;
    return html`<a class="key" href="${uri}">${key}</a>`;
  }
  return html`<img ${source.length < 12_000 && raw('class="tiny" ')}src="${source}" alt="${fileName(key)}" loading="lazy">`;
}

function fileName(key: string): string {
  return key.slice(key.lastIndexOf('/') + 1);
}

import { grouped, plural } from '../../text/figures.ts';
import type { Report } from '../report.ts';
import { suspectsText } from '../text/suspects-text.ts';
import { GALLERY_SIZE, type GalleryImages, mistakeList, type RecordTexts } from './gallery.ts';
import { html, type Markup } from './markup.ts';
import { fileLink } from './page-links.ts';

/** Mistakes with a label worth a look, their possible effect on accuracy, and the limits of such a list; false if there are none. */
export function suspectsSection(
  { suspectLabels: found, sample }: Report,
  images: GalleryImages,
  texts: RecordTexts,
): Markup | false {
  if (found === null || found.suspects === 0) return false;
  const { suspects, mistakes, undecided, leftOut, first } = found;
  const shown = first.slice(0, GALLERY_SIZE);
  // Northcutt, Athalye, Mueller 2021 (arXiv 2103.14749): their answers, counted over such lists of MNIST, CIFAR-10, 20 Newsgroups, IMDB.
  const checked =
    'Where five people checked such lists, 21% to 72% of the labels were wrong, and the model was right in 7% to 33%.';
  return html`<section id="suspects"><h2>Labels worth a look</h2>
<p class="lead">${plural(suspects, 'mistake')} with a label worth a look: ${suspectsText(found, sample)}.</p>
<p>Of ${plural(mistakes, 'mistake')}, these are the ones in which the model gives another class at least the probability that it gives this class on average where it is the label. ${checked} Wrong labels that the model shares are not among them.${undecided > 0 && ` ${plural(undecided, 'mistake')} more could not be decided, and count in the upper bound.`}${leftOut > 0 && ` ${plural(leftOut, 'input')} that the model was trained on, or that are copies of others, are left out.`}</p>
${shown.length < suspects && html`<p class="muted">The first ${grouped(shown.length)}, the label that fits least first; ${fileLink('suspect-labels.csv')} lists up to 10,000.</p>`}
${mistakeList('Labels worth a look', shown, images, texts)}</section>`;
}

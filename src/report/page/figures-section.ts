import { qualityFacts } from '../facts.ts';
import type { Report } from '../report.ts';
import { factRows } from './fact-rows.ts';
import { html, type Markup } from './markup.ts';

/** Every figure, and the figures that the outputs do not allow. */
export function figuresSection({ quality, absent }: Report): Markup | false {
  if (quality === null)
    return absent.length > 0 && html`<section><h2>Figures</h2>${absentList(absent)}</section>`;
  return html`<section id="figures"><h2>All figures</h2>
<dl class="figures">${factRows(qualityFacts(quality))}</dl>${absentList(absent)}</section>`;
}

function absentList(absent: readonly string[]): Markup | false {
  return (
    absent.length > 0 && html`<ul class="notes">${absent.map((sentence) => html`<li>${sentence}</li>`)}</ul>`
  );
}

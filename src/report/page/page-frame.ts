import { moment } from '../../text/dates.ts';
import { html, type Markup, raw } from './markup.ts';
import { PAGE_STYLE } from './page-style.ts';

/** Parts in which the pages of reports differ. */
export interface PageParts {
  readonly run: string;
  readonly status: { readonly words: string; readonly tone: string };
  readonly createdAt: string;
  /** Directives of the Content-Security-Policy that allow something, e.g. `style-src 'unsafe-inline'`. */
  readonly allowed: string;
  /** Markup below the run's name. */
  readonly top: readonly (Markup | false)[];
  readonly sections: readonly (Markup | false)[];
  readonly foot: string;
  /** Data and script at the end of the page. */
  readonly script?: Markup;
}

/** The page of a report: one file without network access, for screen, print and screen reader, in a light and a dark theme. */
export function pageFrame({
  run,
  status,
  createdAt,
  allowed,
  top,
  sections,
  foot,
  script,
}: PageParts): string {
  const policy = `default-src 'none'; ${allowed}; base-uri 'none'; form-action 'none'`;
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="generator" content="inferdrop">
<title>${run}: ${status.words}</title>
<style>${raw(PAGE_STYLE)}</style></head>
<body><a class="skip" href="#main">To the figures</a>
<header><div class="kicker"><h1>${run}</h1><span class="pill ${status.tone}">${status.words}</span><time datetime="${createdAt}">${moment(createdAt)}</time></div>
${top}</header>
<main id="main">
${sections}
</main>
<footer><p>${foot}</p></footer>
${script}</body></html>
`.markup;
}

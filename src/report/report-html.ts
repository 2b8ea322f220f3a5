import { createHash } from 'node:crypto';
import { html, type Markup, raw } from './markup.ts';
import { MAX_DRAWN_CLASSES } from './matrix-raster.ts';
import { alarm } from './page/alarm.ts';
import { classTable } from './page/class-table.ts';
import { comparisonSection } from './page/comparison-section.ts';
import { confidenceSection } from './page/confidence-section.ts';
import { failuresSection } from './page/failures.ts';
import { figuresSection } from './page/figures-section.ts';
import { gallery, type GalleryImages, type RecordTexts } from './page/gallery.ts';
import { headline } from './page/headline.ts';
import { labelsSection } from './page/labels-section.ts';
import { matrixSection } from './page/matrix-section.ts';
import { pageData } from './page/page-data.ts';
import { PAGE_SCRIPT } from './page/page-script.ts';
import { PAGE_STYLE } from './page/page-style.ts';
import { predictedSection } from './page/predicted-section.ts';
import { receiptSection } from './page/receipt-section.ts';
import type { Report } from './report.ts';

/** Content-Security-Policy: the browser runs this one script and loads nothing, whatever a file's name contains. */
const POLICY = `default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'sha256-${createHash('sha256').update(PAGE_SCRIPT).digest('base64')}'; base-uri 'none'; form-action 'none'`;

const STATUS: Readonly<Record<Report['status'], readonly [words: string, tone: string]>> = {
  completed: ['completed', 'good'],
  'completed-with-errors': ['completed with errors', ''],
  failed: ['failed', 'bad'],
  refused: ['refused', 'bad'],
  empty: ['empty', ''],
};

/** report.html: one file without network access, for screen, print and screen reader, in a light and a dark theme. */
export function reportHtml(
  report: Report,
  images: GalleryImages = new Map(),
  texts: RecordTexts = new Map(),
): string {
  const [status, tone] = STATUS[report.status];
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${POLICY}"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="generator" content="inferdrop">
<title>${report.run}: ${status}</title>
<style>${raw(PAGE_STYLE)}</style></head>
<body><a class="skip" href="#main">To the figures</a>
<header><div class="kicker"><h1>${report.run}</h1><span class="pill ${tone}">${status}</span><time datetime="${report.createdAt}">${report.createdAt.slice(0, 16).replace('T', ' ')} UTC</time></div>
${alarm(report)}${headline(report)}</header>
<main id="main">
${sections(report, images, texts)}
</main>
<footer><p>Intervals are 95% Wilson score intervals. A figure that the outputs cannot tell is left out, never 0. The same figures as data: report.json; one row per record: rows/*.parquet.</p></footer>
${report.confusion.length > 0 && report.classes.length <= MAX_DRAWN_CLASSES && pageData(report)}<script>${raw(PAGE_SCRIPT)}</script></body></html>
`.markup;
}

function sections(report: Report, images: GalleryImages, texts: RecordTexts): (Markup | false)[] {
  return [
    matrixSection(report),
    comparisonSection(report),
    classTable(report),
    predictedSection(report),
    confidenceSection(report),
    gallery(report, images, texts),
    failuresSection(report),
    labelsSection(report),
    figuresSection(report),
    receiptSection(report),
  ];
}

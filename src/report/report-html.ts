import { createHash } from 'node:crypto';
import { html, type Markup, raw } from './markup.ts';
import { MAX_DRAWN_CLASSES } from './matrix-raster.ts';
import { alarm } from './page/alarm.ts';
import { classTable } from './page/class-table.ts';
import { comparisonSection } from './page/comparison-section.ts';
import { confidenceSection } from './page/confidence-section.ts';
import { exemplarCells } from './page/exemplar-cells.ts';
import { failuresSection } from './page/failures.ts';
import { figuresSection } from './page/figures-section.ts';
import { gallery, type GalleryImages, type RecordTexts } from './page/gallery.ts';
import { headline } from './page/headline.ts';
import { labelsSection } from './page/labels-section.ts';
import { matrixSection } from './page/matrix-section.ts';
import { pageData } from './page/page-data.ts';
import { pageFrame } from './page/page-frame.ts';
import { PAGE_SCRIPT } from './page/page-script-text.ts';
import { predictedSection } from './page/predicted-section.ts';
import { receiptSection } from './page/receipt-section.ts';
import { suspectsSection } from './page/suspects-section.ts';
import { thresholdSection } from './page/threshold-section.ts';
import type { Report } from './report.ts';

/** The browser runs this one script and loads nothing, whatever a file's name contains. */
const ALLOWED = `img-src data:; style-src 'unsafe-inline'; script-src 'sha256-${createHash('sha256').update(PAGE_SCRIPT).digest('base64')}'`;

const STATUS: Readonly<Record<Report['status'], readonly [words: string, tone: string]>> = {
  completed: ['completed', 'good'],
  'completed-with-errors': ['completed with errors', ''],
  failed: ['failed', 'bad'],
  refused: ['refused', 'bad'],
  empty: ['empty', ''],
};

/** report.html of a run. */
export function reportHtml(
  report: Report,
  images: GalleryImages = new Map(),
  texts: RecordTexts = new Map(),
): string {
  const [words, tone] = STATUS[report.status];
  const isDrawn = report.confusion.length > 0 && report.classes.length <= MAX_DRAWN_CLASSES;
  return pageFrame({
    run: report.run,
    status: { words, tone },
    createdAt: report.createdAt,
    allowed: ALLOWED,
    top: [alarm(report), headline(report)],
    sections: sections(report, images, texts),
    foot: 'Intervals are 95% Wilson score intervals. A figure that the outputs cannot tell is left out, never 0. The same figures as data: report.json; one row per record: rows/*.parquet.',
    script: html`${exemplarCells(report, images, texts)}${isDrawn && pageData(report)}<script>${raw(PAGE_SCRIPT)}</script>`,
  });
}

function sections(report: Report, images: GalleryImages, texts: RecordTexts): (Markup | false)[] {
  return [
    matrixSection(report),
    comparisonSection(report),
    classTable(report),
    predictedSection(report),
    thresholdSection(report),
    confidenceSection(report),
    gallery(report, images, texts),
    suspectsSection(report, images, texts),
    failuresSection(report),
    labelsSection(report),
    figuresSection(report),
    receiptSection(report),
  ];
}

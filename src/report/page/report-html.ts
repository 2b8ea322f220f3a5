import { createHash } from 'node:crypto';
import { UNJUDGED } from '../../tasks/unjudged.ts';
import type { Report } from '../report.ts';
import { MAX_DRAWN_CLASSES } from '../svg/matrix-raster.ts';
import { alarm } from './alarm.ts';
import { answersSection } from './answers-section.ts';
import { classTable } from './class-table.ts';
import { comparisonSection } from './comparison-section.ts';
import { confidenceSection } from './confidence-section.ts';
import { exemplarCells } from './exemplar-cells.ts';
import { failuresSection } from './failures.ts';
import { figuresSection } from './figures-section.ts';
import { filesSection } from './files-section.ts';
import { gallery, type GalleryImages, type RecordTexts } from './gallery.ts';
import { headline } from './headline.ts';
import { labelsSection, readingSection } from './labels-section.ts';
import { html, type Markup, raw } from './markup.ts';
import { matrixSection } from './matrix-section.ts';
import { pageData } from './page-data.ts';
import { pageFrame } from './page-frame.ts';
import { PAGE_SCRIPT } from './page-script-text.ts';
import { predictedSection } from './predicted-section.ts';
import { receiptSection } from './receipt-section.ts';
import { slicesSection } from './slices-section.ts';
import { suspectsSection } from './suspects-section.ts';
import { thresholdSection } from './threshold-section.ts';

/** The browser runs this one script and loads nothing, whatever a file's name contains. */
const ALLOWED =
  `img-src data:; style-src 'unsafe-inline'; script-src ` +
  `'sha256-${createHash('sha256').update(PAGE_SCRIPT).digest('base64')}'`;

const STATUS = {
  failed: ['failed', 'bad'],
  canceled: ['canceled', ''],
  refused: ['refused', 'bad'],
  empty: ['empty', ''],
} as const;

/** report.html of a run. */
export function reportHtml(
  report: Report,
  images: GalleryImages = new Map(),
  texts: RecordTexts = new Map(),
): string {
  const [words, tone] = pill(report);
  const isDrawn = report.confusion.length > 0 && report.classes.length <= MAX_DRAWN_CLASSES;
  return pageFrame({
    run: report.run,
    status: { words, tone },
    createdAt: report.createdAt,
    allowed: ALLOWED,
    top: [alarm(report), headline(report)],
    sections: sections(report, images, texts),
    foot: foot(report),
    script: html`${exemplarCells(report, images, texts)}${isDrawn && pageData(report)}<script>${raw(PAGE_SCRIPT)}</script>`,
  });
}

/** The verdict of a complete run, which its readers ask for; else how the run ended. */
function pill({ status, task, gate: { verdict, isSet } }: Report): readonly [words: string, tone: string] {
  if (status !== 'completed' && status !== 'completed-with-errors') return STATUS[status];
  const errors = status === 'completed' ? '' : ', with errors';
  if (verdict === 'none') return [`${isSet ? 'no verdict' : 'no gate'}${errors}`, ''];
  const unjudged = UNJUDGED[task] === null ? '' : ', answers not judged';
  return [`${verdict}${errors}${unjudged}`, verdict === 'passed' ? 'good' : 'bad'];
}

function sections(report: Report, images: GalleryImages, texts: RecordTexts): (Markup | false)[] {
  return [
    matrixSection(report),
    comparisonSection(report),
    classTable(report),
    slicesSection(report),
    predictedSection(report),
    answersSection(report),
    thresholdSection(report),
    confidenceSection(report),
    gallery(report, images, texts),
    suspectsSection(report, images, texts),
    failuresSection(report),
    readingSection(report),
    labelsSection(report),
    figuresSection(report),
    filesSection(report),
    receiptSection(report),
  ];
}

/** The words at the end of a page: how its intervals are to be read. */
function foot({ sample }: Report): string {
  const drawn = ', here of all inputs of the drop: they are narrower the more of it was drawn';
  const early =
    ' Only the intervals of accuracy and of its change against a baseline hold however often the run was judged.';
  return (
    `Intervals are 95% Wilson score intervals${sample === null ? '' : drawn}.${sample?.early ? early : ''} ` +
    'A figure that the outputs cannot tell is left out, never 0. The same figures as data: report.json.'
  );
}

import { percent, plural } from '../../text/figures.ts';
import type { Report } from '../report.ts';
import { confidencePlot } from './confidence-plot.ts';
import { html, type Markup } from './markup.ts';
import { reliabilityPlot } from './reliability-plot.ts';

/** Records below which confidence is not compared in words. */
const MIN_RECORDS = 30;

/** How the model's confidence compares with its accuracy. */
export function confidenceSection({ reliability, confidenceHistogram, quality }: Report): Markup | false {
  if (quality === null || confidenceHistogram === null || reliability.length === 0) return false;
  const total = reliability.reduce((sum, point) => sum + point.count, 0);
  const mean = reliability.reduce((sum, point) => sum + point.confidence * point.count, 0) / total;
  // The curve's records, which matters if a sample's accuracy weights its classes.
  const right = quality.correct / quality.labeled;
  const gap = mean - right;
  const isFew = total < MIN_RECORDS;
  const finding = isFew
    ? `${plural(total, 'record')} with a confidence: too few to tell.`
    : Math.abs(gap) < 0.01
      ? `On average it says ${percent(mean)} and is right in ${percent(right)}: well calibrated as a whole.`
      : `On average it says ${percent(mean)} and is right in ${percent(right)}: ` +
        `${gap > 0 ? 'too sure of itself' : 'surer than it dares to say'}.`;
  return html`<section id="confidence"><h2>Does it know when it is right?</h2><p class="lead">${finding}</p>
<div class="halves"><div><h3>Confidence against accuracy</h3>${reliabilityPlot(reliability)}</div><div><h3>Confidence of right and wrong answers</h3>${confidencePlot(confidenceHistogram, quality)}</div></div></section>`;
}

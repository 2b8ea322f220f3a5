import { coordinate, percent } from '../../text/figures.ts';
import type { Report } from '../report.ts';
import { linearScale, shareTicks } from '../svg/linear-scale.ts';
import { html, type Markup, raw } from './markup.ts';
import {
  CURVE_SIDE,
  curvePlaces,
  type ThresholdData,
  type ThresholdFigures,
  thresholdFigures,
  thresholdTexts,
} from './threshold-data.ts';

/** ROC and precision–recall curves of a model of two classes, with a threshold to move. */
export function thresholdSection({ thresholds, classes }: Report): Markup | false {
  if (thresholds === null) return false;
  const [other, positive] = classes;
  if (other === undefined || positive === undefined) return false;
  const data: ThresholdData = thresholds;
  const figures = thresholdFigures(data);
  const start = nearestTo(positive.predicted, figures);
  const shown = figures[start];
  if (shown === undefined) return false;
  const texts = new Map(thresholdTexts(shown));
  const cell = (id: string): Markup => html`<output id="${id}">${texts.get(id)}</output>`;
  return html`<section id="thresholds"><h2>Where to draw the line: ROC and precision–recall</h2>
<p class="lead">A record is called ${positive.name} if its score reaches the threshold. The dots are where this run decided${positive.rocAuc !== null && html`; the area under the ROC curve is ${percent(positive.rocAuc.value, 2)}`}${positive.averagePrecision !== null && html`, the average precision ${percent(positive.averagePrecision.value)}`}.</p>
<p class="slider" hidden><label for="threshold">Threshold</label><input type="range" id="threshold" min="0" max="${figures.length - 1}" value="${start}" aria-valuetext="${texts.get('threshold-value')}"><span class="muted">what would change, on these records</span></p>
<div class="curves"><div><h3>ROC</h3>${rocPlot(figures, shown)}</div><div><h3>Precision–recall</h3>${precisionRecallPlot(figures, shown, data)}</div>
<div><h3>At this threshold</h3><table class="list"><tbody>
<tr><th scope="row">Threshold</th><td>${cell('threshold-value')}</td></tr>
<tr><th scope="row">Precision</th><td>${cell('threshold-precision')}</td></tr>
<tr><th scope="row">Recall</th><td>${cell('threshold-recall')}</td></tr>
<tr><th scope="row">False positive rate</th><td>${cell('threshold-fpr')}</td></tr>
<tr><th scope="row">F1</th><td>${cell('threshold-f1')}</td></tr>
<tr><th scope="row">Accuracy</th><td>${cell('threshold-accuracy')}</td></tr>
</tbody></table><table class="list"><thead><tr><td></td><th scope="col">called ${positive.name}</th><th scope="col">called ${other.name}</th></tr></thead><tbody>
<tr><th scope="row">${positive.name}</th><td>${cell('threshold-tp')}</td><td>${cell('threshold-fn')}</td></tr>
<tr><th scope="row">${other.name}</th><td>${cell('threshold-fp')}</td><td>${cell('threshold-tn')}</td></tr>
</tbody></table></div></div>
<script type="application/json" id="threshold-data">${raw(JSON.stringify(data))}</script></section>`;
}

/** Place of the point that calls about as many records positive as the run did. */
function nearestTo(called: number, figures: readonly ThresholdFigures[]): number {
  const distance = ({ truePositives, falsePositives }: ThresholdFigures): number =>
    Math.abs(truePositives + falsePositives - called);
  return figures.reduce((best, each, at) => {
    const nearest = figures[best];
    return nearest === undefined || distance(each) < distance(nearest) ? at : best;
  }, 0);
}

function rocPlot(figures: readonly ThresholdFigures[], shown: ThresholdFigures): Markup {
  const places = figures.map((each) => curvePlaces(each).roc);
  const line = [{ x: '0.0', y: coordinate(CURVE_SIDE) }, ...places].map(({ x, y }) => `${x},${y}`).join('L');
  const diagonal = `M0,${CURVE_SIDE}L${CURVE_SIDE},0`;
  return plot(
    'false positive rate',
    'recall',
    'ROC curve',
    line,
    diagonal,
    curvePlaces(shown).roc,
    'roc-dot',
  );
}

function precisionRecallPlot(
  figures: readonly ThresholdFigures[],
  shown: ThresholdFigures,
  { positives, negatives }: ThresholdData,
): Markup {
  const places = figures.flatMap((each) => curvePlaces(each).precisionRecall ?? []);
  const line = places.map(({ x, y }) => `${x},${y}`).join('L');
  const chance = (CURVE_SIDE * negatives) / (positives + negatives);
  const level = `M0,${coordinate(chance)}H${CURVE_SIDE}`;
  const dot = curvePlaces(shown).precisionRecall;
  return plot('recall', 'precision', 'Precision–recall curve', line, level, dot, 'pr-dot');
}

function plot(
  across: string,
  up: string,
  name: string,
  line: string,
  chance: string,
  dot: { readonly x: string; readonly y: string } | undefined,
  id: string,
): Markup {
  const x = linearScale([0, 1], [0, CURVE_SIDE]);
  const y = linearScale([0, 1], [CURVE_SIDE, 0]);
  return html`<svg class="plot" viewBox="-44 -24 ${CURVE_SIDE + 62} ${CURVE_SIDE + 68}" role="img" aria-label="${name}; the table next to it has the figures of the chosen threshold">
${shareTicks().map((tick) => html`<line class="axis" x1="0" x2="${CURVE_SIDE}" y1="${y(tick)}" y2="${y(tick)}"/><text x="-8" y="${y(tick) + 4}" text-anchor="end">${percent(tick, 0)}</text><text x="${x(tick)}" y="${CURVE_SIDE + 20}" text-anchor="middle">${percent(tick, 0)}</text>`)}
<path class="rule" d="${chance}"/><path class="sr" stroke-width="2" fill="none" d="M${line}"/>
<circle class="fr" id="${id}" r="6" cx="${dot?.x ?? 0}" cy="${dot?.y ?? 0}"/>
<text x="${CURVE_SIDE / 2}" y="${CURVE_SIDE + 40}" text-anchor="middle">${across}</text><text x="0" y="-10">${up}</text>
</svg>`;
}

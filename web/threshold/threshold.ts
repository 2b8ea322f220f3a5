import {
  curvePlaces,
  type ThresholdData,
  thresholdFigures,
  thresholdTexts,
} from '../../src/report/page/threshold-data.ts';
import { decimal } from '../../src/text/figures.ts';
import { byId } from '../by-id.ts';

/** Lets a person move the threshold of a model of two classes: both dots and all figures follow. */
export function animateThreshold(data: ThresholdData): void {
  const figures = thresholdFigures(data);
  const slider = byId('threshold', HTMLInputElement);
  const row = slider.closest('p');
  if (row !== null) row.hidden = false;
  slider.addEventListener('input', () => {
    const at = figures[slider.valueAsNumber];
    if (at === undefined) return;
    for (const [id, text] of thresholdTexts(at)) byId(id, HTMLOutputElement).value = text;
    slider.setAttribute('aria-valuetext', decimal(at.threshold, 3));
    const { roc, precisionRecall } = curvePlaces(at);
    move('roc-dot', roc);
    if (precisionRecall !== undefined) move('pr-dot', precisionRecall);
  });
}

function move(id: string, { x, y }: { readonly x: string; readonly y: string }): void {
  const dot = byId(id, SVGCircleElement);
  dot.setAttribute('cx', x);
  dot.setAttribute('cy', y);
}

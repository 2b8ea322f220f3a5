import type { Markup } from './markup.ts';
import { html } from './markup.ts';
import type { Report } from './report.ts';

/** First cut: counts as text and shade by row share. */
export function confusionMatrixSvg({ classes, confusion }: Pick<Report, 'classes' | 'confusion'>): Markup {
  const n = classes.length;
  const cell = Math.max(2, Math.min(44, Math.floor(900 / Math.max(1, n))));
  const margin = 140;
  const size = margin + cell * n + 20;
  return html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" font-family="sans-serif" font-size="12">
${confusion.map(([truth, predicted, count]) => {
  const share = count / (classes[truth]?.support ?? 1);
  const x = margin + predicted * cell;
  const y = margin + truth * cell;
  return html`<rect x="${x}" y="${y}" width="${cell}" height="${cell}" fill="hsl(215 70% ${Math.round(96 - share * 60)}%)"/>${
    cell >= 30 && html`<text x="${x + cell / 2}" y="${y + cell / 2 + 4}" text-anchor="middle" fill="${share > 0.5 ? '#fff' : '#222'}">${count}</text>`
  }`;
})}
${classes.map(
  ({ name }, at) =>
    cell >= 10 &&
    html`<text x="${margin - 6}" y="${margin + at * cell + cell / 2 + 4}" text-anchor="end">${name}</text><text transform="translate(${margin + at * cell + cell / 2 + 4},${margin - 6}) rotate(-60)">${name}</text>`,
)}
</svg>
`;
}

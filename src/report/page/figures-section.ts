import { percent, plural } from '../figures.ts';
import { html, type Markup } from '../markup.ts';
import type { Report } from '../report.ts';

type Quality = NonNullable<Report['quality']>;

/** Every figure, and the figures that the outputs do not allow. */
export function figuresSection({ quality, absent }: Report): Markup | false {
  if (quality === null)
    return absent.length > 0 && html`<section><h2>Figures</h2>${absentList(absent)}</section>`;
  return html`<section id="figures"><h2>All figures</h2>
<dl class="figures">${figuresOf(quality).map(
    ([
      name,
      value,
      note,
    ]) => html`<div><dt>${name}</dt><dd>${value}${note !== undefined && html` <small>${note}</small>`}</dd></div>
`,
  )}</dl>${absentList(absent)}</section>`;
}

function absentList(absent: readonly string[]): Markup | false {
  return (
    absent.length > 0 && html`<ul class="notes">${absent.map((sentence) => html`<li>${sentence}</li>`)}</ul>`
  );
}

function figuresOf(quality: Quality): [name: string, value: string, note?: string | undefined][] {
  const { accuracyInterval: interval, macro, weighted } = quality;
  return [
    ['Accuracy', percent(quality.accuracy, 2), range(interval)],
    ...quality.topK.map(({ k, accuracy, interval: of }): [string, string, string] => [
      `Top-${k} accuracy`,
      percent(accuracy, 2),
      range(of),
    ]),
    ['Balanced accuracy', percent(quality.balancedAccuracy, 2)],
    ['Macro precision', percent(macro.precision, 2)],
    ['Macro recall', percent(macro.recall, 2)],
    ['Macro F1', percent(macro.f1, 2)],
    ['Weighted precision', percent(weighted.precision, 2)],
    ['Weighted recall', percent(weighted.recall, 2)],
    ['Weighted F1', percent(weighted.f1, 2)],
    ['Micro F1', percent(quality.micro.f1, 2)],
    ['Matthews correlation', quality.matthews.toFixed(4)],
    ...optional('Cohen’s kappa', quality.kappa, (value) => value.toFixed(4)),
    ...optional('Log loss', quality.logLoss, (value) => value.toFixed(4)),
    ...optional('Brier score (0 … 2)', quality.brier, (value) => value.toFixed(4)),
    ...quality.calibration.flatMap(
      ({
        bins,
        expectedError,
        maximumError,
        maximumErrorRecords: records,
      }): [name: string, value: string, note?: string | undefined][] => [
        [`Expected calibration error, ${bins} bins`, percent(expectedError, 2)],
        [
          `Maximum calibration error, ${bins} bins`,
          percent(maximumError, 2),
          records === undefined ? undefined : `bin of ${plural(records, 'record')}`,
        ],
      ],
    ),
    ...bounded('Macro ROC AUC', quality.macroRocAuc),
    ...bounded('Macro average precision', quality.macroAveragePrecision),
    ...optional('Mean confidence, right', quality.meanConfidenceRight, (value) => percent(value, 2)),
    ...optional('Mean confidence, wrong', quality.meanConfidenceWrong, (value) => percent(value, 2)),
    ...(quality.neverPredicted > 0
      ? [['Classes never predicted', String(quality.neverPredicted)] satisfies [string, string]]
      : []),
  ];
}

function optional(name: string, value: number | null, show: (value: number) => string): [string, string][] {
  return value === null ? [] : [[name, show(value)]];
}

function bounded(name: string, figure: Quality['macroRocAuc']): [string, string, string][] {
  return figure === null
    ? []
    : [
        [
          name,
          percent(figure.value, 2),
          `± ${figure.errorBound < 5e-7 ? '0' : (figure.errorBound * 100).toPrecision(1)}`,
        ],
      ];
}

function range({ low, high }: Quality['accuracyInterval']): string {
  return `${percent(low)} … ${percent(high)}`;
}

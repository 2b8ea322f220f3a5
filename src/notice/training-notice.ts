import { dollars, duration, grouped, percent, plural } from '../report/figures.ts';
import { short } from '../report/training/metric-plot.ts';
import { promotionText } from '../report/training/promotion-text.ts';
import type { TrainingReport } from '../report/training/training-report.ts';
import { quoted } from '../text/shell-quoted.ts';
import type { Notice } from './notice.ts';
import {
  line,
  placeLines,
  reasonLines,
  remarkLines,
  runAttributes,
  runSubject,
  unreportedLines,
} from './notice-lines.ts';

/** The message of a training: how it ended, its metrics, how the model was judged, and what is left to decide. */
export function toTrainingNotice({
  run,
  bucket,
  status,
  report,
}: {
  readonly run: string;
  readonly bucket: string;
  readonly status: string;
  /** Undefined where the report itself could not be written. */
  readonly report: TrainingReport | undefined;
}): Notice {
  const promotion = report?.promotion?.promotion;
  const tail = ` ${status}${promotion === undefined || promotion === 'never' ? '' : `, model ${WORDS[promotion]}`}`;
  const lines = [
    `Training ${line(run)}: ${status}`,
    '',
    ...(report === undefined
      ? unreportedLines()
      : [...failure(report), ...figures(report), ...decision(report), ...remarkLines(report)]),
    ...placeLines(run, bucket, report !== undefined),
  ];
  return {
    subject: runSubject(run, tail),
    body: `${lines.join('\n')}\n`,
    attributes: { ...runAttributes(run, status), ...(promotion !== undefined && { promotion }) },
  };
}

const WORDS = {
  promoted: 'promoted',
  refused: 'not promoted',
  asked: 'waits for you',
  never: 'kept',
} as const;

/** Without the end of the log, where scripts print data: messages go further than reports. */
function failure({ failure: failed, status, problems, logEnd }: TrainingReport): string[] {
  if (status === 'empty') return ['The drop had no file to train on when it became quiet.', ''];
  if (failed === null) return [];
  const hasLog = logEnd.some(({ lines }) => lines.length > 0);
  return [...reasonLines(failed, problems), ...(hasLog ? ['The end of its log is in the report.', ''] : [])];
}

function figures(report: TrainingReport): string[] {
  const job = report.jobs.at(-1);
  const { evaluation: judged, lineage } = report;
  return [
    `Files      ${grouped(lineage.data.objects)}`,
    ...(job === undefined ? [] : [`Hosts      ${job.instanceCount} x ${job.instanceType}`]),
    `Duration   ${duration(report.seconds)}`,
    `Cost       ${dollars(report.costUsd)} for training${judged === null ? '' : `, ${dollars(judged.costUsd)} for the evaluation`}`,
    ...report.metrics.flatMap(({ name, final }) =>
      final === null ? [] : [`Metric     ${line(name)} ${short(final)}`],
    ),
    ...(judged === null
      ? []
      : [
          `Accuracy   ${judged.accuracy === null ? 'not known' : percent(judged.accuracy, 2)} on ${plural(judged.inputs, 'input')}, judged by ${line(judged.run)}`,
          ...(judged.against === null
            ? []
            : [
                `Against    ${line(judged.against.run)}: ${grouped(judged.against.lost)} became wrong, ${grouped(judged.against.gained)} became right`,
              ]),
          ...(judged.trainedOn.count === 0
            ? []
            : [
                `Trained on ${plural(judged.trainedOn.count, 'input')} of the evaluation: the gate does not count them`,
              ]),
          ...(judged.nearDuplicates === null || judged.nearDuplicates.count === 0
            ? []
            : [
                `Look-alike ${plural(judged.nearDuplicates.count, 'input')} of the evaluation like one that was trained on: the gate does not count them`,
              ]),
        ]),
    '',
  ];
}

function decision({ promotion, run }: TrainingReport): string[] {
  if (promotion === null) return [];
  return [
    `Model      ${line(promotionText(promotion))}`,
    ...(promotion.promotion === 'asked' ? [`Promote    inferdrop promote ${quoted(line(run))}`] : []),
    '',
  ];
}

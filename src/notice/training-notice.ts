import { problemLine } from '../problem/problem.ts';
import { dollars, duration, grouped, percent, plural } from '../report/figures.ts';
import { nextStep } from '../report/next-step.ts';
import { short } from '../report/training/metric-plot.ts';
import { promotionText } from '../report/training/promotion-text.ts';
import type { TrainingReport } from '../report/training/training-report.ts';
import { bucketLayout } from '../run/bucket-layout.ts';
import { parseRunId } from '../run/run-id.ts';
import type { Notice } from './notice.ts';
import { quoted, shorten, toAsciiText, toPlainText } from './plain-text.ts';

const MAX_SUBJECT_LENGTH = 100;
const MAX_ATTRIBUTE_LENGTH = 256;
const MAX_LINE_LENGTH = 2_000;
const MAX_LINES = 20;

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
  const { pipeline = '' } = parseRunId(run) ?? {};
  const promotion = report?.promotion?.promotion;
  const tail = ` ${status}${promotion === undefined || promotion === 'never' ? '' : `, model ${WORDS[promotion]}`}`;
  const head = 'inferdrop: ';
  const lines = [
    `Training ${line(run)}: ${status}`,
    '',
    ...(report === undefined
      ? ['The report could not be written.', `Next step  ${nextStep('')}`, '']
      : [
          ...failure(report),
          ...figures(report),
          ...decision(report),
          ...list('What to correct', report.problems.map(problemLine)),
          ...list('Notes', report.notes),
        ]),
    ...places(run, bucket, report),
  ];
  return {
    subject: toAsciiText(
      `${head}${shorten(toAsciiText(run), MAX_SUBJECT_LENGTH - head.length - tail.length)}${tail}`,
    ),
    body: `${lines.join('\n')}\n`,
    attributes: {
      pipeline,
      status,
      run: shorten(line(run), MAX_ATTRIBUTE_LENGTH),
      ...(promotion !== undefined && { promotion }),
    },
  };
}

const WORDS = {
  promoted: 'promoted',
  refused: 'not promoted',
  asked: 'waits for you',
  never: 'kept',
} as const;

function failure({ failure: failed, status, problems, logEnd }: TrainingReport): string[] {
  if (status === 'empty') return ['The drop had no file to train on when it became quiet.', ''];
  if (failed === null) return [];
  const said = logEnd.flatMap(({ host, lines }) => lines.slice(-3).map((text) => `${host}: ${text}`));
  return [
    `Reason     ${line(failed.error)}: ${problems.length === 0 ? line(failed.cause) : `${plural(problems.length, 'problem')}, named below`}`,
    `Next step  ${line(failed.nextStep)}`,
    '',
    ...list('End of the log', said),
  ];
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
                `Trained on ${plural(judged.trainedOn.count, 'input')} of the evaluation: its accuracy is too high`,
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

function list(title: string, texts: readonly string[]): string[] {
  if (texts.length === 0) return [];
  const more = texts.length - MAX_LINES;
  return [
    title,
    ...texts.slice(0, MAX_LINES).map((text) => `- ${line(text)}`),
    ...(more > 0 ? [`- and ${grouped(more)} more in the report`] : []),
    '',
  ];
}

function places(run: string, bucket: string, report: TrainingReport | undefined): string[] {
  const parts = parseRunId(run);
  if (parts === undefined) return [];
  const folder = `s3://${bucket}/${bucketLayout.run(parts)}`;
  if (report === undefined) return [`Files      ${line(folder)}`];
  return [
    `Report     s3://${bucket}/${line(bucketLayout.reportHtml(parts))}`,
    `Files      ${line(folder)}`,
    `Command    inferdrop report ${quoted(line(run))}`,
  ];
}

function line(text: string): string {
  return shorten(toPlainText(text), MAX_LINE_LENGTH);
}

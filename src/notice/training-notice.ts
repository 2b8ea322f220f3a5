import { factLines } from '../report/text/fact-lines.ts';
import { promotionText } from '../report/training/promotion-text.ts';
import { trainingFacts } from '../report/training/training-facts.ts';
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

/** The message of a training: how it ended, its metrics, how the model was judged, and which decision is open. */
export function toTrainingNotice({
  run,
  bucket,
  status,
  report,
}: {
  readonly run: string;
  readonly bucket: string;
  readonly status: string;
  /** Undefined if the report itself could not be written. */
  readonly report: TrainingReport | undefined;
}): Notice {
  const promotion = report?.promotion?.promotion;
  const tail = ` ${status}${promotion === undefined || promotion === 'never' ? '' : `, model ${WORDS[promotion]}`}`;
  const lines = [
    `Training ${line(run)}: ${status}`,
    '',
    ...(report === undefined
      ? unreportedLines()
      : [
          ...failure(report),
          ...factLines(trainingFacts(report)).map(line),
          '',
          ...decision(report),
          ...remarkLines(report),
        ]),
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
  kept: 'unchanged',
  never: 'kept',
} as const;

/** Lines on the failure, without the end of the log, because scripts may print data there: messages travel further than reports. */
function failure({ failure: failed, status, problems, logEnd }: TrainingReport): string[] {
  if (status === 'empty') return ['The drop had no file to train on when it became quiet.', ''];
  if (failed === null) return [];
  const hasLog = logEnd.some(({ lines }) => lines.length > 0);
  return [...reasonLines(failed, problems), ...(hasLog ? ['The end of its log is in the report.', ''] : [])];
}

function decision({ promotion, run }: TrainingReport): string[] {
  if (promotion === null) return [];
  return [
    `Model      ${line(promotionText(promotion))}`,
    ...(promotion.promotion === 'asked' ? [`Promote    inferdrop promote ${quoted(line(run))}`] : []),
    '',
  ];
}

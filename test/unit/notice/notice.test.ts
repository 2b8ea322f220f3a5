import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toNotice } from '../../../src/notice/notice.ts';
import { buildEmptyReport } from '../../../src/report/build-report.ts';
import type { Report } from '../../../src/report/report.ts';
import { syntheticReport } from '../../support/synthetic-report.ts';

const bucket = 'inferdrop-dev';
const completed = syntheticReport(10, 2_000);
const noticeOf = (
  report: Report | undefined,
  run = report?.run ?? 'birds/monday/000001',
  status: string = report?.status ?? 'failed',
) => toNotice({ run, bucket, status, report });
const early = (changes: Partial<Report>): Report => ({
  ...buildEmptyReport(
    { ...completed, status: 'failed', gate: { verdict: 'none', explanation: '', isSet: false } },
    0,
  ),
  notes: [],
  labelReading: null,
  suspectLabels: null,
  comparison: null,
  costUsd: 0,
  ...changes,
});
const text = ({ subject, body, attributes }: ReturnType<typeof noticeOf>) =>
  `Subject: ${subject}\n${JSON.stringify(attributes)}\n\n${body}`;

describe('the message of a run', () => {
  it.each<[string, Report | undefined]>([
    ['completed-with-errors', completed],
    [
      'failed',
      early({
        total: 1000,
        costUsd: 0.42,
        failure: {
          error: 'NothingPredicted',
          cause: 'The model answered for no input.',
          nextStep: 'Read the job’s log.',
        },
      }),
    ],
    [
      'refused',
      early({
        status: 'refused',
        failure: { error: 'PlanRefused', cause: '2 problems', nextStep: 'Correct what the problems name.' },
        problems: [
          {
            file: 'pipeline.json',
            field: 'transform.maxPayloadInMB',
            value: '500',
            message: 'must be 1..100, is 500',
          },
          {
            file: 'job.json',
            field: 'model',
            value: '{}',
            message: 'belongs to pipeline.json: take it out',
          },
        ],
      }),
    ],
    ['empty', early({ status: 'empty', failure: null, seconds: 61 })],
    ['unreported', undefined],
  ])('that is %s looks as it did', async (name, report) => {
    await expect(text(noticeOf(report))).toMatchFileSnapshot(`../../golden/notice/${name}.txt`);
  });

  it('has a subject that SNS takes, for every drop and status', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', minLength: 1, maxLength: 200 }),
        fc.constantFrom('completed-with-errors', 'failed'),
        (drop, status) => {
          const { subject } = noticeOf(completed, `birds/${drop.replaceAll('/', '')}x/000001`, status);
          expect(subject).toMatch(/^inferdrop: [\x20-\x7e]{1,89}$/);
          expect(subject).toContain(`${status}, accuracy 83.7%`);
        },
      ),
    );
  });

  it('holds no character that steers a terminal or turns the text, whatever the name of the drop', () => {
    const { body, attributes } = noticeOf(
      early({ failure: { error: 'E', cause: 'a\u001b[31mb\u202Ec\nInputs 9', nextStep: 'n' } }),
      'birds/\u001b]0;x\u0007\u202Emonday\n/000001',
    );
    expect(body.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    expect(body).toContain('Reason     E: a�[31mb�c�Inputs 9\n');
    expect(attributes.run).toBe('birds/�]0;x��monday�/000001');
  });

  it('stays far below the 256 KB of a message, however much is wrong', () => {
    const problems = Array.from({ length: 5000 }, (_, at) => ({
      file: 'f',
      field: 'f',
      value: '',
      message: `${at} ${'x'.repeat(5000)}`,
    }));
    const { body } = noticeOf(
      early({ status: 'refused', problems, notes: Array<string>(999).fill('y'.repeat(9999)) }),
    );
    expect(Buffer.byteLength(body)).toBeLessThan(128 * 1024);
    expect(body).toContain('- and 4,980 more in the report');
  });

  it('quotes a drop with odd characters for a shell', () => {
    expect(noticeOf(completed, "birds/it's here/000001").body).toContain(
      `inferdrop report 'birds/it'\\''s here/000001'`,
    );
  });
});

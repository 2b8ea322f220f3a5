import { cellText, csvCells } from '@inferdrop/table/cells';
import type { Check } from '../check.ts';
import { CPU_INSTANCE, instanceUsd } from '../estimates.ts';
import { combineFindings, failed, type Finding, ok } from '../finding.ts';
import { TEST_TYPES } from '../probe/handler.ts';
import { runTestJob, type TestJobEnd } from '../probe/job.ts';

const ROWS = ['"a ""quoted"" cell, with a comma",1,x', 'plain,2,y'];
const FILE = 'rows.csv';
const HOURS = 0.5;

/** One transform job that joins CSV rows with the model's answers. */
export const joinedRows: Check = {
  name: 'joined-rows',
  asks: 'How does SageMaker join CSV rows with quoted cells, where does a slice of a filter end, and which newlines are there?',
  usd: (region) => instanceUsd(CPU_INSTANCE, region, HOURS),
  run: async (services) => {
    const job = await runTestJob(services, {
      purpose: 'join',
      files: { [FILE]: ROWS.join('\n') },
      slashAtEnd: true,
      spec: {
        contentType: TEST_TYPES.rows,
        accept: TEST_TYPES.rows,
        splitType: 'Line',
        assembleWith: 'Line',
        dataProcessing: { inputFilter: '$[0:1]', joinSource: 'Input' },
      },
    });
    return judgeJoin(job, ROWS);
  },
};

/** Whether the application can read joined rows. The rows were sent through the filter `$[0:1]`; the model answers in hexadecimal digits. */
export function judgeJoin(
  { status, failureReason, outputs }: Pick<TestJobEnd, 'status' | 'failureReason' | 'outputs'>,
  rows: readonly string[],
): Finding {
  const output = outputs.get(`${FILE}.out`);
  if (output === undefined)
    return failed(
      `the job is ${status} (${failureReason ?? 'no reason'}) with the outputs ${[...outputs.keys()].map((key) => JSON.stringify(key)).join(', ') || 'none'}`,
      'CSV files with labels in their rows cannot be used, or an S3OutputPath that ends in a slash makes other keys. Report this file.',
    );
  const lines = output.split('\n');
  const endsWithNewline = lines.at(-1) === '';
  const joined = endsWithNewline ? lines.slice(0, -1) : lines;
  const cells = joined.map((line) => csvCells(line));
  const sent = cells.map((row) => Buffer.from(cellText(row.at(-1) ?? ''), 'hex').toString());
  return combineFindings([
    judgeInputs(rows, joined, cells),
    judgeSlice(sent),
    ok(
      `${sent[0]?.endsWith('\n') === true ? 'a' : 'no'} newline is sent with a record; ${endsWithNewline ? 'a' : 'no'} newline ends the output`,
      'The application reads both.',
    ),
    ok('an S3OutputPath that ends in a slash makes the same keys', ''),
  ]);
}

function judgeInputs(
  rows: readonly string[],
  joined: readonly string[],
  cells: readonly (readonly string[])[],
): Finding {
  const exact =
    joined.length === rows.length && joined.every((line, index) => line.startsWith(`${rows[index]},`));
  if (exact)
    return ok(
      'joined rows keep the text of the input, quotes included',
      'Rows with quoted cells can be joined.',
    );
  const same =
    cells.length === rows.length &&
    cells.every((row, index) => {
      const own = csvCells(rows[index] ?? '').map(cellText);
      return row.length === own.length + 1 && own.every((text, at) => cellText(row[at] ?? '') === text);
    });
  const answered = `joined rows are ${joined.map((line) => JSON.stringify(line)).join(', ')}`;
  return same
    ? ok(answered, 'Rows are rewritten with the same cells, which the application reads alike.')
    : failed(
        answered,
        'Joined rows have other cells than their inputs: labels of CSV files with quotes would be misread. Use JSON Lines, and report this file.',
      );
}

function judgeSlice(sent: readonly string[]): Finding {
  const counts = [...new Set(sent.map((text) => csvCells(text.replace(/\n$/, '')).length))];
  const answered = `the filter "$[0:1]" sends ${counts.join(' or ')} cells`;
  if (counts.length === 1 && (counts[0] === 1 || counts[0] === 2))
    return ok(
      answered,
      `The end of a slice ${counts[0] === 2 ? 'belongs to it, as on the laptop' : 'does not belong to it, unlike on the laptop: leave it open, as in "$[1:]"'}.`,
    );
  return failed(
    answered,
    'transform.inputFilter does not select what it names. Use a model that takes whole rows, and report this file.',
  );
}

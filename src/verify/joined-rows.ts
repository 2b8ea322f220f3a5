import { cellText, csvCells } from '../prediction/csv-cells.ts';
import { combineFindings, type Finding } from './finding.ts';

/** Output of a job that joins CSV rows with answers; the model answers each record in hexadecimal digits. */
export interface JoinFacts {
  readonly status: string;
  readonly failureReason: string | undefined;
  readonly rows: readonly string[];
  /** Undefined where there is no output at the expected key. */
  readonly output: string | undefined;
  /** Keys of all outputs. */
  readonly keys: readonly string[];
}

/** Whether the application can read joined rows. The rows were sent through the filter `$[0:1]`. */
export function judgeJoin({ status, failureReason, rows, output, keys }: JoinFacts): Finding {
  if (output === undefined)
    return {
      answered: `the job is ${status} (${failureReason ?? 'no reason'}) with the outputs ${keys.map((key) => JSON.stringify(key)).join(', ') || 'none'}`,
      verdict: 'failed',
      means:
        'CSV files with labels in their rows cannot be used, or an S3OutputPath that ends in a slash makes other keys. Report this file.',
    };
  const lines = output.split('\n');
  const endsWithNewline = lines.at(-1) === '';
  const joined = endsWithNewline ? lines.slice(0, -1) : lines;
  const cells = joined.map((line) => csvCells(line));
  const sent = cells.map((row) => Buffer.from(cellText(row.at(-1) ?? ''), 'hex').toString());
  return combineFindings([
    judgeInputs(rows, joined, cells),
    judgeSlice(sent),
    {
      answered: `${sent[0]?.endsWith('\n') === true ? 'a' : 'no'} newline is sent with a record; ${endsWithNewline ? 'a' : 'no'} newline ends the output`,
      verdict: 'ok',
      means: 'The application reads both.',
    },
    { answered: 'an S3OutputPath that ends in a slash makes the same keys', verdict: 'ok', means: '' },
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
    return {
      answered: 'joined rows keep the text of the input, quotes included',
      verdict: 'ok',
      means: 'Rows with quoted cells can be joined.',
    };
  const same =
    cells.length === rows.length &&
    cells.every((row, index) => {
      const own = csvCells(rows[index] ?? '').map(cellText);
      return row.length === own.length + 1 && own.every((text, at) => cellText(row[at] ?? '') === text);
    });
  const answered = `joined rows are ${joined.map((line) => JSON.stringify(line)).join(', ')}`;
  return same
    ? {
        answered,
        verdict: 'ok',
        means: 'Rows are rewritten with the same cells, which the application reads alike.',
      }
    : {
        answered,
        verdict: 'failed',
        means:
          'Joined rows have other cells than their inputs: labels of CSV files with quotes would be misread. Use JSON Lines, and report this file.',
      };
}

function judgeSlice(sent: readonly string[]): Finding {
  const counts = [...new Set(sent.map((text) => csvCells(text.replace(/\n$/, '')).length))];
  const answered = `the filter "$[0:1]" sends ${counts.join(' or ')} cells`;
  if (counts.length === 1 && (counts[0] === 1 || counts[0] === 2))
    return {
      answered,
      verdict: 'ok',
      means: `The end of a slice ${counts[0] === 2 ? 'belongs to it, as on the laptop' : 'does not belong to it, unlike on the laptop: leave it open, as in "$[1:]"'}.`,
    };
  return {
    answered,
    verdict: 'failed',
    means:
      'transform.inputFilter does not select what it names. Use a model that takes whole rows, and report this file.',
  };
}

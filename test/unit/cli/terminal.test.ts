import { expect, test } from 'vitest';
import { processTerminal } from '../../../src/cli/show/terminal.ts';

/** A stream that keeps what is written. */
function stream(isTTY: boolean) {
  const written: string[] = [];
  return { written, isTTY, columns: 20, write: (text: string) => (written.push(text), true) };
}

test.skipIf(process.env.CI !== undefined || process.env.TERM === 'dumb')(
  'what others write to stderr comes above the status, which is drawn again',
  () => {
    const stderr = stream(true);
    const terminal = processTerminal({ stdout: stream(true), stderr } as never);
    terminal.status('  working');
    stderr.write('sagemaker: a remark\n');
    terminal.note('done');
    stderr.write('later\n');
    const clear = '\r\u001b[2K';
    expect(stderr.written).toEqual([
      ...['  working', clear, 'sagemaker: a remark\n', '  working'],
      ...[clear, 'done\n', 'later\n'],
    ]);
  },
);

test('without a terminal nothing is redrawn', () => {
  const stderr = stream(false);
  const terminal = processTerminal({ stdout: stream(false), stderr } as never);
  terminal.status('  working');
  stderr.write('a remark\n');
  expect(stderr.written).toEqual(['a remark\n']);
});

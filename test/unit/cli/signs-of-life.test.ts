import { expect, it } from 'vitest';
import { withSignsOfLife } from '../../../src/cli/show/signs-of-life.ts';
import { manualTime } from '../../support/manual-time.ts';
import { silentTerminal } from '../../support/silent-terminal.ts';

function watched(interactive: boolean) {
  const inner = { ...silentTerminal(), interactive };
  if (interactive) inner.status = (text) => void inner.lines.push(text);
  const time = manualTime();
  return { inner, time, ...withSignsOfLife(inner, '  drop', time) };
}

it('on a screen a command says every two seconds what goes on', () => {
  const { inner, time, terminal } = watched(true);
  time.pass(4_000);
  terminal.status('  upload');
  time.pass(1_999);
  terminal.note('done');
  time.pass(2_000);
  expect(inner.lines).toEqual(['  drop (2 s)', '  drop (4 s)', '  upload', 'done', '  upload (8 s)']);
});

it('in a pipe a line every twenty seconds says what its statuses, which nobody sees, say', () => {
  const { inner, time, terminal } = watched(false);
  for (let look = 0; look < 210; look++) {
    terminal.status(`  look ${look}`);
    time.pass(200);
  }
  expect(inner.lines).toEqual(['  · look 99 (20 s)', '  · look 199 (40 s)']);
});

it.each<[string, (watching: ReturnType<typeof watched>) => void]>([
  ['a result', ({ terminal }) => terminal.print('Ready')],
  ['an empty status, as before a question', ({ terminal }) => terminal.status('')],
  ['the end of the command', ({ stop }) => stop()],
])('after %s it says nothing, whatever is noted', (_, end) => {
  const watching = watched(false);
  end(watching);
  watching.terminal.note('an e-mail');
  watching.time.pass(3_600_000);
  expect(watching.inner.lines.at(-1)).toBe('an e-mail');
  watching.terminal.status('more work');
  watching.time.pass(20_000);
  expect(watching.inner.lines.at(-1)).toBe('  · more work (3620 s)');
});

import { expect, test } from 'vitest';
import { LogStore } from '../../logs/log-store.ts';
import { openJournal } from '../../storage/journal.ts';
import { manualClock } from '../support/manual-clock.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test('a line that finds no descriptor is kept when there is one again, and its writer goes on', async () => {
  const dir = temporaryFolder('logs-');
  const clock = manualClock();
  let refusals = 2;
  const store = new LogStore({
    dir,
    clock,
    openFile: (...args) => {
      if (refusals-- > 0) throw Object.assign(new Error('too many open files'), { code: 'EMFILE' });
      return openJournal(...args);
    },
  });
  store.write('group', 'stream', 'first');
  store.write('group', 'stream', 'second');
  await clock.advance(2000);
  const lines: unknown[] = [];
  store.read('group', ({ n, t, m }) => void lines.push([n, t, m]));
  const wroteMs = Date.UTC(2026, 0, 1);
  expect(lines).toEqual([
    [1, wroteMs, 'first'],
    [2, wroteMs, 'second'],
  ]);
  store.close();
});

import { expect, it, vi } from 'vitest';

it.each([
  ['stdout', 'log'],
  ['stderr', 'error'],
] as const)('a line on %s is output of its test, which a passing one does not show', (stream, method) => {
  const said = vi.spyOn(console, method).mockReturnValue(undefined);
  let flushed = 0;
  process[stream].write('a 100% line\n');
  process[stream].write(Buffer.from('bytes'), () => void (flushed += 1));
  expect(said.mock.calls).toEqual([['a 100% line'], ['bytes']]);
  expect(flushed).toBe(1);
  said.mockRestore();
});

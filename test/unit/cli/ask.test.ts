import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { requireConsent } from '../../../src/cli/show/ask.ts';

/** A person who types this; a pipe where they type nothing. */
function streams(typed: string | undefined) {
  const stdin = Object.assign(new PassThrough(), { isTTY: typed !== undefined });
  const stderr = Object.assign(new PassThrough(), { isTTY: typed !== undefined });
  stdin.end(typed);
  return { stdin, stderr } as unknown as Pick<NodeJS.Process, 'stdin' | 'stderr'>;
}

test.each(['y\n', 'Yes\n', ' y \n'])('%j agrees', async (typed) => {
  await expect(requireConsent(streams(typed))).resolves.toBeUndefined();
});

test.each(['\n', 'n\n', 'yep\n'])('%j does not', async (typed) => {
  await expect(requireConsent(streams(typed))).rejects.toThrow(/^nothing has started$/);
});

test('without a terminal, the option is named', async () => {
  await expect(requireConsent(streams(undefined))).rejects.toThrow('no terminal to agree in; add --yes');
});

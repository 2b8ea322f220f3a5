import { createInterface } from 'node:readline/promises';
import { Refusal } from '../refusal.ts';

/** Streams of a person who can answer. */
type Streams = Pick<NodeJS.Process, 'stdin' | 'stderr'>;

/** An answer that is typed in a terminal; undefined without a terminal. */
export async function ask(
  question: string,
  { stdin, stderr }: Streams = process,
): Promise<string | undefined> {
  if (!stdin.isTTY || !stderr.isTTY) return undefined;
  const lines = createInterface({ input: stdin, output: stderr });
  try {
    return await lines.question(question);
  } finally {
    lines.close();
  }
}

/** Asks whether to begin what costs money. @throws {Refusal} unless a person agrees */
export async function requireConsent(streams: Streams = process): Promise<void> {
  const typed = await ask('Start? [y/N] ', streams);
  if (typed === undefined)
    throw new Refusal('nothing has started: this is no terminal to agree in; add --yes');
  if (!/^y(es)?$/i.test(typed.trim())) throw new Refusal('nothing has started');
}

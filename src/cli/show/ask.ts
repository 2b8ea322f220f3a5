import { createInterface } from 'node:readline/promises';

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

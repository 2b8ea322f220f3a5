import { type HandledLetter, MAX_LETTERS } from '../app/drop/dead-letters.ts';
import { type DeadLetters, deadLetters } from '../aws/messages/dead-letters.ts';
import type { LetterMachines } from '../drop/dead-letter.ts';
import { utc } from '../text/dates.ts';
import { connect } from './application.ts';
import { type Column, toTable } from './show/table.ts';
import { type Terminal, visible } from './show/terminal.ts';

const COLUMNS: readonly Column<HandledLetter>[] = [
  { title: 'SENT (UTC)', text: ({ sentAt }) => utc(sentAt) },
  { title: 'FROM', text: ({ from }) => visible(from) },
  { title: 'ABOUT', text: ({ about }) => visible(about) },
  { title: 'BELONGS TO', text: ({ destination }) => destination.to },
  { title: 'OUTCOME', text: ({ outcome }) => outcome },
  { title: 'WHY', text: ({ why, problem }) => visible(problem ?? why).slice(0, 200) },
];

/** The dead letters of a deployment. */
export async function connectLetters(
  stage: string,
): Promise<{ readonly letters: DeadLetters; readonly machines: LetterMachines }> {
  const { queues, machines, endpointPrefix } = await connect(stage);
  return {
    letters: deadLetters({
      queueUrl: queues.deadLetters,
      uploadsUrl: queues.uploads,
      functionPrefix: endpointPrefix,
    }),
    machines,
  };
}

/** Prints letters as a table, or as JSON. */
export function printLetters(
  letters: readonly HandledLetter[],
  asJson: boolean | undefined,
  terminal: Terminal,
): void {
  if (asJson) terminal.print(JSON.stringify(letters));
  else if (letters.length === 0) terminal.note('there are no dead letters');
  else for (const line of toTable(letters, COLUMNS)) terminal.print(line);
  if (letters.length >= MAX_LETTERS)
    terminal.note(`these are the first ${letters.length}; there may be more: call it again`);
}

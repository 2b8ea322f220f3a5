import { Refusal } from '../refusal.ts';
import { ask } from '../show/ask.ts';
import type { Terminal } from '../show/terminal.ts';

/** A question that neither the model nor the files answer. */
export interface Question {
  readonly text: string;
  /** The option that answers it, with its placeholder. */
  readonly option: string;
  /** Answer that an empty line stands for. */
  readonly offered?: string | undefined;
  /** Whether a script takes what is offered. */
  readonly isShown?: boolean;
  /** How a script takes what is offered although it is not shown to be right. */
  readonly remedy?: string | undefined;
  /** @returns what is wrong with an answer */
  problem?(answer: string): string | undefined;
}

/** Gets the answer to a question. */
export type Decide = (question: Question) => Promise<string>;

/**
 * Asks the person at the terminal, until the answer is right. Without a terminal, or if `yes` says not to ask, takes the suggestion
 * if it's shown to be right.
 *
 * @throws {Refusal} that names the option, if there's no terminal to ask in
 */
export function decider(terminal: Terminal, yes: boolean): Decide {
  return async ({ text, option, offered, isShown = false, remedy, problem = () => undefined }) => {
    const unanswered = `${text}: answer with ${option}${remedy === undefined ? '' : `; ${remedy}`}`;
    if (yes) {
      if (offered !== undefined && isShown) return offered;
      throw new Refusal(unanswered);
    }
    for (;;) {
      terminal.status('');
      const typed = await ask(`${text}${offered === undefined ? '' : ` [${offered}]`}: `);
      if (typed === undefined) throw new Refusal(`${unanswered}, or give --yes to take what is certain`);
      const answer = typed.trim() === '' ? offered : typed.trim();
      const wrong = answer === undefined ? 'has no default' : problem(answer);
      if (answer !== undefined && wrong === undefined) return answer;
      terminal.note(`The answer ${wrong ?? ''}.`);
    }
  };
}

import { connect } from '../application.ts';
import { Refusal } from '../refusal.ts';
import type { Terminal } from '../show/terminal.ts';
import { openConsoleNear } from './open-console.ts';
import type { Console } from './server.ts';

/** The console of a stack of this machine, and the way to it from the stack's own address. */
export interface StackConsole {
  /** For {@link import('../laptop/laptop-stack.ts').Machine}: browsers are led to the console once it is open. */
  readonly homePage: () => string | undefined;
  /**
   * Serves the console at the port after the stack's, if that is free, and prints its address. If the stack refuses it, the reason
   * is printed, and the stack stays up without it.
   */
  open(stage: string, stackEndpoint: string, terminal: Terminal): Promise<void>;
  close(): Promise<void>;
}

/** A console that is still to be opened. */
export function consoleOfStack(): StackConsole {
  let pages: Console | undefined;
  return {
    homePage: () => pages && `${pages.origin}/`,
    async open(stage, stackEndpoint, terminal) {
      const port = Number(new URL(stackEndpoint).port) + 1;
      try {
        pages = await openConsoleNear(await connect(stage), stage, port);
        terminal.print(`Console: ${pages.address}`);
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        terminal.note(`The console is not open (\`inferdrop console\` opens it): ${error.message}`);
      }
    },
    async close() {
      await pages?.close();
    },
  };
}

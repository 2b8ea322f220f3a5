import { connect } from '../application.ts';
import type { Terminal } from '../show/terminal.ts';
import { openConsoleNear } from './open-console.ts';
import type { Console } from './server.ts';

/** The console of a stack of this machine, and the way to it from the stack's own address. */
export interface StackConsole {
  /** For {@link import('../laptop/laptop-stack.ts').Machine}: browsers are led to the console once it is open. */
  readonly homePage: () => string | undefined;
  /** Serves the console at the port after the stack's, if that is free, and prints its address. */
  open(stage: string, stackEndpoint: string, terminal: Terminal): Promise<void>;
  close(): Promise<void>;
}

/** A console that is still to be opened. */
export function consoleOfStack(): StackConsole {
  let pages: Console | undefined;
  return {
    homePage: () => pages && `${pages.origin}/`,
    async open(stage, stackEndpoint, terminal) {
      pages = await openConsoleNear(await connect(stage), stage, Number(new URL(stackEndpoint).port) + 1);
      terminal.print(`Console: ${pages.address}`);
    },
    async close() {
      await pages?.close();
    },
  };
}

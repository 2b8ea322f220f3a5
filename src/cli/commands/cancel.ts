import { cancel as cancelRun } from '../../app/cancel.ts';
import { connect } from '../application.ts';
import type { Command } from '../command-line.ts';
import { toRun } from '../run-result.ts';

/** `inferdrop cancel`: ends a run's execution and its transform job. */
export function cancel({ stage, run }: { readonly stage: string; readonly run: string }): Command {
  return async (terminal) => {
    toRun(run);
    const outcome = await cancelRun({ run }, await connect(stage));
    terminal.print(JSON.stringify(outcome));
    return 0;
  };
}

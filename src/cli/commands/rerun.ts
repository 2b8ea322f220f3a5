import { rerun as rerunRun } from '../../app/drop/rerun.ts';
import { connect } from '../application.ts';
import type { Command } from '../command.ts';
import { finishRun } from '../finish-run.ts';
import { toRun } from '../run-result.ts';

/** `inferdrop rerun`: the same manifest once more, with a fresh plan. */
export function rerun(options: {
  readonly stage: string;
  readonly run: string;
  readonly wait: boolean;
  readonly json: boolean;
}): Command {
  return async (terminal) => {
    toRun(options.run);
    const application = await connect(options.stage);
    const startedAt = performance.now();
    const { run } = await rerunRun({ run: options.run }, application);
    if (options.wait) return finishRun(application, run, terminal, { json: options.json, startedAt });
    terminal.print(options.json ? JSON.stringify({ run }) : `${run} has started`);
    return 0;
  };
}

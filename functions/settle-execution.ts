import {
  settleExecution,
  SettleExecutionInput,
  SettleExecutionOutput,
} from '../src/app/run/settle-execution.ts';
import { settlingServices } from './runtime/settling.ts';
import { step } from './runtime/step.ts';

/** "Step Functions Execution Status Change" of executions that failed, timed out or were stopped. */
export const handler = step({
  input: SettleExecutionInput,
  output: SettleExecutionOutput,
  services: settlingServices,
  run: settleExecution,
});

import * as z from 'zod';
import { AwsError } from '../../kernel/aws-error.ts';
import { checkArn } from '../arn.ts';
import { Logging } from '../definition/logging.ts';
import type { StoredMachine } from '../store/machines.ts';
import type { StatesDeps } from './deps.ts';

/** Tags of a state machine. Step Functions spells their members in lower case. */
export const Tags = z.array(z.strictObject({ key: z.string(), value: z.string() }));

/** Members that CreateStateMachine and UpdateStateMachine have in common. */
export const MachineSettings = {
  loggingConfiguration: Logging.optional(),
  tracingConfiguration: z.strictObject({ enabled: z.boolean() }).optional(),
  publish: z.literal(false, 'versions are not emulated').optional(),
  versionDescription: z.never('versions are not emulated').optional(),
  encryptionConfiguration: z
    .strictObject({ type: z.literal('AWS_OWNED_KEY', 'only AWS_OWNED_KEY is emulated') })
    .optional(),
};

/** @throws {AwsError} `InvalidArn`, `StateMachineDoesNotExist` */
export function requireMachine({ machines }: StatesDeps, arn: string): StoredMachine {
  checkArn(arn, 'stateMachine');
  const machine = machines.get(arn);
  if (!machine) throw new AwsError('StateMachineDoesNotExist', `State Machine Does Not Exist: '${arn}'`);
  return machine;
}

/** @throws {AwsError} `InvalidLoggingConfiguration`: a level that logs needs one log group, by its ARN with `:*` */
export function checkLogging({ level, destinations }: Logging): void {
  if (level === 'OFF') return;
  const refuse = (reason: string): never => {
    throw new AwsError('InvalidLoggingConfiguration', `Invalid Logging Configuration: ${reason}`);
  };
  const [only, ...others] = destinations;
  if (!only || others.length > 0) return refuse('Must specify exactly one Log Destination.');
  const { logGroupArn } = only.cloudWatchLogsLogGroup;
  if (!/^arn:[\w-]+:logs:[\w-]*:\d*:log-group:/.test(logGroupArn))
    refuse('Provided ARN is not CloudWatch Logs Log Group ARN.');
  if (!logGroupArn.endsWith(':*')) refuse("Log Group ARN must be provided with '*' qualifier.");
}

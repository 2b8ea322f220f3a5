import type { StartContainer } from '@inferdrop/model-container/container';
import type { Clock } from '../../kernel/clock.ts';
import type { LogWriter, ObjectAccess } from '../../kernel/ports.ts';
import type { TransformFaults } from '../faults.ts';

/** Dependencies of every job. */
export interface TransformJobRunner {
  readonly objects: ObjectAccess;
  readonly logs: LogWriter;
  readonly clock: Clock;
  readonly faults: TransformFaults;
  readonly startContainer: StartContainer;
  /** Where archives are unpacked while their job runs. */
  readonly workDir: string;
}

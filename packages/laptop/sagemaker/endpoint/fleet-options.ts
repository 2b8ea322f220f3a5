import type { StartContainer } from '@inferdrop/model-container/container';
import type { Clock } from '../../kernel/clock.ts';
import type { LogWriter, ObjectAccess } from '../../kernel/ports.ts';
import type { ModelRecord } from '../model-record.ts';

/** Dependencies of every fleet of containers. */
export interface FleetOptions {
  /** Objects that the role of a model may read. */
  readonly objectsOf: (model: ModelRecord) => ObjectAccess;
  readonly logs: LogWriter;
  readonly clock: Clock;
  readonly startContainer: StartContainer;
  /** Where archives are unpacked while containers run. */
  readonly workDir: string;
  /** From 0 up to 1. */
  readonly random: () => number;
  /** How long a serverless variant stays warm without requests. */
  readonly serverlessIdleMs: number;
}

import type { Clock } from '../../kernel/clock.ts';
import type { Block, MapState, TaskState } from '../definition/machine.ts';
import type { Evaluator } from '../expression/evaluate.ts';
import type { Chance } from '../expression/functions.ts';
import type { Json } from '../json.ts';
import type { Payload } from '../payload.ts';
import type { Interruption } from './interruption.ts';
import type { Thread, Visit } from './thread.ts';

/** Dependencies of the states. */
export interface Engine {
  readonly clock: Clock;
  readonly chance: Chance;
  readonly evaluate: Evaluator;
  /** Runs a block from its first state to its end, or from where it was interrupted. */
  readonly runBlock: (
    block: Block,
    input: Payload,
    thread: Thread,
    interruption?: Interruption,
  ) => Promise<Payload>;
  /** One attempt of a Task, from its first event to its last. */
  readonly runTask: (state: TaskState, visit: Visit) => Promise<Payload>;
  /** One attempt of a Map in distributed mode. */
  readonly runDistributedMap: (state: MapState, visit: Visit) => Promise<Json>;
}

import type * as z from 'zod';
import type { stateFields } from './fields.ts';
import type { Integration } from './integration.ts';
import type { StatePlace } from './problem.ts';

type Fields = { readonly [Type in keyof typeof stateFields]: z.infer<(typeof stateFields)[Type]> };

/** A name is unique in the whole machine. */
type Named = StatePlace;

type PassState = Named & Fields['Pass'];
export type TaskState = Named & Fields['Task'] & { readonly integration: Integration };
export type ChoiceState = Named & Fields['Choice'];
export type WaitState = Named & Fields['Wait'];
type SucceedState = Named & Fields['Succeed'];
export type FailState = Named & Fields['Fail'];
export type ParallelState = Named &
  Omit<Fields['Parallel'], 'Branches'> & { readonly branches: readonly Block[] };
export type MapState = Named &
  Omit<Fields['Map'], 'ItemProcessor'> & {
    readonly processor: Block;
    readonly mode: 'INLINE' | 'DISTRIBUTED';
  };

export type State =
  PassState | TaskState | ChoiceState | WaitState | SucceedState | FailState | ParallelState | MapState;

/** States that are run one after the other from `startAt`. */
export interface Block {
  /** Where it stands in the machine, as in `/States/Fold/ItemProcessor`; empty for the machine itself. */
  readonly path: string;
  readonly startAt: string;
  readonly states: ReadonlyMap<string, State>;
}

export interface Machine extends Block {
  readonly timeoutSeconds: number | undefined;
}

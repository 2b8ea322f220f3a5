import type * as z from 'zod';
import type { stateFields } from './fields.ts';
import type { Integration } from './integration.ts';
import type { StatePlace } from './problem.ts';

type Fields = { readonly [Type in keyof typeof stateFields]: z.infer<(typeof stateFields)[Type]> };

/** A name is unique in the whole machine. */
type Named = StatePlace;

type PassState = Named & Fields['Pass'];
/** A `Task`, with its Resource read. */
export type TaskState = Named & Fields['Task'] & { readonly integration: Integration };
/** A `Choice`: the first rule with a true condition names the next state, else `Default`. */
export type ChoiceState = Named & Fields['Choice'];
/** A `Wait` of some seconds, or until a time. */
export type WaitState = Named & Fields['Wait'];
type SucceedState = Named & Fields['Succeed'];
/** A `Fail`; its error and cause may be expressions. */
export type FailState = Named & Fields['Fail'];
/** A `Map` in distributed mode, with its processor read. */
export type MapState = Named & Omit<Fields['Map'], 'ItemProcessor'> & { readonly processor: Block };

/** A state as it was read: with its name and place, and defaults where the definition says nothing. */
export type State = PassState | TaskState | ChoiceState | WaitState | SucceedState | FailState | MapState;

/** States that are run one after the other from `startAt`. */
export interface Block {
  /** Where it stands in the machine, as in `/States/Fold/ItemProcessor`; empty for the machine itself. */
  readonly path: string;
  readonly startAt: string;
  readonly states: ReadonlyMap<string, State>;
}

/** A definition that has been read, and that this stack runs as AWS does. */
export interface Machine extends Block {
  readonly timeoutSeconds: number | undefined;
}

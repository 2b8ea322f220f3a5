/** Names of the kinds of runs. */
export const RUN_KIND_NAMES = ['inference', 'training'] as const;
/** Kind of a drop's runs: they predict its files, or train a model on them. */
export type RunKind = (typeof RUN_KIND_NAMES)[number];

interface RunKindFacts {
  /** Word for one of them in messages, metrics and alarms. */
  readonly noun: string;
  /** Folder of the bucket that its drops lie in. */
  readonly folder: string;
  /**
   * Beginning of every name derived from a run: its id, its keys below `state/`, `runs/` and `index/`, its execution. Changing it would
   * change each stored name, and, with the execution's name, break the promise of one run a drop.
   */
  readonly prefix: '' | `${string}/`;
  /** Whether labels judge its runs: `labels.*` is no input then, and drops named `@…` stand for evaluation sets. */
  readonly isJudged: boolean;
  /** Its state machine's ARN: environment variable of functions, and output of the stack. */
  readonly machine: { readonly variable: string; readonly output: string };
}

/** Every kind of run, with all the facts in which the kinds differ up to the start of their state machines. */
export const RUN_KINDS = {
  inference: {
    noun: 'run',
    folder: 'incoming',
    prefix: '',
    isJudged: true,
    machine: { variable: 'STATE_MACHINE_ARN', output: 'StateMachineArn' },
  },
  training: {
    noun: 'training',
    folder: 'training',
    prefix: 'training/',
    isJudged: false,
    machine: { variable: 'TRAINING_MACHINE_ARN', output: 'TrainingMachineArn' },
  },
} as const satisfies Readonly<Record<RunKind, RunKindFacts>>;

/** One value for each kind of run. */
export type ByRunKind<Value> = Readonly<Record<RunKind, Value>>;

/** The values that `valueOf` returns, by kind. */
export function byRunKind<Value>(valueOf: (facts: RunKindFacts) => Value): ByRunKind<Value> {
  return { inference: valueOf(RUN_KINDS.inference), training: valueOf(RUN_KINDS.training) };
}

/** The kind that a name begins with, and the rest of the name. */
export function splitRunKind(name: string): { readonly kind: RunKind; readonly rest: string } {
  const kind = RUN_KIND_NAMES.find(
    (each) => RUN_KINDS[each].prefix !== '' && name.startsWith(RUN_KINDS[each].prefix),
  );
  return kind === undefined
    ? { kind: 'inference', rest: name }
    : { kind, rest: name.slice(RUN_KINDS[kind].prefix.length) };
}

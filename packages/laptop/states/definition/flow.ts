import type { Block, State } from './machine.ts';
import { type DefinitionProblem, problemOf } from './problem.ts';
import type { FieldProblem } from './schema-problems.ts';

/** Problems of transitions and of combinations of fields: what a schema of single fields cannot see. */
export function flowProblems(block: Block): DefinitionProblem[] {
  const problems: DefinitionProblem[] = [];
  const missing = (target: string) => `Missing 'Next' target: ${target}`;
  const hasStart = block.states.has(block.startAt);
  if (!hasStart)
    problems.push({
      code: 'MISSING_TRANSITION_TARGET',
      message: missing(block.startAt),
      location: `${block.path}/StartAt`,
    });
  const reached = reachableFrom(block);
  const isEndless = ![...block.states.values()].some(isTerminal);
  for (const state of block.states.values()) {
    for (const { field, target } of targetsOf(state))
      if (!block.states.has(target))
        problems.push(problemOf(state, field, missing(target), 'MISSING_TRANSITION_TARGET'));
    if (hasStart && !isEndless && !reached.has(state.name))
      problems.push(
        problemOf(state, '', `State "${state.name}" is not reachable.`, 'MISSING_TRANSITION_TARGET'),
      );
    for (const { field, message } of stateProblems(state)) problems.push(problemOf(state, field, message));
    for (const inner of innerBlocks(state)) problems.push(...flowProblems(inner));
  }
  if (isEndless) problems.push({ code: 'MISSING_END_STATE', message: 'Workflow has no terminal state' });
  return problems;
}

function isTerminal(state: State): boolean {
  return state.Type === 'Succeed' || state.Type === 'Fail' || ('End' in state && state.End === true);
}

interface Transition {
  /** As in `Catch[0].Next`. */
  readonly field: string;
  readonly target: string;
}

/** The blocks inside a Parallel or a Map. */
export function innerBlocks(state: State): readonly Block[] {
  if (state.Type === 'Parallel') return state.branches;
  return state.Type === 'Map' ? [state.processor] : [];
}

/** Every state of a block and of the blocks inside it. */
export function* allStates(block: Block): Generator<State> {
  for (const state of block.states.values()) {
    yield state;
    for (const inner of innerBlocks(state)) yield* allStates(inner);
  }
}

/** Every state that may follow. */
function targetsOf(state: State): Transition[] {
  const to = (field: string, target: string | undefined): Transition[] =>
    target === undefined ? [] : [{ field, target }];
  switch (state.Type) {
    case 'Succeed':
    case 'Fail':
      return [];
    case 'Choice':
      return [
        ...state.Choices.flatMap((rule, index) => to(`Choices[${index}].Next`, rule.Next)),
        ...to('Default', state.Default),
      ];
    case 'Pass':
    case 'Wait':
      return to('Next', state.Next);
    case 'Task':
    case 'Parallel':
    case 'Map':
      return [
        ...to('Next', state.Next),
        ...state.Catch.flatMap((catcher, index) => to(`Catch[${index}].Next`, catcher.Next)),
      ];
  }
}

function reachableFrom({ startAt, states }: Block): ReadonlySet<string> {
  const reached = new Set<string>();
  const open = [startAt];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const state = states.get(name);
    if (!state || reached.has(name)) continue;
    reached.add(name);
    open.push(...targetsOf(state).map(({ target }) => target));
  }
  return reached;
}

function stateProblems(state: State): FieldProblem[] {
  switch (state.Type) {
    case 'Succeed':
    case 'Fail':
    case 'Choice':
      return [];
    case 'Pass':
      return endingProblems(state);
    case 'Wait': {
      return [...endingProblems(state), ...oneOf(state, ['Seconds', 'Timestamp'])];
    }
    case 'Task':
      return [...endingProblems(state), ...guardProblems(state), ...heartbeatProblems(state)];
    case 'Parallel':
      return [...endingProblems(state), ...guardProblems(state)];
    case 'Map':
      return [...endingProblems(state), ...guardProblems(state), ...mapProblems(state)];
  }
}

function endingProblems({
  Next,
  End,
}: {
  Next?: string | undefined;
  End?: boolean | undefined;
}): FieldProblem[] {
  return oneOf({ Next, End: End === true ? End : undefined }, ['Next', 'End']);
}

function oneOf(fields: object, names: readonly string[]): FieldProblem[] {
  const given = names.filter((name) => Reflect.get(fields, name) !== undefined);
  if (given.length === 1) return [];
  const message =
    given.length === 0
      ? 'This object should have only one of the following fields:'
      : 'There should only be one of the following fields:';
  return [{ field: '', message: `${message} [${names.join(', ')}]` }];
}

function guardProblems(state: Extract<State, { Retry: unknown }>): FieldProblem[] {
  return (['Retry', 'Catch'] as const).flatMap((field) =>
    state[field].flatMap(({ ErrorEquals }, index) => {
      const isLast = index === state[field].length - 1;
      if (!ErrorEquals.includes('States.ALL') || (isLast && ErrorEquals.length === 1)) return [];
      return [
        {
          field: `${field}[${index}].ErrorEquals`,
          message: 'States.ALL must appear alone and at end of list',
        },
      ];
    }),
  );
}

function heartbeatProblems({
  HeartbeatSeconds,
  TimeoutSeconds,
}: Extract<State, { Type: 'Task' }>): FieldProblem[] {
  if (
    typeof HeartbeatSeconds !== 'number' ||
    typeof TimeoutSeconds !== 'number' ||
    HeartbeatSeconds < TimeoutSeconds
  )
    return [];
  return [
    {
      field: 'HeartbeatSeconds',
      message: `HeartbeatSeconds must be less than TimeoutSeconds (${TimeoutSeconds}), is ${HeartbeatSeconds}`,
    },
  ];
}

const DISTRIBUTED_ONLY = [
  'ItemReader',
  'ItemBatcher',
  'ResultWriter',
  'ToleratedFailureCount',
  'ToleratedFailurePercentage',
  'Label',
] as const;

function mapProblems(state: Extract<State, { Type: 'Map' }>): FieldProblem[] {
  const problems: FieldProblem[] = [];
  const say = (field: string, message: string): void => void problems.push({ field, message });
  if (state.mode === 'INLINE') {
    for (const field of DISTRIBUTED_ONLY) {
      if (state[field] !== undefined)
        say('', `Field '${field}' is not supported without "ProcessorConfig": { "Mode": "DISTRIBUTED" }`);
    }
  }
  if (state.Items !== undefined && state.ItemReader) problems.push(...oneOf(state, ['Items', 'ItemReader']));
  const { ItemReader: reader, ItemBatcher: batcher, ResultWriter: writer } = state;
  if (batcher && batcher.MaxItemsPerBatch === undefined && batcher.MaxInputBytesPerBatch === undefined) {
    say('ItemBatcher', 'ItemBatcher needs MaxItemsPerBatch or MaxInputBytesPerBatch');
  }
  if (
    writer &&
    (writer.Resource === undefined ? !writer.WriterConfig : !/:states:::s3:putObject$/.test(writer.Resource))
  ) {
    say('ResultWriter.Resource', 'must be arn:aws:states:::s3:putObject (or absent beside a WriterConfig)');
  }
  if (!reader) return problems;
  const call = /:states:::s3:(getObject|listObjectsV2)$/.exec(reader.Resource)?.[1];
  if (call === undefined) {
    say(
      'ItemReader.Resource',
      "The field 'Resource' does not match any of the allowed values: arn:aws:states:::s3:getObject, arn:aws:states:::s3:listObjectsV2",
    );
  }
  const config = reader.ReaderConfig ?? {};
  const { InputType: type, CSVHeaderLocation: headers } = config;
  const at = reader.ReaderConfig ? 'ItemReader.ReaderConfig' : 'ItemReader';
  if (call === 'getObject' && type === undefined) {
    say(at, `These fields are required: [${reader.ReaderConfig ? 'InputType' : 'ReaderConfig'}]`);
  }
  if (type === 'CSV' && headers === undefined) say(at, "The field 'CSVHeaderLocation' is required");
  if (type !== undefined && type !== 'CSV' && headers !== undefined)
    say(at, "Field 'CSVHeaderLocation' is not supported");
  if (headers === 'GIVEN' && !config.CSVHeaders) say(at, 'These fields are required: [CSVHeaders]');
  return problems;
}

import type { Block, State } from './machine.ts';
import type { DefinitionProblem } from './problem.ts';

/** Problems of transitions and of combinations of fields: what a schema of single fields cannot see. */
export function flowProblems(block: Block): DefinitionProblem[] {
  const problems: DefinitionProblem[] = [];
  if (!block.states.has(block.startAt))
    problems.push({ message: `StartAt names no state: '${block.startAt}'` });
  const reached = reachableFrom(block);
  for (const state of block.states.values()) {
    const say = (message: string): void => void problems.push({ state: state.name, message });
    for (const target of targetsOf(state)) {
      if (!block.states.has(target)) say(`there is no state '${target}' to go to in its block`);
    }
    if (block.states.has(block.startAt) && !reached.has(state.name)) say('no path from StartAt leads to it');
    for (const message of stateProblems(state)) say(message);
    for (const inner of innerBlocks(state)) problems.push(...flowProblems(inner));
  }
  return problems;
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
function targetsOf(state: State): string[] {
  switch (state.Type) {
    case 'Succeed':
    case 'Fail':
      return [];
    case 'Choice':
      return [
        ...state.Choices.map((rule) => rule.Next),
        ...(state.Default === undefined ? [] : [state.Default]),
      ];
    case 'Pass':
    case 'Wait':
      return state.Next === undefined ? [] : [state.Next];
    case 'Task':
    case 'Parallel':
    case 'Map':
      return [
        ...(state.Next === undefined ? [] : [state.Next]),
        ...state.Catch.map((catcher) => catcher.Next),
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
    open.push(...targetsOf(state));
  }
  return reached;
}

function stateProblems(state: State): string[] {
  switch (state.Type) {
    case 'Succeed':
    case 'Fail':
    case 'Choice':
      return [];
    case 'Pass':
      return endingProblems(state);
    case 'Wait': {
      const says = [state.Seconds, state.Timestamp].filter((field) => field !== undefined).length;
      return [...endingProblems(state), ...(says === 1 ? [] : ['a Wait has one of Seconds and Timestamp'])];
    }
    case 'Task':
      return [...endingProblems(state), ...guardProblems(state), ...heartbeatProblems(state)];
    case 'Parallel':
      return [...endingProblems(state), ...guardProblems(state)];
    case 'Map':
      return [...endingProblems(state), ...guardProblems(state), ...mapProblems(state)];
  }
}

function endingProblems({ Next, End }: { Next?: string | undefined; End?: boolean | undefined }): string[] {
  return (Next !== undefined) === (End === true) ? ['it needs either Next or "End": true'] : [];
}

function guardProblems(state: Extract<State, { Retry: unknown }>): string[] {
  return (['Retry', 'Catch'] as const).flatMap((field) =>
    state[field].flatMap(({ ErrorEquals }, index) => {
      if (!ErrorEquals.includes('States.ALL')) return [];
      const at = `${field}[${index}].ErrorEquals`;
      const alone = ErrorEquals.length === 1 ? [] : [`${at}: States.ALL must stand alone`];
      return index === state[field].length - 1
        ? alone
        : [...alone, `${at}: States.ALL must be in the last entry`];
    }),
  );
}

function heartbeatProblems({ HeartbeatSeconds, TimeoutSeconds }: Extract<State, { Type: 'Task' }>): string[] {
  if (
    typeof HeartbeatSeconds !== 'number' ||
    typeof TimeoutSeconds !== 'number' ||
    HeartbeatSeconds < TimeoutSeconds
  )
    return [];
  return [`HeartbeatSeconds must be less than TimeoutSeconds (${TimeoutSeconds}), is ${HeartbeatSeconds}`];
}

const DISTRIBUTED_ONLY = [
  'ItemReader',
  'ItemBatcher',
  'ResultWriter',
  'ToleratedFailureCount',
  'ToleratedFailurePercentage',
  'Label',
] as const;

function mapProblems(state: Extract<State, { Type: 'Map' }>): string[] {
  const problems: string[] = [];
  if (state.mode === 'INLINE') {
    for (const field of DISTRIBUTED_ONLY) {
      if (state[field] !== undefined)
        problems.push(`${field} needs "ProcessorConfig": { "Mode": "DISTRIBUTED" }`);
    }
  }
  if (state.Items !== undefined && state.ItemReader) problems.push('a Map has one of Items and ItemReader');
  const { ItemReader: reader, ItemBatcher: batcher, ResultWriter: writer } = state;
  if (batcher && batcher.MaxItemsPerBatch === undefined && batcher.MaxInputBytesPerBatch === undefined) {
    problems.push('ItemBatcher needs MaxItemsPerBatch or MaxInputBytesPerBatch');
  }
  if (
    writer &&
    (writer.Resource === undefined ? !writer.WriterConfig : !/:states:::s3:putObject$/.test(writer.Resource))
  ) {
    problems.push(
      'ResultWriter.Resource must be arn:aws:states:::s3:putObject (or absent beside a WriterConfig)',
    );
  }
  if (!reader) return problems;
  const call = /:states:::s3:(getObject|listObjectsV2)$/.exec(reader.Resource)?.[1];
  if (call === undefined) {
    problems.push(
      'ItemReader.Resource must be arn:aws:states:::s3:getObject or arn:aws:states:::s3:listObjectsV2',
    );
  }
  const type = reader.ReaderConfig?.InputType;
  if (call === 'getObject' && type === undefined) {
    problems.push('ItemReader.ReaderConfig.InputType must be one of CSV, JSON, JSONL, MANIFEST');
  }
  if (type === 'CSV' && reader.ReaderConfig?.CSVHeaderLocation === undefined) {
    problems.push('ItemReader.ReaderConfig.CSVHeaderLocation must be FIRST_ROW or GIVEN');
  }
  if (reader.ReaderConfig?.CSVHeaderLocation === 'GIVEN' && !reader.ReaderConfig.CSVHeaders) {
    problems.push('ItemReader.ReaderConfig.CSVHeaders must be given when CSVHeaderLocation is GIVEN');
  }
  return problems;
}

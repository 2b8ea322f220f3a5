import * as z from 'zod';
import { blockFields, machineFields, stateFields } from './fields.ts';
import { expressionProblems } from './expressions.ts';
import { flowProblems } from './flow.ts';
import { UnsupportedResource, readIntegration } from './integration.ts';
import { jsonPathProblems } from './json-path.ts';
import type { Block, Machine, State } from './machine.ts';
import type { DefinitionProblem } from './problem.ts';
import { InvalidDefinition } from './problem.ts';

interface Reading {
  readonly problems: DefinitionProblem[];
  readonly seen: Set<string>;
}

/**
 * Reads a definition, refusing everything that this stack would not run as AWS does.
 *
 * @throws {InvalidDefinition} with every problem found
 */
export function parseDefinition(text: string): Machine {
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch (error) {
    throw new InvalidDefinition([{ message: `the definition is not JSON: ${String(error)}` }]);
  }
  const reading: Reading = { problems: [], seen: new Set() };
  const fields = readFields(machineFields, raw, undefined, reading);
  if (!fields) throw new InvalidDefinition(reading.problems);
  const block = readBlock(fields, fields.QueryLanguage === 'JSONata', reading);
  if (reading.problems.length === 0)
    reading.problems.push(...flowProblems(block), ...expressionProblems(block));
  if (reading.problems.length > 0) throw new InvalidDefinition(reading.problems);
  return { ...block, timeoutSeconds: fields.TimeoutSeconds };
}

function readFields<Fields extends z.ZodType>(
  schema: Fields,
  raw: unknown,
  state: string | undefined,
  { problems }: Reading,
): z.infer<Fields> | undefined {
  const jsonPath = state === undefined ? machineJsonPath(raw) : jsonPathProblems(raw);
  if (jsonPath.length > 0) {
    problems.push(...jsonPath.map((message) => withState(state, message)));
    return undefined;
  }
  const result = schema.safeParse(raw);
  if (result.success) return result.data;
  problems.push(
    ...result.error.issues.map((issue) =>
      withState(state, `${issue.path.join('.') || 'definition'}: ${issue.message}`),
    ),
  );
  return undefined;
}

function machineJsonPath(raw: unknown): string[] {
  const language: unknown =
    typeof raw === 'object' && raw !== null ? Reflect.get(raw, 'QueryLanguage') : undefined;
  return language === 'JSONPath' ? ['QueryLanguage is JSONPath; this stack runs JSONata only'] : [];
}

function withState(state: string | undefined, message: string): DefinitionProblem {
  return state === undefined ? { message } : { state, message };
}

function readBlock(
  fields: { readonly StartAt: string; readonly States: Readonly<Record<string, unknown>> },
  isJsonata: boolean,
  reading: Reading,
): Block {
  const states = new Map<string, State>();
  for (const [name, raw] of Object.entries(fields.States)) {
    if (reading.seen.has(name))
      reading.problems.push({ state: name, message: 'the name is used twice in the machine' });
    if (name.length > 80)
      reading.problems.push({ state: name, message: 'the name is longer than 80 characters' });
    reading.seen.add(name);
    const state = readState(name, raw, isJsonata, reading);
    if (state) states.set(name, state);
  }
  return { startAt: fields.StartAt, states };
}

function readState(name: string, raw: unknown, isJsonata: boolean, reading: Reading): State | undefined {
  const own: { Type?: unknown; QueryLanguage?: unknown } = typeof raw === 'object' && raw !== null ? raw : {};
  if (!isJsonata && own.QueryLanguage === undefined) {
    const message =
      'its QueryLanguage is JSONPath (the default); this stack runs JSONata only: add "QueryLanguage": "JSONata" to the machine';
    reading.problems.push({ state: name, message });
    return undefined;
  }
  switch (own.Type) {
    case 'Pass':
    case 'Wait':
    case 'Succeed':
    case 'Fail':
    case 'Choice': {
      const fields = readFields(
        z.discriminatedUnion('Type', [
          stateFields.Pass,
          stateFields.Wait,
          stateFields.Succeed,
          stateFields.Fail,
          stateFields.Choice,
        ]),
        raw,
        name,
        reading,
      );
      return fields && { name, ...fields };
    }
    case 'Task': {
      const fields = readFields(stateFields.Task, raw, name, reading);
      return fields && readTask(name, fields, reading);
    }
    case 'Parallel': {
      const fields = readFields(stateFields.Parallel, raw, name, reading);
      if (!fields) return undefined;
      const { Branches, ...rest } = fields;
      const branches = Branches.map((branch) => readInner(name, branch, isJsonata, reading)?.block);
      return branches.every((branch) => branch !== undefined) ? { name, ...rest, branches } : undefined;
    }
    case 'Map': {
      const fields = readFields(stateFields.Map, raw, name, reading);
      if (!fields) return undefined;
      const { ItemProcessor, ...rest } = fields;
      const inner = readInner(name, ItemProcessor, isJsonata, reading);
      return inner && { name, ...rest, processor: inner.block, mode: inner.mode };
    }
    default:
      reading.problems.push({
        state: name,
        message: `Type must be one of ${Object.keys(stateFields).join(', ')}, is ${JSON.stringify(own.Type)}`,
      });
      return undefined;
  }
}

function readTask(
  name: string,
  fields: z.infer<typeof stateFields.Task>,
  { problems }: Reading,
): State | undefined {
  try {
    return { name, ...fields, integration: readIntegration(fields.Resource) };
  } catch (error) {
    if (!(error instanceof UnsupportedResource)) throw error;
    problems.push({ state: name, message: error.message });
    return undefined;
  }
}

function readInner(
  name: string,
  raw: unknown,
  isJsonata: boolean,
  reading: Reading,
): { block: Block; mode: 'INLINE' | 'DISTRIBUTED' } | undefined {
  const fields = readFields(blockFields, raw, name, reading);
  if (!fields) return undefined;
  const block = readBlock(fields, isJsonata || fields.QueryLanguage === 'JSONata', reading);
  return { block, mode: fields.ProcessorConfig?.Mode ?? 'INLINE' };
}

import * as z from 'zod';
import { AwsError } from '../../kernel/aws-error.ts';
import { expressionProblems } from './expressions.ts';
import { blockFields, machineFields, stateFields } from './fields.ts';
import { flowProblems } from './flow.ts';
import { readIntegration, UnsupportedResource } from './integration.ts';
import { jsonPathProblems } from './json-path-fields.ts';
import type { Block, Machine, State } from './machine.ts';
import { type DefinitionProblem, InvalidDefinition, problemOf, type StatePlace } from './problem.ts';
import { type FieldProblem, schemaProblems } from './schema-problems.ts';

interface Reading {
  readonly problems: DefinitionProblem[];
  readonly seen: Set<string>;
  readonly labels: Set<string>;
}

/** Characters, by Step Functions' quotas. */
const MAX_STATE_NAME_LENGTH = 80;
const MAX_LABEL_LENGTH = 40;

/** The machine itself, for problems that are of no state. */
const MACHINE: StatePlace = { name: '', path: '' };

/** @throws {AwsError} `InvalidDefinition` with every problem of a definition that this stack would not run as AWS does */
export function checkDefinition(definition: string): void {
  try {
    parseDefinition(definition);
  } catch (error) {
    if (!(error instanceof InvalidDefinition)) throw error;
    throw new AwsError('InvalidDefinition', `Invalid State Machine Definition: '${error.message}'`);
  }
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
    throw new InvalidDefinition([{ code: 'INVALID_JSON_DESCRIPTION', message: String(error) }]);
  }
  const reading: Reading = { problems: [], seen: new Set(), labels: new Set() };
  const fields = readFields(machineFields, raw, MACHINE, reading);
  if (!fields) throw new InvalidDefinition(reading.problems);
  const block = readBlock(fields, '', fields.QueryLanguage === 'JSONata', reading);
  if (reading.problems.length === 0)
    reading.problems.push(...flowProblems(block), ...expressionProblems(block));
  if (reading.problems.length > 0) throw new InvalidDefinition(reading.problems);
  return { ...block, timeoutSeconds: fields.TimeoutSeconds };
}

function readFields<Fields extends z.ZodType>(
  schema: Fields,
  raw: unknown,
  place: StatePlace,
  { problems }: Reading,
): z.infer<Fields> | undefined {
  const found = place === MACHINE ? machineJsonPath(raw) : jsonPathProblems(raw);
  if (found.length === 0) {
    const result = schema.safeParse(raw);
    if (result.success) return result.data;
    found.push(...schemaProblems(result.error.issues));
  }
  problems.push(
    ...found.map(({ field, message }): DefinitionProblem => {
      if (place !== MACHINE) return problemOf(place, field, message);
      return {
        code: 'SCHEMA_VALIDATION_FAILED',
        message,
        location: `/${field.replaceAll('.', '/')}`,
      };
    }),
  );
  return undefined;
}

function machineJsonPath(raw: unknown): FieldProblem[] {
  const language: unknown =
    typeof raw === 'object' && raw !== null ? Reflect.get(raw, 'QueryLanguage') : undefined;
  return language === 'JSONPath'
    ? [{ field: 'QueryLanguage', message: 'JSONPath is not emulated; this stack runs JSONata only' }]
    : [];
}

function readBlock(
  fields: { readonly StartAt: string; readonly States: Readonly<Record<string, unknown>> },
  path: string,
  isJsonata: boolean,
  reading: Reading,
): Block {
  const states = new Map<string, State>();
  for (const [name, raw] of Object.entries(fields.States)) {
    const place: StatePlace = { name, path: `${path}/States/${name}` };
    if (reading.seen.has(name))
      reading.problems.push(problemOf(place, '', `Duplicate State name: ${name}`, 'DUPLICATE_STATE_NAME'));
    if (name.length > MAX_STATE_NAME_LENGTH)
      reading.problems.push(
        problemOf(
          place,
          '',
          `State name '${name}' exceeds the ${MAX_STATE_NAME_LENGTH}-character limit allowed by the service`,
          'INVALID_STATE_NAME',
        ),
      );
    reading.seen.add(name);
    const state = readState(place, raw, isJsonata, reading);
    if (state) states.set(name, state);
  }
  return { path, startAt: fields.StartAt, states };
}

function readState(place: StatePlace, raw: unknown, isJsonata: boolean, reading: Reading): State | undefined {
  const own: { Type?: unknown; QueryLanguage?: unknown } = typeof raw === 'object' && raw !== null ? raw : {};
  if (!isJsonata && own.QueryLanguage === undefined) {
    const message =
      'its QueryLanguage is JSONPath (the default); this stack runs JSONata only: add "QueryLanguage": "JSONata" to the machine';
    reading.problems.push(problemOf(place, '', message));
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
        place,
        reading,
      );
      return fields && { ...place, ...fields };
    }
    case 'Task': {
      const fields = readFields(stateFields.Task, raw, place, reading);
      return fields && readTask(place, fields, reading);
    }
    case 'Parallel':
      reading.problems.push(problemOf(place, 'Type', 'The local stack does not emulate Parallel'));
      return undefined;
    case 'Map':
      return readMap(place, raw, isJsonata, reading);
    default:
      reading.problems.push(
        problemOf(
          place,
          own.Type === undefined ? '' : 'Type',
          own.Type === undefined
            ? 'These fields are required: [Type]'
            : `Value should be one of the following: [${Object.keys(stateFields).join(', ')}]`,
        ),
      );
      return undefined;
  }
}

function readMap(place: StatePlace, raw: unknown, isJsonata: boolean, reading: Reading): State | undefined {
  const fields = readFields(stateFields.Map, raw, place, reading);
  if (!fields) return undefined;
  const { ItemProcessor, ...rest } = fields;
  if (fields.Label !== undefined) keepLabel(place, fields.Label, reading);
  const path = `${place.path}/ItemProcessor`;
  const inner = readInner({ ...place, path }, ItemProcessor, isJsonata, reading);
  return inner && { ...place, ...rest, processor: inner };
}

function keepLabel(place: StatePlace, label: string, { labels, problems }: Reading): void {
  if (labels.has(label))
    problems.push(problemOf(place, 'Label', `Duplicate Label name: ${label}`, 'DUPLICATE_LABEL_NAME'));
  if (label.length > MAX_LABEL_LENGTH)
    problems.push(
      problemOf(
        place,
        'Label',
        `Label '${label}' exceeds the ${MAX_LABEL_LENGTH}-character limit allowed by the service`,
        'INVALID_LABEL_NAME',
      ),
    );
  labels.add(label);
}

function readTask(
  place: StatePlace,
  fields: z.infer<typeof stateFields.Task>,
  { problems }: Reading,
): State | undefined {
  try {
    return { ...place, ...fields, integration: readIntegration(fields.Resource) };
  } catch (error) {
    if (!(error instanceof UnsupportedResource)) throw error;
    problems.push(problemOf(place, 'Resource', error.message));
    return undefined;
  }
}

/** @param place of the block, under the name of the state that it is in */
function readInner(place: StatePlace, raw: unknown, isJsonata: boolean, reading: Reading): Block | undefined {
  const fields = readFields(blockFields, raw, place, reading);
  if (!fields) return undefined;
  const { Mode: mode = 'INLINE', ExecutionType: type } = fields.ProcessorConfig ?? {};
  if (mode === 'INLINE')
    reading.problems.push(
      problemOf(
        place,
        'ProcessorConfig',
        'The local stack does not emulate an inline Map: give it "Mode": "DISTRIBUTED"',
      ),
    );
  else if (type === undefined)
    reading.problems.push(problemOf(place, 'ProcessorConfig', 'These fields are required: [ExecutionType]'));
  return readBlock(fields, place.path, isJsonata || fields.QueryLanguage === 'JSONata', reading);
}

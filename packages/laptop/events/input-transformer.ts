import { parseEventPath } from './event-path.ts';
import type { EventEnvelope } from './outbox.ts';

/** Values of the variables that EventBridge itself defines. */
interface TransformContext {
  readonly ruleArn: string;
  readonly ruleName: string;
  /** ISO 8601. */
  readonly ingestionTime: string;
}

/** A template made ready: gives the text a target receives. */
export type InputTransformer = (event: EventEnvelope, context: TransformContext) => string;

interface Piece {
  readonly literal: string;
  readonly placeholder: string | undefined;
  readonly quoted: boolean;
}

const PREDEFINED: Readonly<Record<string, (event: EventEnvelope, context: TransformContext) => unknown>> = {
  'aws.events.rule-arn': (_, { ruleArn }) => ruleArn,
  'aws.events.rule-name': (_, { ruleName }) => ruleName,
  'aws.events.event.ingestion-time': (_, { ingestionTime }) => ingestionTime,
  'aws.events.event': ({ detail: _, ...rest }) => rest,
  'aws.events.event.json': (event) => event,
};

/**
 * Reads an InputTransformer. A value is inserted as JSON (text is quoted), or as bare text where the template has the placeholder
 * inside quotes; a path that finds nothing gives an empty string.
 *
 * @throws {Error} for an invalid path, a placeholder without path, or a JSON template that cannot become JSON
 */
export function parseInputTransformer(
  pathsMap: Readonly<Record<string, string>>,
  template: string,
): InputTransformer {
  const paths = new Map(Object.entries(pathsMap).map(([name, path]) => [name, parseEventPath(path)]));
  const reserved = [...paths.keys()].find((name) => /^aws\./i.test(name));
  if (reserved !== undefined) throw new Error(`InputPathsMap: ${reserved} must not start with AWS.`);
  const pieces = splitTemplate(template);
  for (const { placeholder } of pieces) {
    if (placeholder !== undefined && !paths.has(placeholder) && !Object.hasOwn(PREDEFINED, placeholder))
      throw new Error(`InputTemplate: <${placeholder}> has no path in InputPathsMap`);
  }
  const isJson = /^\s*[{[]/.test(template);
  const transform: InputTransformer = (event, context) => {
    const values = pieces.map(({ literal, placeholder, quoted }) => {
      if (placeholder === undefined) return literal;
      const value = paths.has(placeholder)
        ? paths.get(placeholder)?.(event)
        : PREDEFINED[placeholder]?.(event, context);
      return literal + (quoted || !isJson ? toBareText(value, quoted) : JSON.stringify(value ?? ''));
    });
    return values.join('');
  };
  if (isJson) {
    const sample = pieces.map(
      ({ literal, placeholder, quoted }) => literal + (placeholder && !quoted ? '""' : ''),
    );
    requireJson(sample.join(''), template);
  }
  return transform;
}

/** Inside quotes, what JSON escapes stays escaped, and an object loses its own quotes, as EventBridge does it. */
function toBareText(value: unknown, quoted: boolean): string {
  if (value === undefined) return '';
  if (typeof value === 'string') return quoted ? JSON.stringify(value).slice(1, -1) : value;
  const json = JSON.stringify(value);
  return typeof value === 'object' && quoted ? json.replaceAll('\\"', '').replaceAll('"', '') : json;
}

function splitTemplate(template: string): Piece[] {
  const pieces: Piece[] = [];
  let quoted = false;
  let literal = '';
  for (let index = 0; index < template.length; index++) {
    const char = template.charAt(index);
    const placeholder =
      char === '<' ? /^<([\w.-]+)>/.exec(template.slice(index, index + 300))?.[1] : undefined;
    if (placeholder !== undefined) {
      pieces.push({ literal, placeholder, quoted });
      literal = '';
      index += placeholder.length + 1;
      continue;
    }
    if (char === '\\') {
      literal += char;
      index += 1;
    } else if (char === '"') quoted = !quoted;
    literal += template.charAt(index);
  }
  pieces.push({ literal, placeholder: undefined, quoted });
  return pieces;
}

function requireJson(sample: string, template: string): void {
  try {
    JSON.parse(sample);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`InputTemplate begins like JSON and cannot become JSON (${reason}): ${template}`, {
      cause: error,
    });
  }
}

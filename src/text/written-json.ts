import { jsonFault } from './json-fault.ts';
import { parseJson } from './parse-json.ts';

/** Cap on the nesting; settings need less than ten levels, and readers recurse for each. */
const MAX_DEPTH = 100;

/**
 * Parses JSON that a person wrote: Windows tools put U+FEFF before it.
 *
 * @throws {SyntaxError} with line, column and remedy; also for a name that an object has twice, for objects and lists
 * that lie more than 100 deep in each other, and for the name `__proto__`, which schemas would leave out without a word
 */
export function parseWrittenJson(text: string): unknown {
  const value = parse(text.replace(/^\uFEFF/, ''));
  let level = [value].filter(isNest);
  for (let depth = 0; level.length > 0; depth++) {
    if (depth === MAX_DEPTH) throw new SyntaxError(`it is nested more than ${MAX_DEPTH} levels deep`);
    if (level.some((nest) => Object.hasOwn(nest, '__proto__')))
      throw new SyntaxError('the name __proto__ is not allowed');
    level = level.flatMap((nest) => Object.values(nest)).filter(isNest);
  }
  return value;
}

function parse(text: string): unknown {
  const fault = jsonFault(text);
  if (fault !== undefined) throw new SyntaxError(`line ${fault.line}, column ${fault.column}: ${fault.what}`);
  return parseJson(text);
}

function isNest(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

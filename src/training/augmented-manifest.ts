import { type InputPlaces, resolveDropInput } from '../drop/drop-input.ts';
import { readLines, toJsonLine } from '../text/json-lines.ts';
import { parsedJson } from '../text/parse-json.ts';
import { inexactNumber } from './hyperparameters.ts';

/**
 * Reads an augmented manifest: each line has the named attributes, and those that end with `-ref` are the URIs of objects that the drop may
 * read. The lines are written again from the parsed values, so that a name that occurs twice on a line has one meaning.
 */
export async function readAugmentedManifest(
  body: AsyncIterable<Uint8Array>,
  attributes: readonly string[],
  places: InputPlaces,
): Promise<{ readonly texts: readonly string[] } | { readonly problem: string }> {
  const texts: string[] = [];
  let number = 0;
  for await (const line of readLines(body)) {
    number += 1;
    if (line.trim() === '') continue;
    const read = readLine(line, attributes, places);
    if (typeof read === 'string') return { problem: `${read}, on line ${number}` };
    texts.push(toJsonLine(Object.fromEntries(read)));
  }
  return { texts };
}

function readLine(
  line: string,
  attributes: readonly string[],
  places: InputPlaces,
): string | (readonly [string, unknown])[] {
  const value = parsedJson(line);
  if (typeof value !== 'object' || value === null) return 'must have a JSON object on each line';
  const members = new Map<string, unknown>(Object.entries(value));
  const kept: [string, unknown][] = [];
  for (const name of attributes) {
    const member = members.get(name);
    if (member === undefined)
      return `must have the attribute ${name} on each line, has ${[...members.keys()].slice(0, 16).join(', ')}`;
    const problem = name.endsWith('-ref') ? referenceProblem(member, places) : inexactNumber(member);
    if (problem !== undefined) return `has an attribute ${name} that ${problem}`;
    kept.push([name, member]);
  }
  return kept;
}

function referenceProblem(uri: unknown, places: InputPlaces): string | undefined {
  if (typeof uri !== 'string') return `must be the S3 URI of an object, is ${JSON.stringify(uri)}`;
  const allowed = resolveDropInput({ field: 'input.manifest', uri }, places);
  return 'message' in allowed ? allowed.message : undefined;
}

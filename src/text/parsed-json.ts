import { parseJson } from './parse-json.ts';

/** The value of a text that may be JSON; undefined if it is not. */
export function parsedJson(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

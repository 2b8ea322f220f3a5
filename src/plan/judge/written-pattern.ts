import { RE2JS, RE2JSSyntaxException } from 're2js';

/**
 * Cap on a pattern: RE2's time grows with the key's length times the pattern's, so that 500 characters take at most some
 * milliseconds a key.
 */
const MAX_PATTERN_LENGTH = 500;

/** A pattern of pipeline.json or job.json as RE2 reads it, or what is wrong with it. */
export function writtenPattern(pattern: string): RE2JS | { readonly message: string } {
  if (pattern.length > MAX_PATTERN_LENGTH)
    return { message: `must have at most ${MAX_PATTERN_LENGTH} characters, has ${pattern.length}` };
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) throw error;
    return { message: `must be an RE2 regular expression: ${error.message}` };
  }
}

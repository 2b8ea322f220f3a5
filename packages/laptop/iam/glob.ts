/** Matches text against one of IAM's patterns: `*` is any run of characters, `?` any one. Time grows with text times stars. */
export function globMatcher(pattern: string): (text: string) => boolean {
  if (pattern === '*') return () => true;
  if (!/[*?]/.test(pattern)) return (text) => text === pattern;
  return (text) => matches(pattern, text);
}

/** Remembers only the last star: when what follows it does not fit, the star takes one more character. */
function matches(pattern: string, text: string): boolean {
  let at = 0;
  let star = -1;
  let resume = 0;
  for (let place = 0; place < text.length;) {
    if (pattern[at] === '*') {
      star = at++;
      resume = place;
    } else if (at < pattern.length && (pattern[at] === '?' || pattern[at] === text[place])) {
      at++;
      place++;
    } else if (star >= 0) {
      at = star + 1;
      place = ++resume;
    } else {
      return false;
    }
  }
  while (pattern[at] === '*') at++;
  return at === pattern.length;
}

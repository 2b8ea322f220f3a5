/** The place of a value in a JSON text. */
interface Place {
  readonly start: number;
  readonly end: number;
}

/** An object in a JSON text: its members by name, and its end. */
interface ObjectPlace {
  readonly members: ReadonlyMap<string, Place>;
  /** Place of its closing bracket. */
  readonly close: number;
}

/**
 * A JSON text with members of one of its objects replaced or added; everything else stays as it was written.
 *
 * @param text of a JSON object
 * @param object name of the member that is the object; it is added where it is missing
 */
export function withJsonMembers(
  text: string,
  object: string,
  members: Readonly<Record<string, unknown>>,
): string {
  const start = text.indexOf('{');
  const found = placeOf(text, start).members.get(object);
  if (found === undefined || text[found.start] !== '{') return withMember(text, start, object, members);
  return Object.entries(members).reduce(
    (changed, [name, value]) => withMember(changed, found.start, name, value),
    text,
  );
}

/** The members of an object in valid JSON, each value as it is written. */
export function jsonMembers(text: string): ReadonlyMap<string, string> {
  const { members } = placeOf(text, text.indexOf('{'));
  return new Map(Array.from(members, ([name, { start, end }]) => [name, text.slice(start, end)]));
}

function withMember(text: string, start: number, name: string, value: unknown): string {
  const { members, close } = placeOf(text, start);
  const found = members.get(name);
  const written = JSON.stringify(value);
  if (found !== undefined) return text.slice(0, found.start) + written + text.slice(found.end);
  const last = [...members.values()].at(-1);
  const added = `${JSON.stringify(name)}: ${written}`;
  if (last === undefined) return `${text.slice(0, start + 1)}${added}${text.slice(close)}`;
  // The new member is indented as the first one.
  const space = /^\s*/.exec(text.slice(start + 1))?.[0] ?? '';
  return `${text.slice(0, last.end)},${space || ' '}${added}${text.slice(last.end)}`;
}

/** The members of the object that begins at `start`, in text that is valid JSON. */
function placeOf(text: string, start: number): ObjectPlace {
  const tokens = /"(?:[^"\\]|\\.)*"|[{}[\]:,]|[^\s{}[\]:,"]+/gu;
  tokens.lastIndex = start + 1;
  const members = new Map<string, Place>();
  let name: string | undefined;
  let valueStart: number | undefined;
  let depth = 0;
  let end = start;
  for (let match = tokens.exec(text); match !== null; match = tokens.exec(text)) {
    const [token] = match;
    if (depth === 0 && (token === ',' || token === '}')) {
      if (name !== undefined && valueStart !== undefined) members.set(name, { start: valueStart, end });
      if (token === '}') return { members, close: match.index };
      name = valueStart = undefined;
    } else if (name === undefined) name = String(JSON.parse(token));
    else if (token !== ':' || depth > 0) valueStart ??= match.index;
    if (token === '{' || token === '[') depth += 1;
    else if (token === '}' || token === ']') depth -= 1;
    end = tokens.lastIndex;
  }
  return { members, close: text.length };
}

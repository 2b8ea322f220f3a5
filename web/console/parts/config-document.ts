/** A pipeline.json in the making: its text, and the object that the form edits. */
export interface ConfigDocument {
  readonly text: string;
  /** False while the text is no JSON object: the form then waits. */
  readonly isReadable: boolean;
  /** Value at a path of names with dots; undefined if there is none. */
  read(path: string): unknown;
  /** The same with another value at a path; undefined takes it out. */
  with(path: string, value: unknown): ConfigDocument;
}

type Json = Readonly<Record<string, unknown>>;

/** The document of a text. */
export function configDocument(text: string): ConfigDocument {
  const parsed = parse(text);
  return {
    text,
    isReadable: parsed !== undefined,
    read: (path) =>
      path.split('.').reduce<unknown>((at, name) => (isObject(at) ? at[name] : undefined), parsed),
    with: (path, value) =>
      configDocument(`${JSON.stringify(changed(parsed ?? {}, path.split('.'), value), null, 2)}\n`),
  };
}

function changed(object: Json, [name = '', ...rest]: readonly string[], value: unknown): Json {
  const { [name]: before, ...others } = object;
  if (rest.length === 0) return value === undefined ? others : { ...object, [name]: value };
  const inner = changed(isObject(before) ? before : {}, rest, value);
  // A group that has lost its last field is taken out with it.
  return Object.keys(inner).length === 0 ? others : { ...object, [name]: inner };
}

function parse(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

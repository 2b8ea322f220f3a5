/** A contradiction of a value to the model. */
export interface Finding {
  readonly kind: 'missing' | 'constraint' | 'type' | 'unknown';
  /** Member names, keys of maps, and indexes of lists. */
  readonly path: readonly (string | number)[];
  readonly value: unknown;
  /** AWS's words; of an unknown member, the names that there are. */
  readonly text: string;
}

/** Path of a member, such as `Tags[0].Key`. */
export function memberPath(path: readonly PropertyKey[]): string {
  return path
    .map((part, index) => (typeof part === 'number' ? `[${part}]` : `${index > 0 ? '.' : ''}${String(part)}`))
    .join('');
}

/** A contradiction of `input` that a schema has found, in the words of AWS's model. */
export function constraintAt(path: readonly PropertyKey[], input: unknown, text: string): Finding {
  const names = path.map((part) => (typeof part === 'number' ? part : String(part)));
  return { kind: 'constraint', path: names, value: valueAt(input, path), text };
}

/** The value at a path; undefined if the path leads nowhere. */
export function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined),
    value,
  );
}

/**
 * AWS's own sentence for all that breaks a constraint:
 * `1 validation error detected: Value 'x' at 'tags.1.member.key' failed to satisfy constraint: Member must …`.
 */
export function toValidationMessage(findings: readonly Finding[]): string {
  const texts = findings.map(
    (finding) =>
      `Value${shown(finding.value)} at '${coralPath(finding)}' failed to satisfy constraint: ${finding.text}`,
  );
  return `${texts.length} validation error${texts.length === 1 ? '' : 's'} detected: ${texts.join('; ')}`;
}

/** Members begin with a small letter there, and lists count from one. */
function coralPath({ path }: Finding): string {
  return path
    .map((part) =>
      typeof part === 'number' ? `${part + 1}.member` : part.slice(0, 1).toLowerCase() + part.slice(1),
    )
    .join('.');
}

/** Limit at which long values are truncated: people read this message. */
const MAX_SHOWN_LENGTH = 1024;

/** Bytes are not shown. */
function shown(value: unknown): string {
  if (Buffer.isBuffer(value)) return '';
  if (value === undefined || value === null) return ' null';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return ` '${text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH)}…` : text}'`;
}

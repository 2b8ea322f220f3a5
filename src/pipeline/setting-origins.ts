/** A setting of a resolved configuration. */
export interface Setting {
  /** Path with dots, as in messages. */
  readonly field: string;
  readonly value: unknown;
  readonly from: 'pipeline.json' | 'default';
}

/** The settings of a resolved configuration, each with its origin: the file as it was written, or a default. */
export function settingOrigins(resolved: unknown, written: unknown, field = ''): readonly Setting[] {
  if (written === null) return [{ field, value: null, from: 'pipeline.json' }];
  if (!isRecord(resolved) || Object.keys(resolved).length === 0)
    return [{ field, value: resolved, from: written === undefined ? 'default' : 'pipeline.json' }];
  return Object.entries(resolved).flatMap(([name, value]) =>
    settingOrigins(
      value,
      // A short form in the file, such as a word instead of an object, stands for everything below it.
      isRecord(written) ? written[name] : written,
      field === '' ? name : `${field}.${name}`,
    ),
  );
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

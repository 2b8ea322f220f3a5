/** A field of pipeline.json, its value, and why. */
export interface Choice {
  /** Names of the field from the outermost, with dots. */
  readonly field: string;
  readonly value: unknown;
  readonly reason: string;
}

/** A value for a field, with its reason. */
export function choice(field: string, value: unknown, reason: string): Choice {
  return { field, value, reason };
}

/** Choices for tables with rows that are records, each answered by a row. */
export function rowChoices(why: string, answers: string): readonly Choice[] {
  return [
    choice('transform.contentType', 'text/csv', why),
    choice('transform.accept', 'text/csv', `${answers} a row a record`),
    choice('transform.splitType', 'Line', 'each line is an input'),
  ];
}

/** The document of these choices. */
export function toDocument(choices: readonly Choice[]): Readonly<Record<string, unknown>> {
  const groups = Map.groupBy(choices, ({ field }) => field.split('.')[0] ?? field);
  return Object.fromEntries(
    [...groups].map(([name, fields]) => {
      const whole = fields.find(({ field }) => field === name);
      return [
        name,
        whole
          ? whole.value
          : Object.fromEntries(fields.map(({ field, value }) => [field.slice(name.length + 1), value])),
      ];
    }),
  );
}

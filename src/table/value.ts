const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** A value in both notations, each digit as it was written. */
export interface Value {
  /** Undefined for a list or an object. */
  readonly cell: string | undefined;
  readonly json: string;
}

/** Value of a cell of CSV. */
export function ofCell(cell: string): Value {
  const trimmed = cell.trim();
  if (trimmed === '') return { cell, json: 'null' };
  return { cell, json: JSON_NUMBER.test(trimmed) ? trimmed : JSON.stringify(cell) };
}

/** Value of a JSON text. */
export function ofJson(json: string): Value {
  if (json === 'null') return { cell: '', json };
  if (json.startsWith('"')) return { cell: String(JSON.parse(json)), json };
  return /^[[{]/.test(json) ? { cell: undefined, json: onOneLine(json) } : { cell: json, json };
}

/** JSON without its line breaks, at which SageMaker may cut: they only lie between tokens. */
export function onOneLine(json: string): string {
  return json.replaceAll(/[\r\n]+ */g, ' ');
}

import { compareCodePoints, isList, isMap, type PythonValue } from './python-value.ts';

/** Python's `json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True)`. */
export function toPythonJson(value: PythonValue): string {
  if (typeof value === 'string') return asciiJson(value);
  if (typeof value === 'number') return jsonNumber(value);
  if (isMap(value)) {
    const members = sortedEntries(value).map(([key, member]) => `${asciiJson(key)}:${toPythonJson(member)}`);
    return `{${members.join(',')}}`;
  }
  if (isList(value)) return `[${value.map(toPythonJson).join(',')}]`;
  return String(value);
}

/** Python's `str(value)`. */
export function toPythonText(value: PythonValue): string {
  return typeof value === 'string' ? value : toPythonRepr(value);
}

/** Entries in the order of Python's `sorted`. */
export function sortedEntries<V>(entries: ReadonlyMap<string, V>): (readonly [string, V])[] {
  return [...entries].sort(([a], [b]) => compareCodePoints(a, b));
}

function toPythonRepr(value: PythonValue): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'number') return floatText(value);
  if (isMap(value))
    return `{${[...value].map(([key, member]) => `${quoted(key)}: ${toPythonRepr(member)}`).join(', ')}}`;
  if (isList(value)) return `[${value.map(toPythonRepr).join(', ')}]`;
  return String(value);
}

function asciiJson(text: string): string {
  return JSON.stringify(text).replaceAll(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function jsonNumber(value: number): string {
  return Number.isFinite(value) ? floatText(value) : String(value);
}

/** Both languages write the shortest digits that read back as the same number; Python turns to exponents elsewhere. */
function floatText(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  const [mantissa = '', exponentText = '0'] = value.toExponential().split('e');
  const exponent = Number(exponentText);
  const sign = Object.is(value, -0) ? '-' : '';
  if (exponent < -4 || exponent >= 16) {
    const digits = String(Math.abs(exponent)).padStart(2, '0');
    return `${mantissa}e${exponent < 0 ? '-' : '+'}${digits}`;
  }
  const plain = String(value);
  return sign + (plain.includes('.') ? plain : `${plain}.0`);
}

/** A text between quotes, as `repr` writes it: double quotes only where the text has single ones and no double ones. */
function quoted(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const escaped = Array.from(text, (sign) => escapedSign(sign, quote));
  return quote + escaped.join('') + quote;
}

const SHORT_ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
};

function escapedSign(sign: string, quote: string): string {
  const short = SHORT_ESCAPES[sign];
  if (short !== undefined) return short;
  if (sign === quote) return `\\${sign}`;
  if (sign === ' ' || !/^[\p{C}\p{Z}]$/u.test(sign)) return sign;
  const code = sign.codePointAt(0) ?? 0;
  if (code < 0x100) return `\\x${code.toString(16).padStart(2, '0')}`;
  return code < 0x10000
    ? `\\u${code.toString(16).padStart(4, '0')}`
    : `\\U${code.toString(16).padStart(8, '0')}`;
}

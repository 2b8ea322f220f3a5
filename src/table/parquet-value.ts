import type { SchemaElement, SchemaTree, TimeUnit } from 'hyparquet';
import type { Value } from './value.ts';

/** Writes a value of a column as hyparquet gives it. @throws {ValueUnreadable} */
export type ToValue = (value: unknown) => Value;

/** A value of a Parquet column has no text: words that follow the column's name. */
export class ValueUnreadable extends Error {
  override readonly name = 'ValueUnreadable';
}

const NULL: Value = { cell: '', json: 'null' };
const MS_PER_DAY = 86_400_000;
const DIGITS: Readonly<Record<TimeUnit, number>> = { MILLIS: 3, MICROS: 6, NANOS: 9 };
/** Types that the rows of a table have no text for. */
const UNREAD: ReadonlySet<string | undefined> = new Set([
  ...['BSON', 'INTERVAL', 'VARIANT', 'GEOMETRY', 'GEOGRAPHY'],
]);
/** Marks without which hyparquet gives integers, with all their digits. */
const EXACT = /^(?:DECIMAL|DATE|TIME(?:STAMP)?(?:_MILLIS|_MICROS)?)$/;

/** An element of a schema with values that are read as they're stored. */
export function asStored(element: SchemaElement): SchemaElement {
  const { converted_type: converted, logical_type: logical, ...plain } = element;
  return EXACT.test(converted ?? logical?.type ?? '') ? plain : element;
}

/** The type of a column, or of its contents, that has no text; undefined if there's none. */
export function unreadType({ element, children }: SchemaTree): string | undefined {
  const { converted_type: converted, logical_type: logical } = element;
  const own = [logical?.type, converted].find((type) => UNREAD.has(type));
  const [first] = children;
  // hyparquet makes names of keys before their text can be written.
  if (isMap(element) && !isText(first?.children[0]?.element ?? element))
    return 'MAP with keys that are no texts';
  return own ?? children.map(unreadType).find((type) => type !== undefined);
}

/** How the values of a column are written. */
export function valueOf(column: SchemaTree): ToValue {
  if (column.children.length === 0 && column.element.repetition_type !== 'REPEATED')
    return leaf(column.element);
  const toJson = jsonOf(column);
  return (value) => (isNull(value) ? NULL : { cell: undefined, json: toJson(value) });
}

/** JSON of lists, maps and structures. */
function jsonOf({ element, children }: SchemaTree): (value: unknown) => string {
  const [first] = children;
  if (first === undefined) {
    const own = leaf(element);
    return (value) => (Array.isArray(value) ? list(value, (one) => own(one).json) : own(value).json);
  }
  const item = isList(element)
    ? first.children.length === 1
      ? (first.children[0] ?? first)
      : first
    : undefined;
  const ofItem = item && jsonOf(item);
  const fields = isMap(element) ? first.children : children;
  const ofField = new Map(fields.map((child) => [child.element.name, jsonOf(child)]));
  const toField = (name: string) => ofField.get(isMap(element) ? 'value' : name);
  const ofObject = (value: unknown): string => {
    if (typeof value !== 'object' || value === null) return 'null';
    if (Array.isArray(value)) return list(value, ofItem ?? ofObject);
    const members = Object.entries(value).map(
      ([name, one]) => `${JSON.stringify(name)}:${toField(name)?.(one) ?? 'null'}`,
    );
    return `{${members.join(',')}}`;
  };
  return ofObject;
}

function list(values: readonly unknown[], toJson: (value: unknown) => string): string {
  return `[${values.map(toJson).join(',')}]`;
}

/** Values of a single one. */
function leaf(element: SchemaElement): ToValue {
  const { type, converted_type: converted, logical_type: logical, scale = 0 } = element;
  const unit = logical !== undefined && 'unit' in logical ? logical.unit : undefined;
  const isUtc = logical !== undefined && 'isAdjustedToUTC' in logical && logical.isAdjustedToUTC;
  if (converted === 'DECIMAL' || logical?.type === 'DECIMAL')
    return unlessNull((value) => number(decimal(value, scale)));
  if (converted === 'DATE' || logical?.type === 'DATE')
    return unlessNull((value) => text(dateTime(BigInt(Number(value)) * BigInt(MS_PER_DAY), 3).slice(0, 10)));
  if (converted?.startsWith('TIME_') || logical?.type === 'TIME') {
    const digits = DIGITS[unit ?? (converted === 'TIME_MICROS' ? 'MICROS' : 'MILLIS')];
    return unlessNull((value) => text(dateTime(whole(value), digits).slice(11)));
  }
  if (converted?.startsWith('TIMESTAMP_') || logical?.type === 'TIMESTAMP' || type === 'INT96') {
    const ofConverted = converted === 'TIMESTAMP_MILLIS' ? 'MILLIS' : 'MICROS';
    const digits = DIGITS[unit ?? (type === 'INT96' ? 'NANOS' : ofConverted)];
    return unlessNull((value) => text(dateTime(whole(value), digits) + (isUtc ? 'Z' : '')));
  }
  return unlessNull(isText(element) ? ofText : type === 'FLOAT' ? ofFloat : plain);
}

function isText({ converted_type: converted, logical_type: logical }: SchemaElement): boolean {
  return [logical?.type, converted].some((type) => /^(?:STRING|UTF8|ENUM|JSON)$/.test(type ?? ''));
}

function isList({ converted_type: converted, logical_type: logical }: SchemaElement): boolean {
  return converted === 'LIST' || logical?.type === 'LIST';
}

function isMap({ converted_type: converted, logical_type: logical }: SchemaElement): boolean {
  return converted === 'MAP' || logical?.type === 'MAP';
}

function isNull(value: unknown): value is null | undefined {
  return value === undefined || value === null;
}

function unlessNull(toValue: (value: unknown) => Value): ToValue {
  return (value) => (isNull(value) ? NULL : toValue(value));
}

function number(digits: string): Value {
  return { cell: digits, json: digits };
}

function text(cell: string): Value {
  return { cell, json: JSON.stringify(cell) };
}

function ofText(value: unknown): Value {
  if (value instanceof Uint8Array) throw new ValueUnreadable('a text that is not UTF-8');
  return text(String(value));
}

/** A float of 32 bits has the digits that it needs, not its double's; nine always do. */
function ofFloat(value: unknown): Value {
  const double = Number(value);
  if (!Number.isFinite(double) || double === 0) return plain(double);
  const short = Number(double.toPrecision(7));
  return plain(Math.fround(short) === double ? short : Number(double.toPrecision(9)));
}

function plain(value: unknown): Value {
  if (typeof value === 'number' && !Number.isFinite(value))
    return { cell: Number.isNaN(value) ? 'nan' : value < 0 ? '-inf' : 'inf', json: 'null' };
  if (value instanceof Uint8Array) return text(Buffer.from(value).toString('base64'));
  if (typeof value === 'string') return text(value);
  return number(Object.is(value, -0) ? '-0.0' : String(value));
}

/** A decimal by its unscaled integer. */
function decimal(value: unknown, scale: number): string {
  const unscaled = value instanceof Uint8Array ? signed(value) : whole(value);
  const digits = String(unscaled < 0n ? -unscaled : unscaled).padStart(scale + 1, '0');
  const point = digits.length - scale;
  return `${unscaled < 0n ? '-' : ''}${digits.slice(0, point)}${scale === 0 ? '' : `.${digits.slice(point)}`}`;
}

/** The integer in big-endian two's complement. */
function signed(bytes: Uint8Array): bigint {
  if (bytes.length === 0) return 0n;
  return BigInt.asIntN(8 * bytes.length, BigInt(`0x${Buffer.from(bytes).toString('hex')}`));
}

function whole(value: unknown): bigint {
  return typeof value === 'bigint' ? value : BigInt(Number(value));
}

/** ISO 8601 with all digits of a time, which a Date would round. */
function dateTime(units: bigint, digits: number): string {
  const perSecond = 10n ** BigInt(digits);
  const rest = BigInt.asUintN(64, ((units % perSecond) + perSecond) % perSecond);
  const date = new Date(Number((units - rest) / perSecond) * 1_000);
  const year = date.getUTCFullYear();
  if (!(year >= 0 && year <= 9_999)) throw new ValueUnreadable('a time outside the years 0 to 9999');
  return `${date.toISOString().slice(0, 19)}.${String(rest).padStart(digits, '0')}`;
}

import { resolveElementType } from '../../savedmodel/element-type.ts';
import { attribute, boolAttr, type GraphNode, intsAttr, textAttr } from '../../savedmodel/graph-node.ts';
import { InvalidFeeds } from '../../savedmodel/servable-model.ts';
import { type HostTensor, hostTensorOf } from '../host-tensor.ts';
import { parseNumber } from '../text/strings.ts';
import type { TextOperation } from '../text/text-operation.ts';
import { keyOf, type Texts } from '../text/texts.ts';

/** How records are cut into fields. */
interface CsvForm {
  readonly delimiter: string;
  readonly isQuoted: boolean;
  readonly where: string;
}

/** Columns of records, a character a byte. https://www.tensorflow.org/api_docs/python/tf/io/decode_csv */
const decodeCsv: TextOperation = ({ node, texts, input }) => {
  const where = `Node ${node.name} (${node.op})`;
  const form = {
    delimiter: textAttr(node, 'field_delim', ','),
    isQuoted: boolAttr(node, 'use_quote_delim', true),
    where,
  };
  const types = (attribute(node, 'OUT_TYPE').list?.types ?? []).map((type) =>
    resolveElementType(type, node.name),
  );
  const chosen = intsAttr(node, 'select_cols');
  const records = texts.of(input(0)).map((bytes, record) => {
    const all = fieldsOf(keyOf(bytes), form, chosen.at(-1) ?? Infinity);
    const fields = chosen.length === 0 ? all : chosen.flatMap((column) => all[column] ?? []);
    if (fields.length !== types.length)
      throw new InvalidFeeds(
        `${where}: ${fields.length} fields in record ${record}, there must be ${types.length}`,
      );
    return fields;
  });
  return types.map((_, column) =>
    columnOf(
      records.map((fields) => fields[column] ?? ''),
      column,
      input(0).shape,
      input(1 + column),
      node,
      texts,
    ),
  );
};

function columnOf(
  fields: readonly string[],
  column: number,
  shape: readonly number[],
  absent: HostTensor,
  node: GraphNode,
  texts: Texts,
): HostTensor {
  const { dtype } = absent;
  const where = `Node ${node.name} (${node.op}): field ${column}`;
  const missing = textAttr(node, 'na_value');
  if (absent.data.length > 1) throw new InvalidFeeds(`${where} has ${absent.data.length} defaults`);
  const values = fields.map((field, record) => {
    if (field === '' || field === missing) {
      const [other] = absent.data;
      if (other === undefined) throw new InvalidFeeds(`${where} is missing in record ${record}`);
      return dtype === 'string' ? texts.at(other) : other;
    }
    if (dtype === 'string') return Buffer.from(field, 'latin1');
    const isNumber = dtype === 'float32' || dtype === 'float64' || dtype === 'int32' || dtype === 'int64';
    const value = isNumber ? parseNumber(field, dtype) : undefined;
    if (value === undefined)
      throw new InvalidFeeds(`${where} in record ${record} is not a valid ${dtype}: ${field}`);
    return value;
  });
  if (dtype !== 'string') return hostTensorOf(dtype, shape, values.map(Number));
  return texts.hold(
    shape,
    values.filter((value) => value instanceof Uint8Array),
  );
}

/** @param last the last column that is wanted: what comes behind it is not read @throws {InvalidFeeds} where quotes do not pair */
function fieldsOf(record: string, form: CsvForm, last: number): string[] {
  const fields: string[] = [];
  let at = 0;
  while (at < record.length && fields.length <= last) {
    const first = record[at];
    if (first === '\n' || first === '\r') {
      at++;
      continue;
    }
    const { field, next } =
      form.isQuoted && first === '"' ? quotedField(record, at + 1, form) : plainField(record, at, form);
    fields.push(field);
    at = next;
  }
  if (record.endsWith(form.delimiter)) fields.push('');
  return fields;
}

interface Field {
  readonly field: string;
  /** Where the field behind it begins. */
  readonly next: number;
}

function plainField(record: string, start: number, { delimiter, isQuoted, where }: CsvForm): Field {
  const end = record.indexOf(delimiter, start);
  const field = record.slice(start, end < 0 ? undefined : end);
  if (/[\n\r]/.test(field) || (isQuoted && field.includes('"')))
    throw new InvalidFeeds(`${where}: a field without quotes has quotes or line breaks inside`);
  return { field, next: start + field.length + 1 };
}

function quotedField(record: string, start: number, { delimiter, where }: CsvForm): Field {
  let field = '';
  let at = start;
  while (at < record.length - 1 && !(record[at] === '"' && record[at + 1] === delimiter)) {
    const isQuote = record[at] === '"';
    if (isQuote && record[at + 1] !== '"')
      throw new InvalidFeeds(`${where}: a quote inside a field must be doubled`);
    field += record[at] ?? '';
    at += isQuote ? 2 : 1;
  }
  if (record[at] !== '"') throw new InvalidFeeds(`${where}: a field in quotes has no end`);
  return { field, next: at + 2 };
}

/** Lines of values taken apart. */
export const CSV: Readonly<Record<string, TextOperation>> = { DecodeCSV: decodeCsv };

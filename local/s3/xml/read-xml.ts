import { XMLParser, XMLValidator } from 'fast-xml-parser';
import type * as z from 'zod';
import { AwsError } from '../../gateway/aws-error.ts';
import type { ServiceRequest } from '../../gateway/service.ts';

/** S3's own limit for the XML of a call; far above 1,000 keys of 1,024 bytes. */
const LARGEST_DOCUMENT_BYTES = 8 * 1024 * 1024;

export interface XmlForm<T> {
  /** The document's element. */
  readonly root: string;
  readonly schema: z.ZodType<T>;
  /** Elements that may repeat; they are always arrays. */
  readonly lists?: readonly string[];
}

/**
 * Reads the XML body of a call: elements become members, all leaves are strings with their white space.
 *
 * @throws {AwsError} `MalformedXML` naming what the schema does not know
 */
export async function readXml<T>(request: ServiceRequest, form: XmlForm<T>): Promise<T> {
  const body = await request.body();
  if (body.length > LARGEST_DOCUMENT_BYTES)
    throw malformed(`is ${body.length} bytes, at most ${LARGEST_DOCUMENT_BYTES}`);
  return parseXml(body.toString('utf8'), form);
}

/** @throws {AwsError} `MalformedXML` */
function parseXml<T>(text: string, { root, schema, lists = [] }: XmlForm<T>): T {
  const validity = XMLValidator.validate(text);
  if (validity !== true) throw malformed(`line ${validity.err.line}: ${validity.err.msg}`);
  const parser = new XMLParser({
    ignoreAttributes: true,
    ignoreDeclaration: true,
    removeNSPrefix: true,
    parseTagValue: false,
    trimValues: false,
    // Entities are read below: the parser's own reading loses references to control characters, which keys may have.
    processEntities: false,
    isArray: (name) => lists.includes(name),
  });
  const document: unknown = parser.parse(text);
  if (!isRecord(document) || document[root] === undefined)
    throw malformed(`the root element must be ${root}`);
  const result = schema.safeParse(clean(document[root]));
  if (result.success) return result.data;
  const problems = result.error.issues.map((issue) => `${[root, ...issue.path].join('.')}: ${issue.message}`);
  throw malformed(problems.join('; '));
}

function malformed(reason: string): AwsError {
  return new AwsError(
    'MalformedXML',
    `The XML you provided was not well-formed or did not validate: ${reason}`,
  );
}

/** Decodes text and drops the white space between elements. */
function clean(value: unknown): unknown {
  if (typeof value === 'string') return decodeEntities(value);
  if (Array.isArray(value)) return value.map(clean);
  if (!isRecord(value)) return value;
  const members = Object.entries(value).filter(([name]) => name !== '#text');
  return Object.fromEntries(members.map(([name, member]) => [name, clean(member)]));
}

function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(lt|gt|amp|quot|apos));/gi, (all, hex, decimal, name) => {
    if (typeof hex === 'string') return String.fromCodePoint(Number.parseInt(hex, 16));
    if (typeof decimal === 'string') return String.fromCodePoint(Number(decimal));
    return ENTITIES[String(name)] ?? all;
  });
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

import { XMLParser, XMLValidator } from 'fast-xml-parser';
import type * as z from 'zod';
import { AwsError } from '../../kernel/aws-error.ts';
import { isRecord } from '../../kernel/json.ts';
import type { ServiceRequest } from '../../kernel/service.ts';

/** Caps on the XML of a call, held before it is parsed: meanwhile nothing else of the stack is answered. */
interface XmlCaps {
  readonly bytes: number;
  /** Opening and closing tags. */
  readonly tags: number;
}
const DOCUMENT: XmlCaps = { bytes: 1024 * 1024, tags: 50_000 };

/** Caps of a document that lists so many items, each with so many elements: 10,000 parts with a checksum each have 1.8 MB. */
export function listOf(items: number, elements: number): XmlCaps {
  return { bytes: 2 * 1024 * 1024, tags: items * elements * 2 + 10 };
}

/** The form that the XML body of a call must have. */
export interface XmlForm<T> {
  /** The document's element. */
  readonly root: string;
  readonly schema: z.ZodType<T>;
  /** Elements that may repeat; they are always arrays. */
  readonly lists?: readonly string[];
  readonly caps?: XmlCaps;
}

/**
 * Reads the XML body of a call: elements become members, all leaves are strings with their white space.
 *
 * @throws {AwsError} `MalformedXML` naming what the schema does not know
 */
export async function readXml<T>(request: ServiceRequest, form: XmlForm<T>): Promise<T> {
  const body = await request.body();
  const { caps = DOCUMENT } = form;
  if (body.length > caps.bytes) throw malformed(`is ${body.length} bytes, at most ${caps.bytes}`);
  let tags = 0;
  for (let at = body.indexOf('<'); at >= 0 && tags <= caps.tags; at = body.indexOf('<', at + 1)) tags += 1;
  if (tags > caps.tags) throw malformed(`has more than ${caps.tags} tags`);
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
  const document = parseWith(parser, text);
  if (!isRecord(document) || document[root] === undefined)
    throw malformed(`the root element must be ${root}`);
  const result = schema.safeParse(clean(document[root]));
  if (result.success) return result.data;
  const problems = result.error.issues.map((issue) => `${[root, ...issue.path].join('.')}: ${issue.message}`);
  throw malformed(problems.join('; '));
}

/** Parses XML. Text that the validator lets pass and the parser refuses, such as elements in elements without end, is malformed too. */
function parseWith(parser: XMLParser, text: string): unknown {
  // A document type could define entities of its own; the bodies of S3's calls never need one.
  if (/<!DOCTYPE/i.test(text)) throw malformed('a document type is not allowed');
  try {
    return parser.parse(text);
  } catch (error) {
    throw malformed(error instanceof Error ? error.message : String(error));
  }
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
  return text.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (reference, hex, decimal, name) => {
    const character =
      typeof name === 'string'
        ? ENTITIES[name]
        : toCharacter(typeof hex === 'string' ? Number.parseInt(hex, 16) : Number(decimal));
    if (character === undefined) throw malformed(`${reference} is not a character`);
    return character;
  });
}

/** Any character but NUL; halves of a surrogate pair are excluded. */
function toCharacter(codePoint: number): string | undefined {
  const isCharacter = codePoint > 0 && codePoint <= 0x10_ffff && (codePoint < 0xd800 || codePoint > 0xdfff);
  return isCharacter ? String.fromCodePoint(codePoint) : undefined;
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

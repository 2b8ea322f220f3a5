import { type Operation, type ServiceModel, type Shape, shapeOf } from './model.ts';
import { readLeaf } from './read-leaf.ts';

type Texts = Readonly<Record<string, string>>;

/** Query parameters of signatures, and the name of the call that SDKs add. */
const SIGNATURE_PARAMETERS =
  /^(x-id|X-Amz-.*|x-amz-.*|AWSAccessKeyId|Signature|Expires|content-type|content-md5)$/;

const COMMON_HEADERS =
  /^x-amzn?-(date|content-sha256|security-token|user-agent|target|algorithm|credential|signedheaders|signature|expires|decoded-content-length|trailer|trace-id|query-mode|requestid|request-id|id-2|errortype)$/;

/** Whether a header is of signatures, the transfer or tracing. */
export function isCommonHeader(name: string): boolean {
  return COMMON_HEADERS.test(name);
}

/** Reads what of a REST request stands in path, query and headers. What the model does not know stays, under its own name. */
export function readRequestParts(
  model: ServiceModel,
  { input, http, checksums = false }: Operation,
  labels: Texts,
  query: URLSearchParams,
  headers: Texts,
): Readonly<Record<string, unknown>> {
  if (!input) return {};
  const places = placesOf(model, input.shape);
  const read: Record<string, unknown> = {};
  readHeadersInto(read, model, places, headers, checksums ? 'x-amz-checksum-' : undefined);
  for (const [label, member] of places.labels) read[member] = labels[label];
  for (const name of query.keys()) {
    const place = places.query.get(name);
    if (place) read[place.member] = readTexts(model, place.shape, query.getAll(name));
    else if (!SIGNATURE_PARAMETERS.test(name) && !isPartOfUri(http?.requestUri, name))
      read[name] = query.get(name);
  }
  return read;
}

/** Reads the members of a REST answer that are headers. */
export function readHeaders(model: ServiceModel, shape: string, headers: Texts): Record<string, unknown> {
  const read: Record<string, unknown> = {};
  readHeadersInto(read, model, placesOf(model, shape), headers, undefined);
  return read;
}

interface Place {
  readonly member: string;
  readonly shape: Shape;
}

/** Where the members of a shape stand, by the names on the wire. */
interface Places {
  readonly labels: ReadonlyMap<string, string>;
  readonly query: ReadonlyMap<string, Place>;
  readonly headers: ReadonlyMap<string, Place>;
  /** Members that take all headers of a prefix. */
  readonly prefixes: readonly (readonly [string, string])[];
}

/** Kept, because each request asks for them, and S3's shapes have fifty members. */
const known = new WeakMap<Shape, Places>();

function placesOf(model: ServiceModel, name: string): Places {
  const shape = shapeOf(model, name);
  const places = known.get(shape) ?? findPlaces(model, shape);
  known.set(shape, places);
  return places;
}

function findPlaces(model: ServiceModel, { members = {} }: Shape): Places {
  const labels = new Map<string, string>();
  const query = new Map<string, Place>();
  const headers = new Map<string, Place>();
  const prefixes: (readonly [string, string])[] = [];
  for (const [member, { location, locationName = member, shape }] of Object.entries(members)) {
    const place = { member, shape: shapeOf(model, shape) };
    if (location === 'uri') labels.set(locationName, member);
    if (location === 'querystring') query.set(locationName, place);
    if (location === 'header') headers.set(locationName.toLowerCase(), place);
    if (location === 'headers') prefixes.push([locationName.toLowerCase(), member]);
  }
  return { labels, query, headers, prefixes };
}

function readHeadersInto(
  read: Record<string, unknown>,
  model: ServiceModel,
  { headers, prefixes }: Places,
  given: Texts,
  allowedPrefix: string | undefined,
): void {
  const prefixed = new Map<string, Record<string, string>>();
  for (const [name, text] of Object.entries(given)) {
    const place = headers.get(name);
    if (place) {
      const items = place.shape.type === 'list' ? text.split(',').map((item) => item.trim()) : [text];
      read[place.member] = readTexts(model, place.shape, items);
      continue;
    }
    if (!name.startsWith('x-amz') || isCommonHeader(name)) continue;
    const prefix = prefixes.find(([start]) => name.startsWith(start));
    if (prefix) prefixed.set(prefix[1], { ...prefixed.get(prefix[1]), [name]: text });
    else if (allowedPrefix === undefined || !name.startsWith(allowedPrefix)) read[name] = text;
  }
  for (const [member, entries] of prefixed) read[member] = entries;
}

function readTexts(model: ServiceModel, shape: Shape, texts: readonly string[]): unknown {
  const { member, type } = shape;
  if (type !== 'list') return readLeaf(shape, texts[0] ?? '');
  return texts.map((text) => (member ? readLeaf(shapeOf(model, member.shape), text) : text));
}

/** Whether a parameter is part of the URI, like `list-type` in `/{Bucket}?list-type=2`. */
function isPartOfUri(requestUri = '', name: string): boolean {
  return new URLSearchParams(requestUri.split('?')[1]).has(name);
}

import type { Operation, Reference, ServiceModel, Shape } from './model.ts';
import { shapeOf } from './model.ts';
import { readLeaf } from './read-leaf.ts';

type Texts = Readonly<Record<string, string>>;

/** Query parameters of signatures, and the name of the call that SDKs add. */
const SIGNATURE_PARAMETERS =
  /^(x-id|X-Amz-.*|x-amz-.*|AWSAccessKeyId|Signature|Expires|content-type|content-md5)$/;

/** Headers of signatures, of the transfer, and of tracing: of every call, and of none in particular. */
const COMMON_HEADERS =
  /^x-amzn?-(date|content-sha256|security-token|user-agent|target|algorithm|credential|signedheaders|signature|expires|decoded-content-length|trailer|trace-id|query-mode|requestid|request-id|id-2|errortype)$/;

/** Reads what of a REST request stands in path, query and headers. What the model does not know stays, under its own name. */
export function readRequestParts(
  model: ServiceModel,
  { input, http, checksums = false }: Operation,
  labels: Texts,
  query: URLSearchParams,
  headers: Texts,
): Readonly<Record<string, unknown>> {
  const members = (input && shapeOf(model, input.shape).members) ?? {};
  const fixed = new URLSearchParams(http?.requestUri.split('?')[1]);
  const parameters = [...query.keys()].filter((name) => !fixed.has(name) && !SIGNATURE_PARAMETERS.test(name));
  const read: Record<string, unknown> = readHeaders(model, members, headers, checksums);
  const known = new Set<string>();
  for (const [member, reference] of Object.entries(members)) {
    const name = reference.locationName ?? member;
    const shape = shapeOf(model, reference.shape);
    if (reference.location === 'uri') read[member] = labels[name];
    if (reference.location !== 'querystring') continue;
    known.add(name);
    const [text] = query.getAll(name);
    if (text !== undefined)
      read[member] =
        shape.type === 'list' ? readItems(model, shape, query.getAll(name)) : readLeaf(shape, text);
  }
  for (const name of parameters) if (!known.has(name)) read[name] = query.get(name);
  return read;
}

/** Reads the members of a REST request or answer that are headers. */
export function readHeaders(
  model: ServiceModel,
  members: Readonly<Record<string, Reference>>,
  headers: Texts,
  checksums = false,
): Record<string, unknown> {
  const read: Record<string, unknown> = {};
  const known: string[] = [];
  const prefixes: string[] = checksums ? ['x-amz-checksum-'] : [];
  for (const [member, { location, locationName = member, shape: name }] of Object.entries(members)) {
    const header = locationName.toLowerCase();
    const shape = shapeOf(model, name);
    if (location === 'headers') {
      prefixes.push(header);
      const entries = Object.entries(headers).filter(([given]) => given.startsWith(header));
      if (entries.length > 0) read[member] = Object.fromEntries(entries);
    }
    if (location !== 'header') continue;
    known.push(header);
    const text = headers[header];
    if (text !== undefined)
      read[member] =
        shape.type === 'list'
          ? readItems(
              model,
              shape,
              text.split(',').map((item) => item.trim()),
            )
          : readLeaf(shape, text);
  }
  for (const name of Object.keys(headers)) {
    const isOwn = /^x-amzn?-/.test(name) && !COMMON_HEADERS.test(name);
    if (isOwn && !known.includes(name) && !prefixes.some((prefix) => name.startsWith(prefix)))
      read[name] = headers[name];
  }
  return read;
}

function readItems(model: ServiceModel, { member }: Shape, texts: readonly string[]): unknown[] {
  return texts.map((text) => (member ? readLeaf(shapeOf(model, member.shape), text) : text));
}

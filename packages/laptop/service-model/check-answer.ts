import { XMLParser } from 'fast-xml-parser';
import { isRecord } from '../kernel/json.ts';
import type { SentAnswer } from '../kernel/watch-answer.ts';
import type { ModeledCall } from './call.ts';
import { checkValue } from './check-value.ts';
import { memberPath } from './finding.ts';
import { type Operation, operationOf, shapeOf } from './model.ts';
import { readHeaders } from './read-rest.ts';
import { readXmlMembers } from './read-xml-value.ts';

/** Contradictions of a successful answer to AWS's model of the call, a line each; errors are not looked into. */
export function problemsOf(call: ModeledCall, answer: SentAnswer): readonly string[] {
  if (answer.status >= 300) return [];
  const operation = operationOf(call.model, call.operation);
  const shape = operation.output?.shape;
  const value = readOutput(call, operation, answer);
  // Of a body that is bytes nothing is said but that it is there.
  const bytes = shape === undefined ? undefined : shapeOf(call.model, shape).payload;
  return checkValue(call.model, shape, value, bytes).map((finding) => {
    const reason =
      finding.kind === 'unknown' ? `no such member, but ${finding.text || 'none'}` : finding.text;
    return `${call.model.service} ${call.operation} answers ${memberPath(finding.path)} = ${JSON.stringify(finding.value)}: ${reason}`;
  });
}

function readOutput(call: ModeledCall, operation: Operation, { headers, body }: SentAnswer): unknown {
  const { model } = call;
  const { output } = operation;
  switch (model.protocol) {
    case 'json':
      return JSON.parse(body.toString('utf8'));
    case 'query': {
      const response = parseXml(body)[`${call.operation}Response`];
      const { ResponseMetadata: _, ...content } = isRecord(response) ? response : {};
      const wrapper = output?.resultWrapper;
      return output
        ? readXmlMembers(model, output.shape, wrapper === undefined ? content : content[wrapper])
        : content;
    }
    case 'rest-json':
    case 'rest-xml': {
      if (!output) return {};
      const { members = {}, payload } = shapeOf(model, output.shape);
      const parts = readHeaders(model, output.shape, headers);
      if (payload === undefined) return { ...parts, ...readBodyMembers(call, output.shape, body) };
      const { shape } = members[payload] ?? { shape: '' };
      if (shapeOf(model, shape).type !== 'structure' || model.protocol === 'rest-json') return parts;
      return { ...parts, [payload]: readXmlMembers(model, shape, Object.values(parseXml(body))[0]) };
    }
  }
}

function readBodyMembers(
  { model }: ModeledCall,
  shape: string,
  body: Buffer,
): Readonly<Record<string, unknown>> {
  if (body.length === 0) return {};
  if (model.protocol === 'rest-json') {
    const value: unknown = JSON.parse(body.toString('utf8'));
    return isRecord(value) ? value : { body: value };
  }
  const [[root, content] = ['', '']] = Object.entries(parseXml(body));
  // The answer to GetBucketLocation is its only member.
  if (typeof content === 'string' && Object.hasOwn(shapeOf(model, shape).members ?? {}, root))
    return content === '' ? {} : { [root]: content };
  return readXmlMembers(model, shape, content);
}

const PARSER = new XMLParser({
  ignoreAttributes: true,
  ignoreDeclaration: true,
  removeNSPrefix: true,
  parseTagValue: false,
  trimValues: false,
  processEntities: false,
});

function parseXml(body: Buffer): Readonly<Record<string, unknown>> {
  const document: unknown = PARSER.parse(body.toString('utf8'));
  return isRecord(document) ? document : {};
}

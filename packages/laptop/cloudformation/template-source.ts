import * as z from 'zod';
import { AwsError, validationError } from '../kernel/aws-error.ts';
import type { ObjectAccess } from '../kernel/ports.ts';
import type { Site } from '../kernel/service.ts';

/** Where a request has its template. */
export const TemplateSource = z.object({
  TemplateBody: z.string().optional(),
  TemplateURL: z.string().optional(),
});

/** Bytes of a template in a request, and of one in S3, as CloudFormation documents its quotas. */
const MAX_BODY_BYTES = 51_200;
const MAX_OBJECT_BYTES = 1_000_000;

/**
 * The text of a template in the request or in S3.
 *
 * @throws {AwsError} `ValidationError` in AWS's words
 */
export async function readTemplate(
  { TemplateBody, TemplateURL }: z.infer<typeof TemplateSource>,
  { objects, site }: { readonly objects: ObjectAccess; readonly site: Site },
): Promise<string> {
  if ((TemplateBody === undefined) === (TemplateURL === undefined))
    throw invalid('Either Template URL or Template Body must be specified.');
  if (TemplateURL === undefined) {
    const text = TemplateBody ?? '';
    if (Buffer.byteLength(text) <= MAX_BODY_BYTES) return text;
    throw invalid(
      `1 validation error detected: Value '${text.slice(0, 100)}…' at 'templateBody' failed to satisfy constraint: ` +
        `Member must have length less than or equal to ${MAX_BODY_BYTES}`,
    );
  }
  const place = toObject(TemplateURL, site);
  if (!place) throw invalid('TemplateURL must be a supported URL.');
  const body = objects.hasBucket(place.bucket) ? await objects.read(place.bucket, place.key) : undefined;
  if (!body)
    throw invalid(
      'S3 error: The specified key does not exist.\nFor more information check ' +
        'http://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html',
    );
  if (body.length > MAX_OBJECT_BYTES)
    throw invalid(`Template may not exceed ${MAX_OBJECT_BYTES} bytes in size.`);
  return body.toString('utf8');
}

/** The object that an address of S3, or of this stack's S3, names; undefined for any other address. */
export function toObject(
  text: string,
  site: Site,
): { readonly bucket: string; readonly key: string } | undefined {
  const url = URL.parse(text);
  if (!url) return undefined;
  const path = decodeURIComponent(url.pathname.slice(1));
  const host = /^(?:(?<bucket>.+)\.)?s3(?:[.-][a-z0-9-]+)?\.amazonaws\.com(?:\.cn)?$/.exec(url.hostname);
  if (!host && url.origin !== new URL(site.endpoint()).origin) return undefined;
  const bucket = host?.groups?.['bucket'];
  if (bucket !== undefined) return { bucket, key: path };
  const [first = '', ...rest] = path.split('/');
  return { bucket: first, key: rest.join('/') };
}

function invalid(message: string): AwsError {
  return validationError(message);
}

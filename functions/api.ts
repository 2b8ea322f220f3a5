import { api } from '../src/app/api/api.ts';
import { presignedLinks } from '../src/aws/s3/presigned-links.ts';
import { env } from './runtime/env.ts';
import { http } from './runtime/http.ts';
import { bucket, now } from './runtime/services.ts';

/** Short, because a link needs no credentials. */
const LINK_SECONDS = 900;

/** The routes of the API that read. */
export const handler = http(api, () => ({
  store: bucket(),
  pipelinesClaim: env('PIPELINES_CLAIM'),
  links: presignedLinks({ bucket: env('BUCKET_NAME'), seconds: LINK_SECONDS }),
  linkSeconds: LINK_SECONDS,
  clock: now,
}));

import type { Route, Stage } from './api-record.ts';
import type { CallerAuthorizer } from './gateway-refusal.ts';

/** Facts of a request, collected for log and metrics. */
export interface Journey {
  stage?: Stage;
  route?: Route;
  path: string;
  authorizer?: CallerAuthorizer;
  authorizerError?: string;
  integrationMs?: number;
  integrationError?: string;
}

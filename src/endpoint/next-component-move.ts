import type { EndpointState } from './progress.ts';

/** An inference component as SageMaker describes it. */
export interface ComponentState {
  readonly name: string;
  /** `InService`, `Creating`, `Updating`, `Failed` or `Deleting`. */
  readonly status: string;
  /** Copies in service. */
  readonly copies: number;
}

/** Status in which SageMaker deletes a component. */
export function isComponentAtRest({ status }: Pick<ComponentState, 'status'>): boolean {
  return status === 'InService' || status === 'Failed';
}

/**
 * Next move of a deployment to an endpoint that scales to zero.
 *
 * - `create-host`: there is no endpoint to host the model
 * - `create-component`: the model comes up next to the serving one, which callers keep
 * - `delete-component`: an earlier component of that name has failed, or was left without copies before its test: no request
 *   would wake it, so it is created again
 * - `await`: it is coming up, or is up and untested
 */
type ComponentMove =
  'wait' | 'create-host' | 'delete-failed' | 'create-component' | 'delete-component' | 'await' | 'done';

/** Decides what a deployment of a component does next. */
export function nextComponentMove({
  host,
  component,
  isClaimed,
  isLive,
}: {
  readonly host: EndpointState | undefined;
  /** The wanted component; undefined if there is none. */
  readonly component: ComponentState | undefined;
  /** Whether this change has asked for it. */
  readonly isClaimed: boolean;
  /** Whether it has passed its test before. */
  readonly isLive: boolean;
}): ComponentMove {
  if (host === undefined) return 'create-host';
  if (host.status === 'Failed') return 'delete-failed';
  if (host.status !== 'InService') return 'wait';
  if (component === undefined) return 'create-component';
  if (component.status === 'Deleting') return 'wait';
  const isAsleep = component.status === 'InService' && component.copies === 0;
  if (!isClaimed && (component.status === 'Failed' || (isAsleep && !isLive))) return 'delete-component';
  return isLive && component.status !== 'Failed' ? 'done' : 'await';
}

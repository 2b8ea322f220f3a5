import type { Clock } from '../../kernel/clock.ts';
import type { RoleSessions, ServiceAccess } from '../../kernel/permission.ts';
import type { Site } from '../../kernel/service.ts';
import type { Executions } from '../executions.ts';
import type { Chance } from '../expression/functions.ts';
import type { RunningChild } from '../map/run-child.ts';
import type { Machines } from '../store/machines.ts';
import type { MapRuns } from '../store/map-runs.ts';

/** Dependencies of the API's actions. */
export interface StatesDeps {
  readonly site: Site;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly machines: Machines;
  readonly executions: Executions;
  readonly mapRuns: MapRuns;
  readonly runningChildren: ReadonlyMap<string, RunningChild>;
  readonly roles: RoleSessions;
  readonly access: ServiceAccess;
}

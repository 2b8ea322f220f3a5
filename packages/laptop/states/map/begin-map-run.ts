import type { Site } from '../../kernel/service.ts';
import { mapRunArn, stateMachineArn } from '../arn.ts';
import type { MapState } from '../definition/machine.ts';
import type { Engine } from '../engine/engine.ts';
import type { Visit } from '../engine/thread.ts';
import { noCounts } from '../store/map-counts.ts';
import type { MapRun, MapRuns } from '../store/map-runs.ts';

/** The machine that a map run belongs to, however deep in other map runs its execution is: their names follow a slash. */
export function rootMachineArn(site: Site, { thread }: Visit): string {
  return stateMachineArn(site, rootName(thread.execution.identity.name));
}

/** Opens a map run of its own for a visit to the state. */
export function beginMapRun(
  engine: Engine,
  { site, mapRuns }: { readonly site: Site; readonly mapRuns: MapRuns },
  state: MapState,
  visit: Visit,
  maxConcurrency: number,
): MapRun {
  const { execution } = visit.thread;
  const machineName = rootName(execution.identity.name);
  const label = state.Label ?? state.name.replace(/[^\w-]/g, '').slice(0, 40);
  const run: MapRun = {
    arn: mapRunArn(site, machineName, label, engine.chance.uuid()),
    executionArn: execution.arn,
    machineArn: stateMachineArn(site, `${machineName}/${label}`),
    startMs: engine.clock.now(),
    status: 'RUNNING',
    maxConcurrency,
    itemCounts: noCounts(),
    executionCounts: noCounts(),
  };
  mapRuns.begin(run);
  return run;
}

function rootName(machineName: string): string {
  return machineName.split('/')[0] ?? machineName;
}

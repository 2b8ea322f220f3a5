import { jsonService } from '../kernel/json-service.ts';
import {
  type Credentials,
  everyServiceAllowed,
  type RoleSessions,
  type ServiceAccess,
} from '../kernel/permission.ts';
import type { EventBus, FunctionInvoker, LogWriter } from '../kernel/ports.ts';
import type { ServiceBase } from '../kernel/service.ts';
import type { StatesDeps } from './actions/deps.ts';
import { executionActions } from './actions/executions.ts';
import { machineActions } from './actions/machines.ts';
import { mapRunActions } from './actions/map-runs.ts';
import type { Engine } from './engine/engine.ts';
import { runBlock } from './engine/run-block.ts';
import type { Thread } from './engine/thread.ts';
import { Executions } from './executions.ts';
import { expressionCompiler } from './expression/compile.ts';
import { templateEvaluator } from './expression/evaluate.ts';
import { type Chance, systemChance } from './expression/functions.ts';
import { runDistributedMap } from './map/distributed-map.ts';
import { type MapObjects, mapObjects } from './map/map-objects.ts';
import type { RunningChild } from './map/run-child.ts';
import { statesResources } from './resources.ts';
import { Machines } from './store/machines.ts';
import { MapRuns } from './store/map-runs.ts';
import { type Calls, callsByRole } from './tasks/as-role.ts';
import { runTask } from './tasks/run-task.ts';

const OWN_CREDENTIALS: Credentials = { accessKeyId: 'states', secretAccessKey: 'test' };
const EVERYTHING_ALLOWED: RoleSessions = { credentialsOf: () => OWN_CREDENTIALS, refusal: () => null };

interface StatesOptions extends ServiceBase {
  readonly bus: EventBus;
  readonly functions: FunctionInvoker;
  readonly logs: LogWriter;
  /** Objects of Distributed Maps instead of those in the stack's own S3. */
  readonly objects?: MapObjects;
  /** Whom the tasks of a machine act as; without it they may do everything. */
  readonly roles?: RoleSessions;
  /** Which roles trust Step Functions; by default all. */
  readonly access?: ServiceAccess;
  readonly chance?: Chance;
}

/** Step Functions for standard machines in JSONata. */
export function createStates(options: StatesOptions) {
  const { dir, site, clock, functions, chance = systemChance, roles = EVERYTHING_ALLOWED } = options;
  const objectsOf = (credentials: Credentials): MapObjects =>
    options.objects ?? mapObjects(site, site.endpoint, credentials);
  const parts = {
    ...options,
    chance,
    roles,
    machines: new Machines(dir),
    mapRuns: new MapRuns(dir),
    runningChildren: new Map<string, RunningChild>(),
  };
  const executions = new Executions({ ...parts, engine: () => engine });
  const calls = callsByRole({ site, functions, executions, objectsOf, roles });
  const callsOf = ({ execution }: Thread): Calls => calls.as(execution.identity.roleArn);
  const engine: Engine = {
    clock,
    chance,
    evaluate: templateEvaluator(expressionCompiler({ clock, chance })),
    runBlock: (block, input, thread, interruption) => runBlock(engine, block, input, thread, interruption),
    runTask: (state, visit) => runTask(engine, callsOf(visit.thread), site.region, state, visit),
    runDistributedMap: (state, visit) =>
      runDistributedMap(engine, { ...parts, ...callsOf(visit.thread) }, state, visit),
  };
  const deps: StatesDeps = {
    ...parts,
    executions,
    access: options.access ?? everyServiceAllowed,
  };
  const service = jsonService({
    name: 'states',
    target: 'AWSStepFunctions',
    version: '1.0',
    actions: [...machineActions(deps), ...executionActions(deps), ...mapRunActions(deps)],
    close: async () => {
      parts.mapRuns.freeze();
      await executions.close();
      parts.mapRuns.close();
      calls.close();
    },
  });
  return {
    service,
    executions,
    resources: statesResources(deps),
    /** Lets the executions that a stopped stack left go on where they stood. Call when every service is up. */
    start: () => executions.resume(),
  };
}

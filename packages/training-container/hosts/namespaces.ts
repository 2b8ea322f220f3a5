import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { TOOL_FOLDERS } from '@inferdrop/model-container/internal/find-tool';
import type { HostFolders } from '../training-request.ts';
import { toolPath } from './linux-tools.ts';

/** The namespaces of a job's hosts. */
export interface Namespaces {
  /** The command behind which a process is one of the host's. */
  behind(host: string): readonly string[];
  /** Kills every process in them, and the namespaces go with it. A second call does nothing else. */
  end(): Promise<void>;
}

/** Makes the network of a job: a bridge in a user namespace that lives as long as its standard input. */
const BRIDGE = 'ip link add hosts type bridge && ip link set hosts up && echo ready && exec cat';

const HOST = fileURLToPath(import.meta.resolve('#training-container/hosts/exact-host.sh'));

/** The user is root in the namespaces, with the capabilities that Docker leaves root: a host cannot mount, as in the cloud. */
const CAPABILITIES =
  '-all,+chown,+dac_override,+fowner,+fsetid,+kill,+setgid,+setuid,+setpcap,+net_bind_service,+net_raw,+sys_chroot,+mknod,+setfcap';

/**
 * Gives each host a user, network, mount, process, IPC and host-name namespace on one bridge, with its `/opt/ml`. They go when this
 * program exits, however it exits.
 *
 * @param root - takes their hosts file and mount points
 * @param readOnly - folders of this machine that their processes must not change
 * @throws {Error} with the tools' output if one can't be made
 */
export async function openNamespaces(
  root: string,
  all: readonly Pick<HostFolders, 'host' | 'optMl'>[],
  readOnly: readonly string[] = [],
): Promise<Namespaces> {
  const hostsFile = join(root, 'hosts');
  await writeFile(hostsFile, hostsFileOf(all.map(({ host }) => host)));
  const bridge = startHolder([
    toolPath('unshare'),
    ...['--user', '--map-root-user', '--net', 'sh', '-c', BRIDGE],
  ]);
  const holders = new Map<string, Holder>();
  const end = async (): Promise<void> => {
    await Promise.all([...holders.values()].map((holder) => holder.end()));
    await bridge.end();
  };
  try {
    await bridge.ready;
    const network = openSync(`/proc/${bridge.pid}/ns/net`, 'r');
    try {
      for (const [at, { host, optMl }] of all.entries()) {
        const opt = join(root, `${host}-opt`);
        await mkdir(opt);
        holders.set(
          host,
          startHolder(
            [
              ...[toolPath('nsenter'), '--target', String(bridge.pid)],
              ...['--user', '--preserve-credentials', '--net'],
              ...[toolPath('unshare'), '--net', '--mount', '--uts', '--ipc', '--pid'],
              ...['--fork', '--kill-child', '--mount-proc'],
              ...['sh', HOST, host, addressOf(at), hostsFile, optMl, opt, ...new Set(readOnly)],
            ],
            network,
          ),
        );
      }
      await Promise.all([...holders.values()].map(({ ready }) => ready));
    } finally {
      closeSync(network);
    }
  } catch (error) {
    await end();
    throw error;
  }
  return {
    behind(host) {
      const pid = holders.get(host)?.pid;
      if (pid === undefined) throw new RangeError(`${host} must be a host of the job`);
      return [
        // A script that halts its host halts nsenter too, which would outlive this program.
        ...[toolPath('setpriv'), '--pdeathsig', 'KILL'],
        ...[toolPath('nsenter'), '--target', String(pid), '--user', '--preserve-credentials'],
        ...['--net', '--mount', '--uts', '--ipc', `--pid=/proc/${pid}/ns/pid_for_children`],
        ...[toolPath('setpriv'), '--bounding-set', CAPABILITIES],
        toolPath('setsid'),
      ];
    },
    end,
  };
}

/** In 10.99.0.0/16; hosts count from 0. */
function addressOf(host: number): string {
  return `10.99.${Math.floor((host + 1) / 256)}.${(host + 1) % 256}`;
}

function hostsFileOf(hosts: readonly string[]): string {
  const lines = [
    '127.0.0.1 localhost',
    '::1 localhost',
    ...hosts.map((host, at) => `${addressOf(at)} ${host}`),
  ];
  return `${lines.join('\n')}\n`;
}

/** A process that holds namespaces while its standard input is open. */
interface Holder {
  readonly pid: number | undefined;
  /** Resolves when they are made. */
  readonly ready: Promise<void>;
  end(): Promise<void>;
}

function startHolder([program = '', ...args]: readonly string[], network?: number): Holder {
  const child: ChildProcess = spawn(program, args, {
    env: { PATH: TOOL_FOLDERS.join(':') },
    stdio: ['pipe', 'pipe', 'pipe', ...(network === undefined ? [] : [network])],
    // Ctrl-C in a terminal is for this program, which stops its jobs first.
    detached: true,
  });
  let said = '';
  child.stderr?.on('data', (bytes: Buffer) => (said += bytes.toString()));
  const exited = once(child, 'exit').catch(() => undefined);
  const isReady = Promise.withResolvers<void>();
  child.stdout?.once('data', () => isReady.resolve());
  child.once('error', (error) => isReady.reject(error));
  void exited.then(() => isReady.reject(new Error(said.trim() || `${program} has ended`)));
  isReady.promise.catch(() => undefined);
  child.stdin?.on('error', () => undefined);
  return {
    pid: child.pid,
    ready: isReady.promise,
    async end() {
      child.stdin?.end();
      await exited;
    },
  };
}

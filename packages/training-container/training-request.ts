import type { FrameworkName } from './frameworks.ts';

/** One training job as its hosts need it. */
export interface TrainingRequest {
  /**
   * `portable`: hosts share this machine's network and files, and their Python maps `/opt/ml`, names and ports. `exact`: each has a real
   * `/opt/ml`, name, address and every port, by namespaces of Linux.
   */
  readonly mode: 'portable' | 'exact';
  readonly name: string;
  readonly arn: string;
  readonly region: string;
  /** From the repository of the image. */
  readonly framework: FrameworkName;
  /** Absolute path of the interpreter of the framework's environment. */
  readonly python: string;
  /** Folder of the environments that `requirements.txt` asks for; kept between jobs. */
  readonly environmentsDir: string;
  /** An empty folder; the first host lives in `<root>/algo-1/opt/ml`. */
  readonly root: string;
  readonly hostCount: number;
  readonly instanceType: string;
  readonly gpusPerHost: number;
  /** Hyperparameters of the request: texts, mostly of JSON. */
  readonly hyperparameters: Readonly<Record<string, string>>;
  readonly channels: readonly TrainingChannel[];
  /** The job's own variables, credentials and `AWS_ENDPOINT_URL` of the stack. */
  readonly environment: Readonly<Record<string, string>>;
  readonly networkIsolation: boolean;
  /**
   * ContainerEntrypoint and ContainerArguments: what every host runs instead of the image's toolkit. Without the toolkit there are no
   * `SM_` variables, requirements and launchers, as in the cloud.
   */
  readonly command?: readonly string[];
  /** Between SIGTERM and SIGKILL; SageMaker gives 120,000. */
  readonly graceMs: number;
}

/** One entry of InputDataConfig; a mode that it leaves out is the job's. */
export interface TrainingChannel {
  readonly name: string;
  readonly inputMode: 'File' | 'FastFile' | 'Pipe';
  readonly distribution: 'FullyReplicated' | 'ShardedByS3Key';
  readonly recordWrapper: 'None' | 'RecordIO';
  readonly contentType?: string;
  /** Pipe mode only: the objects of an epoch of a host in order, each as a stream of its bytes. Host and epoch count from 0. */
  readonly open?: (host: number, epoch: number) => AsyncIterable<AsyncIterable<Uint8Array>>;
}

/** Where a host's part of `/opt/ml` lies on this machine. */
export interface HostFolders {
  /** `algo-1` */
  readonly host: string;
  readonly optMl: string;
  /** `input/data`; a channel lies in a folder of its name. */
  readonly data: string;
  readonly model: string;
  readonly outputData: string;
  readonly code: string;
  readonly checkpoints: string;
}

/** How the hosts ended. */
export interface TrainingEnd {
  /** Exit codes by host; 128 + n where signal n ended the host's process. */
  readonly exitCodes: Readonly<Record<string, number>>;
  /** Failure of the host that failed first; undefined if all ended with 0, or were stopped. */
  readonly failure?: TrainingFailure;
}

/** Why a job failed. If pip failed, or data couldn't be read although all scripts exited with 0: the first host's, with code 1. */
export interface TrainingFailure {
  readonly host: string;
  readonly exitCode: number;
  /** `FailureReason` of the job, at most 1,024 characters. */
  readonly reason: string;
}

/** Refusal of a job that this machine cannot run, or that AWS's containers would refuse; one line a problem. */
export class TrainingRefused extends Error {
  override readonly name = 'TrainingRefused';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}

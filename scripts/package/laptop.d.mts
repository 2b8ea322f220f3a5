/** Settings of {@link startLaptop}. */
export interface LaptopOptions {
  /** Folder of the stack's data; left out, a temporary one that {@link Laptop.close} deletes. */
  readonly dataDir?: string;
  /** Port of 127.0.0.1; 0, the default, takes any free one. */
  readonly port?: number;
  /** Stage of the deployment; `dev` by default. */
  readonly stage?: string;
}

/** AWS on this machine, with inferdrop deployed into it. */
export interface Laptop {
  /** Address of every service, for `endpoint` of an SDK's client or `AWS_ENDPOINT_URL`. */
  readonly endpoint: string;
  readonly region: string;
  /** Access key of the account's owner. */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
  /** The same as variables, for child processes such as `inferdrop drop`. */
  readonly environment: Readonly<Record<string, string>>;
  /** Name of the data bucket. */
  readonly bucket: string;
  /** Address of the prediction API. */
  readonly apiUrl: string;
  /** Ends the stack with everything that it runs. */
  close(): Promise<void>;
}

/**
 * Brings AWS up in this process and deploys inferdrop into it. The process's own environment is left as it is.
 *
 * @throws {Error} for an older Node than 22.15, a port or a data folder in use, or where ONNX Runtime is missing and cannot be installed
 */
export function startLaptop(options?: LaptopOptions): Promise<Laptop>;

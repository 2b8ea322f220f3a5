/** What every step about endpoints must know of its deployment. */
export interface EndpointScope {
  /** Every name of an endpoint, configuration or model of endpoints begins with it: `inferdrop-<stage>`. */
  readonly prefix: string;
}

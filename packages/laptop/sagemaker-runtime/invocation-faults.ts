/** Faults that a test brings into real-time invocations. */
export interface InvocationFaults {
  /** Asked before each; the container gets the request when the promise has resolved. */
  invocation?(endpointName: string): Promise<void> | undefined;
}

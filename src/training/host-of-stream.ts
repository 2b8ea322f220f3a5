/** `algo-1`, the host with the log stream `<job>/algo-1-1700000000`. */
export function hostOfStream(stream: string): string {
  const [, host] = /\/(algo-\d+)(?:-|$)/.exec(stream) ?? [];
  return host ?? stream;
}

/** The name that a DNS message asks for (RFC 1035, 4.1.2). */
export function questionOf(message: Buffer): string {
  const labels: string[] = [];
  for (let at = 12; ;) {
    const length = message.readUInt8(at);
    if (length === 0) return labels.join('.');
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
}

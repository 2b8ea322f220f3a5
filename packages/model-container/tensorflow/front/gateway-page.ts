const REASONS = { 502: 'Bad Gateway', 504: 'Gateway Time-out' } as const;

/** nginx's own page where its backend is missing, or does not answer in time. */
export function toGatewayPage(status: keyof typeof REASONS): string {
  const title = `${status} ${REASONS[status]}`;
  return `<html>\r\n<head><title>${title}</title></head>\r\n<body>\r\n<center><h1>${title}</h1></center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n`;
}

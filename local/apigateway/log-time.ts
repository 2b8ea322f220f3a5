const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `12/Mar/2026:19:03:58 +0000`, as logs have it. */
export function toLogTime(timeMs: number): string {
  const [date = '', time = ''] = new Date(timeMs).toISOString().split(/[T.]/);
  const [year, month, day] = date.split('-');
  return `${day}/${MONTHS[Number(month) - 1]}/${year}:${time} +0000`;
}

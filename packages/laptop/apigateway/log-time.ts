const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

let last = { second: -1, text: '' };

/** `12/Mar/2026:19:03:58 +0000`, as logs have it. The text is cached for the second. */
export function toLogTime(timeMs: number): string {
  const second = Math.floor(timeMs / 1000);
  if (second === last.second) return last.text;
  const [date = '', time = ''] = new Date(timeMs).toISOString().split(/[T.]/);
  const [year, month, day] = date.split('-');
  last = { second, text: `${day}/${MONTHS[Number(month) - 1]}/${year}:${time} +0000` };
  return last.text;
}

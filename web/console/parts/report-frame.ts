import { h, type View } from '../view/view.ts';

/** A run's report in place: in a frame with an origin of its own, so that nothing in it has a hold on the console. */
export function reportFrame(run: string): View {
  const address = `/report/${encodeURIComponent(run)}`;
  return h(
    'div',
    { class: 'report', key: 'report' },
    h('iframe', {
      sandbox: 'allow-scripts allow-popups allow-downloads',
      src: `${address}?framed=1`,
      title: `Report of ${run}`,
    }),
    h(
      'p',
      { class: 'small' },
      h('a', { href: address, target: '_blank', rel: 'noopener' }, 'Open the report in a window of its own'),
    ),
  );
}

import type { MessageRow } from '../../../src/api/console/message-row.ts';
import { ago, moment } from '../../../src/text/dates.ts';
import { ask, reasonOf } from '../data/ask.ts';
import type { OpenPage } from '../page.ts';
import { addressOfRun } from '../parts/state.ts';
import { type Child, h, type View } from '../view/view.ts';

/** Messages about runs and endpoints: a list, and the text of one. */
export const openMessages: OpenPage = (_, frame) => {
  let messages: readonly MessageRow[] | undefined;
  let error: string | undefined;
  let chosen = 0;
  const read = async (): Promise<void> => {
    messages = await ask<readonly MessageRow[]>('/api/messages');
    frame.redraw();
  };
  void read().catch((thrown: unknown) => {
    error = reasonOf(thrown);
    frame.redraw();
  });
  const choose = (at: number) => (): void => {
    chosen = at;
    frame.redraw();
    // On a phone the text stands below the list.
    requestAnimationFrame(() => document.querySelector('.reading')?.scrollIntoView({ block: 'nearest' }));
  };
  return {
    title: () => 'Messages',
    view() {
      const shown = messages?.[chosen];
      return [
        h(
          'div.head',
          h('h1', 'Messages'),
          h(
            'p.lead',
            frame.place.local
              ? 'What was sent about runs and endpoints. On this machine nothing leaves it.'
              : 'What was sent to the subscribers about runs and endpoints.',
          ),
        ),
        error !== undefined && h('p.alarm', { role: 'alert' }, error),
        messages !== undefined &&
          messages.length === 0 &&
          h(
            'div.empty',
            h('h2', 'No message yet'),
            h('p', 'Each run ends with one message, and so does each change of an endpoint.'),
          ),
        messages !== undefined &&
          shown !== undefined &&
          h(
            'div.mail',
            h(
              'ul.rows',
              messages.map((one, at) => row(one, at === chosen, choose(at))),
            ),
            reading(shown),
          ),
      ];
    },
  };
};

function row({ run, pipeline, subject, at }: MessageRow, isChosen: boolean, choose: () => void): View {
  return h(
    'li',
    { key: `${run ?? pipeline} ${at}` },
    h(
      'button.message',
      { type: 'button', 'aria-pressed': String(isChosen), on: { click: choose } },
      h('b', subject.replace(/^inferdrop: /, '')),
      h('span.small.muted', { title: moment(at) }, ago(at, Date.now())),
    ),
  );
}

function reading({ run, pipeline, subject, body, at, isSent }: MessageRow): Child {
  return h(
    'article.reading',
    { key: `${run ?? pipeline} ${at}`, 'aria-labelledby': 'subject' },
    h('h2#subject.subject', subject),
    h('p.small.muted', `${moment(at)}${isSent ? '' : ', not sent yet'}`),
    h('pre', { tabindex: '0', role: 'region', 'aria-label': 'Text of the message' }, body),
    h(
      'div.actions',
      run === null
        ? h('a.button', { href: '#/endpoints' }, 'Open endpoints')
        : h('a.button', { href: addressOfRun(run) }, 'Open the run'),
    ),
  );
}

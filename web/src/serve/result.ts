// What a run found: its page in a frame of its own, and how it differs from another run.
import {h} from '../dom';
import {byPath, capital, times} from '../format';
import {table} from '../table';
import {compare, pageOf, resultsOf, type Figure, type Pair, type Run} from './api';

function figures(pair: Pair, before: Run, after: Run): HTMLElement {
  const cell = (row: Figure, value: number) => byPath(row.path ?? row.name, value);
  return table(
    pair.run,
    [
      {
        title: 'What',
        cell: (row: Figure) => capital(row.name.replace(/, (s|µs|GiB|%|Gb\/s)$/, '')),
      },
      {title: before.name, cell: (row: Figure) => cell(row, row.a), isNumber: true},
      {title: after.name, cell: (row: Figure) => cell(row, row.b), isNumber: true},
      {
        title: 'Ratio',
        cell: (row: Figure) => (row.a === 0 ? '–' : times(row.b / row.a)),
        isNumber: true,
      },
    ],
    pair.figures,
  );
}

function inputs(pair: Pair): HTMLElement | false {
  if (pair.texts.length === 0) return false;
  return h(
    'details',
    {},
    h('summary', {}, `What was described otherwise: ${pair.texts.length}`),
    h(
      'ul',
      {class: 'plain changes'},
      pair.texts.map(one => h('li', {}, h('code', {}, one.path), ` ${one.a} → ${one.b}`)),
    ),
  );
}

/** The part of the page below the editor. */
export class Result {
  readonly element = h('section', {class: 'part result', id: 'result', hidden: true});

  show(run: Run): void {
    this.element.hidden = false;
    this.element.replaceChildren(
      h(
        'div',
        {class: 'result-head'},
        h('h2', {}, run.name),
        h(
          'p',
          {class: 'note'},
          h('a', {href: pageOf(run.id), target: '_blank', rel: 'noopener'}, 'Open by itself'),
          ' · ',
          h('a', {href: resultsOf(run.id), download: `${run.name}.json`}, 'Results as JSON'),
        ),
      ),
      h('div', {class: 'comparison', hidden: true}),
      h('iframe', {
        src: pageOf(run.id),
        title: `Results of ${run.name}`,
        sandbox: 'allow-scripts allow-modals allow-downloads',
      }),
    );
  }

  async compare(before: Run, after: Run): Promise<void> {
    const slot = this.element.querySelector<HTMLElement>('.comparison');
    if (!slot) return;
    const pairs = await compare(after.id, before.id);
    slot.hidden = false;
    slot.replaceChildren(
      h('h3', {}, `Against ${before.name}`),
      ...pairs.map(pair =>
        pair.figures.length === 0 && pair.texts.length === 0
          ? h('p', {class: 'muted'}, 'Nothing differs but how long the runs took.')
          : h('div', {}, figures(pair, before, after), inputs(pair)),
      ),
    );
    slot.scrollIntoView({block: 'nearest'});
  }

  hide(): void {
    this.element.hidden = true;
    this.element.replaceChildren();
  }
}

// Where a number comes from: a dialog for one, a list for all.
import type {Data, Explanation} from '../data';
import {h} from '../dom';
import {facts, table} from '../table';
import {part, type Part} from './part';

export class Explanations {
  private readonly byKey: Map<string, Explanation>;
  private readonly labels: Map<string, string>;
  private readonly body = h('div', {});
  private readonly title = h('h2', {id: 'explanation-title'});
  readonly dialog = h(
    'dialog',
    {class: 'explanation', 'aria-labelledby': 'explanation-title'},
    this.title,
    this.body,
    h('form', {method: 'dialog'}, h('button', {class: 'primary'}, 'Close')),
  );

  constructor(private readonly data: Data) {
    this.byKey = new Map((data.explanations ?? []).map(item => [item.key, item]));
    this.labels = new Map((data.runs ?? []).map(run => [run.id, run.label]));
    this.dialog.addEventListener(
      'click',
      event => event.target === this.dialog && this.dialog.close(),
    );
  }

  /** The text, as a button that explains it where it can be explained. */
  cell(text: string, key: string | undefined): HTMLElement | string {
    if (key === undefined || !this.byKey.has(key)) return text;
    return h(
      'button',
      {
        type: 'button',
        class: 'explain',
        title: 'Where this comes from',
        'data-key': key,
        onclick: () => this.open(key),
      },
      text,
    );
  }

  private open(key: string): void {
    const item = this.byKey.get(key)!;
    this.title.textContent = item.value;
    const rows: [string, string | undefined][] = [
      ['Run', item.run === undefined ? undefined : (this.labels.get(item.run) ?? item.run)],
      ['Member of its results', item.path],
      ['Formula', item.formula],
      ['Source', item.source],
      ['Status', item.status],
      ['In the terminal', `${this.data.command ?? 'railyard compare'} --explain ${item.key}`],
    ];
    this.body.replaceChildren(
      facts(
        rows
          .filter(([, value]) => value !== undefined && value !== '')
          .map(([name, value]) => [
            name,
            ['Run', 'Source', 'Status', 'Formula'].includes(name) ? value! : h('code', {}, value),
          ]),
      ),
    );
    this.dialog.showModal();
  }

  /** All of them, one under the other. */
  part(): Part | undefined {
    const items = this.data.explanations ?? [];
    if (items.length === 0) return undefined;
    const list = table<Explanation>(
      'Where every number of the tables comes from',
      [
        {title: 'Key', cell: row => h('code', {}, row.key)},
        {title: 'Value', cell: row => row.value, isNumber: true},
        {title: 'Run', cell: row => this.labels.get(row.run ?? '') ?? (row.run || '–')},
        {
          title: 'Member or formula',
          cell: row => [
            row.path ? h('code', {}, row.path) : null,
            row.path && row.formula ? h('br') : null,
            row.formula || null,
          ],
        },
        {title: 'Source', cell: row => row.source || '–'},
        {title: 'Status', cell: row => row.status || '–'},
      ],
      items,
    );
    return part(
      'sources',
      'Where each number comes from',
      'Every number of the tables above, with the run and the member or formula it was taken from.',
      h(
        'details',
        {class: 'more'},
        h('summary', {}, `${items.length} numbers`),
        h('div', {class: 'table-block sources'}, list),
      ),
    );
  }
}

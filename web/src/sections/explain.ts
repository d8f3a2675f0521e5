// Where a number comes from: a dialog for one, a list for all.
import type {Data, Explanation, Table} from '../data';
import {h, lazyDetails} from '../dom';
import {fitted} from '../fit';
import {capital} from '../format';
import {facts, table} from '../table';
import {searchable} from './search';
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

  /** A table of the comparison, its numbers as buttons. */
  grid(item: Table, side: (column: number) => string | null): HTMLElement {
    return fitted(
      h(
        'table',
        {},
        h('caption', {class: 'unseen'}, item.title),
        h(
          'thead',
          {},
          h(
            'tr',
            {},
            item.columns.map((column, i) =>
              h('th', {scope: 'col', class: side(i)}, capital(column.title)),
            ),
          ),
        ),
        h(
          'tbody',
          {},
          item.rows.map(row =>
            h(
              'tr',
              {},
              row.cells.map((cell, i) => {
                const look = {class: side(i), 'data-label': capital(item.columns[i]?.title ?? '')};
                const content = this.cell(cell.text, cell.key);
                return i === 0 ? h('th', {...look, scope: 'row'}, content) : h('td', look, content);
              }),
            ),
          ),
        ),
      ),
    );
  }

  /** All of them, one under the other. */
  part(): Part | undefined {
    const items = this.data.explanations ?? [];
    if (items.length === 0) return undefined;
    return part(
      'sources',
      'Where each number comes from',
      '',
      lazyDetails(`All ${items.length} numbers of the tables, each with its run and formula`, () =>
        searchable(
          items,
          item => Object.values(item).join(' '),
          kept => this.list(kept),
        ),
      ),
    );
  }

  private list(items: Explanation[]): HTMLElement {
    return table<Explanation>(
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
      {className: 'sources'},
    );
  }
}

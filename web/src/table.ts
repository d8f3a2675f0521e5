// Tables with heads that screen readers know, numbers that stand under each other, and bars where a share is shown.
import {fitted} from './fit';
import {h, type Child} from './dom';
import {byName, heading} from './format';
import type {Row} from './data';

export interface Column<T> {
  title: string;
  cell: (row: T) => Child;
  isNumber?: boolean;
  bar?: (row: T) => {share: number; color?: string} | undefined; // drawn behind the number
}

export function table<T>(
  caption: string,
  columns: Column<T>[],
  rows: T[],
  options: {isCaptionShown?: boolean; className?: string} = {},
): HTMLElement {
  return fitted(
    h(
      'table',
      {class: options.className},
      h('caption', {class: options.isCaptionShown ? '' : 'unseen'}, caption),
      h(
        'thead',
        {},
        h(
          'tr',
          {},
          columns.map(column =>
            h('th', {scope: 'col', class: column.isNumber ? 'r' : null}, column.title),
          ),
        ),
      ),
      h(
        'tbody',
        {},
        rows.map(row =>
          h(
            'tr',
            {},
            columns.map((column, i) => cell(column, row, i === 0)),
          ),
        ),
      ),
    ),
  );
}

function cell<T>(column: Column<T>, row: T, isHead: boolean): HTMLElement {
  const bar = column.bar?.(row);
  const style = bar
    ? `--share:${Math.min(1, Math.max(0, bar.share)) * 100}%;--bar:${bar.color ?? 'var(--c-plain-bar)'}`
    : null;
  const attributes = {
    class: [column.isNumber ? 'r' : '', bar ? 'bar' : ''].join(' ').trim() || null,
    style,
    'data-label': column.title,
  };
  return isHead
    ? h('th', {...attributes, scope: 'row'}, column.cell(row))
    : h('td', attributes, column.cell(row));
}

/** A table of whatever members its rows have; units follow from their names. */
export function rowsTable(
  caption: string,
  rows: Row[],
  options: {skip?: string[]; only?: string[]; isCaptionShown?: boolean} = {},
): HTMLElement {
  const all = [...new Set(rows.flatMap(row => Object.keys(row)))].filter(
    name => !options.skip?.includes(name),
  );
  const names = (options.only?.filter(name => all.includes(name)) ?? all).filter(name =>
    rows.some(row => row[name] === null || typeof row[name] !== 'object' || isPlainList(row[name])),
  );
  const columns = names.map((name): Column<Row> => ({
    title: heading(name),
    cell: row => byName(name, row[name]),
    isNumber: rows.every(row => row[name] === undefined || typeof row[name] === 'number'),
  }));
  return table(caption, columns, rows, options);
}

function isPlainList(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every(item => typeof item !== 'object');
}

/** Names and values, for members that stand alone. */
export function facts(items: [string, Child][]): HTMLElement {
  return h(
    'dl',
    {class: 'facts'},
    items.map(([name, value]) => h('div', {}, h('dt', {}, name), h('dd', {}, value))),
  );
}

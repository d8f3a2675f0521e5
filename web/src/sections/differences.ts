// How two runs of a comparison differ.
import type {Data} from '../data';
import {h, lazyDetails, select} from '../dom';
import {byPath, capital, times} from '../format';
import {table} from '../table';

/** A table for any two runs, folded. */
export function differences(data: Data): HTMLElement | undefined {
  const all = (data.differences ?? []).filter(one => one.rows.length > 0);
  if (all.length === 0) return undefined;
  const labels = new Map((data.runs ?? []).map(run => [run.id, run.label]));
  const label = (id: string) => labels.get(id) ?? id;
  const slot = h('div', {});
  const show = (index: number) => {
    const one = all[index]!;
    slot.replaceChildren(
      table(
        `${label(one.a)} against ${label(one.b)}`,
        [
          {title: 'What', cell: row => capital(row.name.replace(/, (s|GiB|%|Gb\/s)$/, ''))},
          {title: label(one.a), cell: row => byPath(row.path ?? row.name, row.a), isNumber: true},
          {title: label(one.b), cell: row => byPath(row.path ?? row.name, row.b), isNumber: true},
          {
            title: 'Ratio',
            cell: row => (row.ratio === undefined || row.ratio === null ? '–' : times(row.ratio)),
            isNumber: true,
          },
        ],
        one.rows,
      ),
    );
  };
  return h(
    'div',
    {id: 'differences'},
    lazyDetails('Differences between two runs', () => {
      show(0);
      return [
        h(
          'div',
          {class: 'controls'},
          select(
            'Pair',
            all.map((one, i) => [String(i), `${label(one.a)} – ${label(one.b)}`]),
            '0',
            value => show(Number(value)),
          ),
        ),
        slot,
      ];
    }),
  );
}

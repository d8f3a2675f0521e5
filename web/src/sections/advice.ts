// What should change, ranked by what a rerun gained, and how two runs differ.
import type {Advice, Data} from '../data';
import {h, lazyDetails, select} from '../dom';
import {heading, percent, plain, seconds, times} from '../format';
import {table} from '../table';
import type {Explanations} from './explain';
import {part, type Part} from './part';
import {copyable} from './rest';

function item(advice: Advice, label: string, most: number, explanations: Explanations): HTMLElement {
  const gain = explanations.cell(`${advice.gain >= 0 ? '−' : '+'}${percent(Math.abs(advice.gain))}`, advice.key);
  return h(
    'li',
    {class: 'advice', 'data-rank': advice.rank},
    h('div', {class: 'advice-head'}, h('span', {class: 'rank', 'aria-label': `Rank ${advice.rank}`}, String(advice.rank)), h('div', {}, h('h3', {}, advice.change), h('p', {class: 'muted'}, `${label}: ${advice.kind}`)), h('div', {class: 'gain'}, h('b', {}, gain), h('small', {}, advice.metric ?? 'step time'))),
    h('div', {class: 'gain-bar', 'aria-hidden': 'true'}, h('span', {style: `width:${most > 0 ? Math.max(0.5, (Math.max(0, advice.gain) / most) * 100) : 0}%`})),
    h('p', {}, advice.before_s !== undefined && advice.after_s !== undefined && h('span', {class: 'before-after'}, `${seconds(advice.before_s)} → ${seconds(advice.after_s)}. `), advice.text),
    lazyDetails('Measure it again', () => copyable(advice.command, 'command')),
  );
}

export function advicePart(data: Data, explanations: Explanations): Part | undefined {
  const advice = [...(data.advice ?? [])].sort((a, b) => a.rank - b.rank);
  if (advice.length === 0) return undefined;
  const labels = new Map((data.runs ?? []).map((run) => [run.id, run.label]));
  const most = Math.max(...advice.map((one) => one.gain));
  return part('advice', 'What should change', 'Each gain was measured by running the scenario again with that one change.', h('ol', {class: 'plain advice-list'}, advice.map((one) => item(one, labels.get(one.run) ?? one.run, most, explanations))));
}

export function differencesPart(data: Data): Part | undefined {
  const all = (data.differences ?? []).filter((one) => one.rows.length > 0);
  if (all.length === 0) return undefined;
  const labels = new Map((data.runs ?? []).map((run) => [run.id, run.label]));
  const label = (id: string) => labels.get(id) ?? id;
  const text = (name: string, value: unknown) => (typeof value === 'number' ? (/(_s|time)$/.test(name) ? seconds(value) : plain(value)) : String(value ?? '–'));
  const slot = h('div', {});
  const show = (index: number) => {
    const one = all[index]!;
    slot.replaceChildren(
      table(
        `${label(one.a)} against ${label(one.b)}`,
        [
          {title: 'What', cell: (row) => heading(row.name)},
          {title: label(one.a), cell: (row) => text(row.name, row.a), isNumber: true},
          {title: label(one.b), cell: (row) => text(row.name, row.b), isNumber: true},
          {title: 'Ratio', cell: (row) => (row.ratio === undefined || row.ratio === null ? '–' : times(row.ratio)), isNumber: true},
        ],
        one.rows,
      ),
    );
  };
  show(0);
  return part('differences', 'Differences', '', h('div', {class: 'controls'}, select('Pair', all.map((one, i) => [String(i), `${label(one.a)} – ${label(one.b)}`]), '0', (value) => show(Number(value)))), slot);
}

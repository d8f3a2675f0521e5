// What should change, ranked by what a rerun gained, and how two runs differ.
import type {Advice, Data} from '../data';
import {h, lazyDetails, select} from '../dom';
import {byPath, capital, percent, seconds, times} from '../format';
import {table} from '../table';
import type {Explanations} from './explain';
import {part, type Part} from './part';
import {copyable} from './rest';

function item(
  advice: Advice,
  label: string,
  most: number,
  explanations: Explanations,
): HTMLElement {
  const gain = explanations.cell(advice.gain_text ?? percent(advice.gain), advice.key);
  const share = Math.abs(advice.of_step ?? advice.gain);
  return h(
    'li',
    {class: advice.keeps ? 'advice keeps' : 'advice', 'data-rank': advice.rank},
    h(
      'div',
      {class: 'advice-head'},
      h('span', {class: 'rank', 'aria-label': `Rank ${advice.rank}`}, String(advice.rank)),
      h(
        'div',
        {},
        h(
          'h3',
          {},
          `${advice.keeps ? 'Do not: ' : ''}${advice.keeps ? advice.change : capital(advice.change)}`,
        ),
        h('p', {class: 'muted'}, `${label}: ${advice.kind}`),
      ),
      h('div', {class: 'gain'}, h('b', {}, gain)),
    ),
    h(
      'div',
      {class: 'gain-bar', 'aria-hidden': 'true'},
      h('span', {style: `width:${most > 0 ? Math.max(0.5, Math.min(1, share / most) * 100) : 0}%`}),
    ),
    h('p', {}, advice.text),
    advice.before_s !== undefined &&
      advice.after_s !== undefined &&
      h(
        'p',
        {class: 'note'},
        capital(advice.metric ?? 'step'),
        ': ',
        h(
          'span',
          {class: 'before-after'},
          `${seconds(advice.before_s)} → ${seconds(advice.after_s)}`,
        ),
      ),
    lazyDetails('Measure it again', () => copyable(advice.command, 'command')),
  );
}

export function advicePart(data: Data, explanations: Explanations): Part | undefined {
  const advice = [...(data.advice ?? [])].sort((a, b) => a.rank - b.rank);
  if (advice.length === 0) return undefined;
  const labels = new Map((data.runs ?? []).map(run => [run.id, run.label]));
  const most = Math.max(...advice.map(one => Math.abs(one.of_step ?? one.gain)));
  const list = (all: Advice[]) =>
    h(
      'ol',
      {class: 'plain advice-list'},
      all.map(one => item(one, labels.get(one.run) ?? one.run, most, explanations)),
    );
  const keeps = advice.filter(one => one.keeps);
  return part(
    'advice',
    'What should change',
    'Each gain was measured by running the scenario again with that one change: more tokens per second than without it, or the most that a step could gain where something smaller was run.',
    list(advice.filter(one => !one.keeps)),
    keeps.length > 0 && [
      h('h3', {class: 'keep-title'}, 'What should stay'),
      h('p', {class: 'intro'}, 'Changes that were tried and cost something.'),
      list(keeps),
    ],
  );
}

export function differencesPart(data: Data): Part | undefined {
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
  show(0);
  return part(
    'differences',
    'Differences',
    '',
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
    h('div', {class: 'table-block'}, slot),
  );
}

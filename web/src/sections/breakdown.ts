// Where the time of a step goes.
import type {Breakdown, Run} from '../data';
import {h} from '../dom';
import {percent, seconds} from '../format';
import {css, paints} from '../palette';
import {partsBar} from '../charts/spans';
import {table} from '../table';
import {figure, runPart, type Part} from './part';

interface Piece {
  name: string;
  path: string;
  value: number;
  text: string;
  color: string;
}

const GROUPS: [string, string][] = [
  ['tensor', 'tensor-parallel communication'],
  ['context', 'context-parallel communication'],
  ['expert', 'expert-parallel communication'],
  ['pipeline', 'pipeline communication'],
  ['data', 'data-parallel communication'],
];

/** Parts of the step that are not nothing, in the order they are drawn. */
export function parts(b: Breakdown): Piece[] {
  const all: [string, string, number][] = [
    ['compute', 'compute_s', b.compute_s],
    ['contention: compute slowed by communication', 'contention_s', b.contention_s],
    ...GROUPS.map(([key, name]): [string, string, number] => [
      name,
      `exposed_s.${key}`,
      b.exposed_s[key] ?? 0,
    ]),
    ['bubble: waiting for other stages', 'bubble_s', b.bubble_s],
    ['optimizer', 'optimizer_s', b.optimizer_s],
    ['host', 'host_s', b.host_s],
  ];
  const colors = paints(all.map(([name]) => name));
  return all
    .map(([name, path, value], i) => ({
      name,
      path,
      value,
      text: seconds(value),
      color: css(colors[i]!),
    }))
    .filter(piece => piece.value > 0);
}

export function breakdownPart(run: Run): Part | undefined {
  const b = run.results.breakdown;
  if (!b) return undefined;
  const pieces = parts(b);
  const hidden = GROUPS.filter(([key]) => (b.hidden_s[key] ?? 0) > 0);
  const rows = table<Piece>(
    'Where the time of the mean stage goes',
    [
      {
        title: 'Part',
        cell: p => [h('span', {class: 'swatch', style: `background:${p.color}`}), p.name],
      },
      {
        title: 'Mean stage',
        cell: p => figure(run.results, `breakdown.${p.path}`, seconds),
        isNumber: true,
        bar: p => ({share: p.value / (run.results.step_time_s || 1), color: p.color}),
      },
    ],
    pieces,
    {className: 'wide'},
  );
  const beside =
    hidden.length > 0 &&
    h(
      'p',
      {class: 'note'},
      'Beside compute, and so not in the sum: ',
      hidden.map(([key, name], i) => [
        i > 0 ? ', ' : '',
        name,
        ' ',
        figure(run.results, `breakdown.hidden_s.${key}`, seconds),
      ]),
      b.shares?.['hidden'] !== undefined && [
        ' (',
        figure(run.results, 'breakdown.shares.hidden', percent),
        ' of the step)',
      ],
      '.',
    );
  return runPart(
    run.id,
    'time',
    'Where the time goes',
    '',
    partsBar(pieces, `Where the step goes: ${pieces.map(p => `${p.name} ${p.text}`).join(', ')}`),
    rows,
    beside,
  );
}

// Every draw of what was tried as a dot, beside what the job takes with nothing broken: does it matter which one fails?
import {dot, ruleX, tickX} from '@observablehq/plot';
import type {Faults} from '../data';
import {seconds} from '../format';
import {plotChart, tagged} from './plot';

const ROW = 30;
const ROOM = 0.02; // beside the least and the most: what differs by less is the same to a reader
const WIDE = 560; // below this, names stand above their dots

export function spreadChart(faults: Faults): HTMLElement | undefined {
  const rows = faults.cases
    .map((fault, index) => ({fault, index}))
    .filter(({fault}) => fault.table === 'one' && !fault.stops && fault.draws.length > 0);
  if (rows.length === 0) return undefined;
  const draws = rows.flatMap(({fault, index}) =>
    fault.draws.map((draw, k) => ({
      what: fault.what,
      value: draw.time_s ?? 0,
      path: `faults.cases[${index}].draws[${k}].time_s`,
      tip: `${draw.what}, seed ${draw.seed}: ${seconds(draw.time_s ?? 0)}`,
    })),
  );
  const means = rows.map(({fault, index}) => ({
    what: fault.what,
    value: fault.time_s,
    path: `faults.cases[${index}].time_s`,
    tip: `${fault.what}, mean: ${seconds(fault.time_s)}`,
  }));
  const times = [faults.whole_least_s, faults.whole_most_s, ...draws.map(one => one.value)];
  const seeds = faults.seeds.length;
  return plotChart({
    title: 'How much it matters which one fails',
    what: `Times of ${draws.length} runs, each with one element down, row by row of their kind; the lines are the job with nothing broken.`,
    legend: [
      {name: 'one run', color: 'var(--c-line-1)', shape: 'dot'},
      {name: 'mean', color: 'var(--ink)', shape: 'tick'},
      {
        name: seeds > 1 ? `nothing broken, ${seeds} seeds` : 'nothing broken',
        color: 'var(--worst)',
        shape: 'tick',
      },
    ],
    make: width => ({
      height: 46 + ROW * rows.length,
      marginLeft: width < WIDE ? 88 : 130,
      marginRight: 28,
      marginTop: 8,
      x: {
        label: 'time',
        tickFormat: (v: number) => seconds(Number(v.toPrecision(6))),
        ticks: Math.max(2, Math.floor(width / 160)),
        domain: [Math.min(...times) * (1 - ROOM), Math.max(...times) * (1 + ROOM)],
      },
      y: {label: null, domain: rows.map(({fault}) => fault.what), type: 'band', padding: 0.2},
      marks: [
        ruleX([faults.whole_least_s, faults.whole_most_s], {
          stroke: 'var(--worst)',
          strokeWidth: 1.5,
          strokeDasharray: '4 3',
        }),
        dot(draws, {
          x: 'value',
          y: 'what',
          r: 4,
          fill: 'var(--c-line-1)',
          fillOpacity: 0.55,
          stroke: 'var(--c-line-1)',
          ...tagged(draws),
        }),
        tickX(means, {
          x: 'value',
          y: 'what',
          stroke: 'var(--ink)',
          strokeWidth: 2.5,
          ...tagged(means),
        }),
      ],
    }),
  });
}

// What sharing costs each job: its time beside the others over its time alone, in phase and out of it.
import {dot, ruleX} from '@observablehq/plot';
import type {SharedJobs} from '../data';
import {plotChart, tagged} from './plot';

const ROW = 36;
const ROOM = 0.02; // of the time alone: what differs by less is the same to a reader
const WIDE = 560;

const percent = (share: number): string => `${share > 0 ? '+' : ''}${(share * 100).toFixed(1)} %`;

export function sharingChart(found: SharedJobs): HTMLElement | undefined {
  if (found.jobs.length < 2) return undefined;
  const points = (member: 'slowdown' | 'out_of_phase_slowdown', how: string) =>
    found.jobs.flatMap((job, index) => {
      const value = job[member];
      return value === undefined
        ? []
        : [
            {
              name: job.name,
              value,
              path: `jobs.jobs[${index}].${member}`,
              tip: `${job.name}, ${how}: ${percent(value)}`,
            },
          ];
    });
  const together = points('slowdown', 'beside all others');
  const apart = points('out_of_phase_slowdown', 'out of phase');
  const values = [0, ...together, ...apart].map(one => (typeof one === 'number' ? one : one.value));
  return plotChart({
    title: 'What sharing the fabric costs each job',
    what: 'How much longer a turn of each job takes beside the others than alone; the line is alone.',
    legend: [
      {name: 'beside all others', color: 'var(--c-line-1)', shape: 'dot'},
      ...(apart.length > 0
        ? [{name: 'the same, out of phase', color: 'var(--c-line-2)', shape: 'dot' as const}]
        : []),
      {name: 'alone', color: 'var(--ink)', shape: 'tick'},
    ],
    make: width => ({
      height: 52 + ROW * found.jobs.length,
      marginLeft: width < WIDE ? 88 : 130,
      marginRight: 28,
      marginTop: 8,
      marginBottom: 42,
      x: {
        label: 'longer than alone',
        labelOffset: 36,
        tickFormat: percent,
        ticks: Math.max(2, Math.floor(width / 160)),
        domain: [Math.min(...values) - ROOM, Math.max(...values) + ROOM],
      },
      y: {label: null, domain: found.jobs.map(job => job.name), type: 'band', padding: 0.2},
      marks: [
        ruleX([0], {stroke: 'var(--ink)', strokeWidth: 1.5}),
        dot(apart, {
          x: 'value',
          y: 'name',
          r: 5,
          stroke: 'var(--c-line-2)',
          strokeWidth: 2.5,
          ...tagged(apart),
        }),
        dot(together, {
          x: 'value',
          y: 'name',
          r: 5,
          fill: 'var(--c-line-1)',
          stroke: 'var(--c-line-1)',
          ...tagged(together),
        }),
      ],
    }),
  });
}

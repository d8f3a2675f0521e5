// Every plan that was timed with all care as a dot: how long a step is, and how full the fullest GPU. The front is what nothing
// beats in both.
import {dot, line, ruleY} from '@observablehq/plot';
import type {JobPlan} from '../data';
import {percent, seconds} from '../format';
import {plotChart, tagged} from './plot';

const ROOM = 0.02; // beside the least and the most

export function frontChart(plan: JobPlan): HTMLElement | undefined {
  if (plan.timed.length < 2) return undefined;
  const dots = plan.timed.map((one, i) => ({
    value: one.step_s,
    memory: one.memory_share,
    front: one.on_front,
    path: `plan.timed[${i}].step_s`,
    tip: `${seconds(one.step_s)}, ${percent(one.memory_share)} of memory`,
  }));
  const front = dots.filter(one => one.front).sort((a, b) => a.value - b.value);
  const others = dots.filter(one => !one.front);
  const today = plan.today
    ? [
        {
          value: plan.today.step_s,
          memory: plan.today.memory_share,
          path: 'plan.today.step_s',
          tip: `today: ${seconds(plan.today.step_s)}, ${percent(plan.today.memory_share)} of memory`,
        },
      ]
    : [];
  const times = [...dots, ...today].map(one => one.value);
  return plotChart({
    title: 'Time against memory',
    what: `${dots.length} plans by the time of a step and the memory of their fullest GPU; ${front.length} are not beaten in both.`,
    legend: [
      {name: 'a plan', color: 'var(--c-line-1)', shape: 'dot'},
      {name: 'not beaten in both', color: 'var(--ink)', shape: 'line'},
      ...(today.length > 0 ? [{name: 'today', color: 'var(--worst)', shape: 'dot'} as const] : []),
    ],
    make: width => ({
      height: 280,
      marginLeft: 56,
      marginRight: 28,
      x: {
        label: 'step',
        tickFormat: (v: number) => seconds(Number(v.toPrecision(6))),
        ticks: Math.max(2, Math.floor(width / 160)),
        domain: [Math.min(...times) * (1 - ROOM), Math.max(...times) * (1 + ROOM)],
      },
      y: {label: 'memory', tickFormat: (v: number) => percent(v), domain: [0, 1.02], grid: true},
      marks: [
        ruleY([1], {stroke: 'var(--worst)', strokeDasharray: '4 3'}),
        line(front, {x: 'value', y: 'memory', stroke: 'var(--ink)', curve: 'step-after'}),
        dot(others, {x: 'value', y: 'memory', r: 3, fill: 'var(--c-line-1)', ...tagged(others)}),
        dot(front, {x: 'value', y: 'memory', r: 5, fill: 'var(--ink)', ...tagged(front)}),
        dot(today, {x: 'value', y: 'memory', r: 6, fill: 'var(--worst)', ...tagged(today)}),
      ],
    }),
  });
}

// A plan for a job: the best ways to split it, where they gain, and which choice matters.
import {frontChart} from '../charts/front';
import type {Data, JobPlan, PlanRow} from '../data';
import {h, lazyDetails} from '../dom';
import {count, percent, seconds} from '../format';
import {table, type Column} from '../table';
import {figure, part, type Part} from './part';
import {copyable} from './rest';

/** As people write plans. */
const SHORT: Record<string, string> = {
  'parallel.tensor': 'tp',
  'parallel.context': 'cp',
  'parallel.pipeline': 'pp',
  'parallel.virtual_pipeline': 'vpp',
  'parallel.expert': 'ep',
  'training.micro_batch': 'mbs',
};
const shortName = (key: string): string => SHORT[key] ?? key.slice(key.lastIndexOf('.') + 1);

const change = (share: number): string =>
  Math.abs(share) < 0.0005
    ? '='
    : `${share > 0 ? '+' : '−'}${(Math.abs(share) * 100).toFixed(1)} %`;

interface Shown {
  row: PlanRow;
  rank: string;
  path: string;
}

function shownOf(plan: JobPlan): Shown[] {
  const same = (row: PlanRow) =>
    plan.today !== undefined && JSON.stringify(row.plan) === JSON.stringify(plan.today.plan);
  const best = plan.best.map((row, i) => ({
    row,
    rank: `${i + 1}${same(row) ? ' (today)' : ''}`,
    path: `best[${i}]`,
  }));
  return plan.today !== undefined && !plan.best.some(same)
    ? [...best, {row: plan.today, rank: 'today', path: 'today'}]
    : best;
}

function plansPart(plan: JobPlan): Part {
  const first = plan.best[0]!;
  const columns: Column<Shown>[] = [
    {title: 'Rank', cell: one => one.rank},
    ...Object.keys(first.plan).map((key): Column<Shown> => ({
      title: shortName(key),
      cell: one => one.row.plan[key] ?? '–',
      isNumber: true,
    })),
    {title: 'dp', cell: one => figure(plan, `${one.path}.replicas`, count), isNumber: true},
    {
      title: 'Step',
      cell: one => figure(plan, `${one.path}.step_s`, seconds),
      isNumber: true,
      bar: one => ({share: one.row.step_s / (2 * first.step_s)}),
    },
    {title: 'To the best', cell: one => change(one.row.step_s / first.step_s - 1), isNumber: true},
    {
      title: 'Memory',
      cell: one => figure(plan, `${one.path}.memory_share`, percent),
      isNumber: true,
    },
  ];
  const shown = shownOf(plan);
  return part(
    'plans',
    'The best plans',
    `Steps are timed by ${plan.timed_by}. Memory is that of the fullest GPU.`,
    h(
      'div',
      {class: 'card'},
      table('The best plans', columns, shown),
      frontChart(plan),
      lazyDetails('Commands that run them', () =>
        h(
          'ul',
          {class: 'plain'},
          shown.map(one =>
            h(
              'li',
              {},
              h('p', {}, h('b', {}, one.rank)),
              copyable(one.row.command, `command for plan ${one.rank}`),
            ),
          ),
        ),
      ),
    ),
  );
}

/** "compute_s" as people say it. */
const PARTS: Record<string, string> = {
  compute_s: 'compute',
  contention_s: 'compute lost to communication beside it',
  bubble_s: 'pipeline bubble and waiting',
  tensor_s: 'tensor parallel, exposed',
  context_s: 'context parallel, exposed',
  expert_s: 'expert parallel, exposed',
  pipeline_s: 'pipeline, exposed',
  data_s: 'data parallel, exposed',
  optimizer_s: 'optimizer',
  host_s: 'host',
};

function differencePart(plan: JobPlan): Part | undefined {
  const {best_breakdown: best, today_breakdown: today} = plan;
  if (best === undefined || today === undefined || plan.today === undefined) return undefined;
  const whole = plan.today.step_s;
  const names = Object.keys(PARTS).filter(
    name => Math.max(best[name] ?? 0, today[name] ?? 0) > 0.0005 * whole,
  );
  const columns: Column<string>[] = [
    {title: 'Mean stage', cell: name => PARTS[name] ?? name},
    {title: 'Best', cell: name => figure(plan, `best_breakdown.${name}`, seconds), isNumber: true},
    {
      title: 'Today',
      cell: name => figure(plan, `today_breakdown.${name}`, seconds),
      isNumber: true,
    },
    {
      title: "Of today's step",
      cell: name => change(((best[name] ?? 0) - (today[name] ?? 0)) / whole),
      isNumber: true,
    },
  ];
  return part(
    'plan-difference',
    'Where the difference comes from',
    '',
    h('div', {class: 'card'}, table('Where the difference comes from', columns, names)),
  );
}

function effectsPart(plan: JobPlan): Part {
  const best = plan.best[0]!.step_s;
  const time = (value: {step_s?: number; at_least_s?: number}) => value.step_s ?? value.at_least_s;
  const reach = (effect: JobPlan['effects'][number]) =>
    Math.max(-1, ...effect.values.map(one => time(one)).filter(one => one !== undefined));
  const effects = plan.effects
    .filter(effect => effect.values.length > 1)
    .sort((a, b) => reach(b) - reach(a));
  const text = (effect: JobPlan['effects'][number]): string => {
    const can = effect.values
      .filter(one => one.refused === undefined)
      .map(
        one =>
          `${one.value} ${one.at_least_s === undefined ? '' : '≥ '}${change(time(one)! / best - 1)}`,
      );
    const cannot = effect.values.filter(one => one.refused !== undefined).map(one => one.value);
    return can.join(', ') + (cannot.length > 0 ? `; cannot be: ${cannot.join(', ')}` : '');
  };
  const columns: Column<JobPlan['effects'][number]>[] = [
    {title: 'What is changed', cell: effect => shortName(effect.key)},
    {title: 'Best', cell: effect => plan.best[0]!.plan[effect.key] ?? '–'},
    {title: 'The step with each value', cell: text},
  ];
  return part(
    'plan-effects',
    'What matters',
    'From the best plan, one thing is changed at a time; what matters most comes first.',
    h('div', {class: 'card'}, table('What matters', columns, effects)),
  );
}

export function planParts(data: Data): (Part | undefined)[] {
  const plan = data.plan;
  return plan === undefined || plan.best.length === 0
    ? []
    : [plansPart(plan), differencePart(plan), effectsPart(plan)];
}

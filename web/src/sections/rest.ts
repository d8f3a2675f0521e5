// What else a run has: sizes of a collective, memory, groups, jitter, what it rests on, findings, the scenario.
import {dot, lineY} from '@observablehq/plot';
import {plotChart, tagged} from '../charts/plot';
import {placeOf, type Finding, type Input, type Run, type Tried} from '../data';
import {h, lazyDetails, select, uniqueId} from '../dom';
import {
  byName,
  bytes,
  bytesRounded,
  gbps,
  gib,
  heading,
  microseconds,
  percent,
  seconds,
} from '../format';
import {facts, rowsTable, table} from '../table';
import {figure, runPart, type Part} from './part';

export function pointsPart(run: Run): Part | undefined {
  const points = run.results.points;
  if (!points || points.length === 0) return undefined;
  const rows = points.map((_p, i) => i);
  const at = (i: number, name: string, text: (v: number) => string) =>
    figure(run.results, `points[${i}].${name}`, text);
  const list = table<number>(
    'One row per size',
    [
      {title: 'Size', cell: i => at(i, 'size', bytes), isNumber: true},
      {title: 'Time', cell: i => at(i, 'time_us', microseconds), isNumber: true},
      {title: 'algbw, GB/s', cell: i => at(i, 'algbw_gbs', v => v.toFixed(2)), isNumber: true},
      {title: 'busbw, GB/s', cell: i => at(i, 'busbw_gbs', v => v.toFixed(2)), isNumber: true},
      {
        title: 'Of the bound',
        cell: i => at(i, 'of_bound', percent),
        isNumber: true,
        bar: i => ({share: Number(points[i]!['of_bound'] ?? 0)}),
      },
      {title: 'How', cell: i => String(points[i]!['algorithm'] ?? '')},
      {title: 'Limited by', cell: i => String(points[i]!['limit'] ?? '')},
    ],
    rows,
  );
  const tiers =
    run.results.tiers &&
    run.results.tiers.length > 0 &&
    lazyDetails('Loads of the tiers at the largest size', () =>
      rowsTable('Loads of the tiers at the largest size', run.results.tiers!),
    );
  return runPart(
    run.id,
    'points',
    'Time by size',
    '',
    points.length > 2 && curve(run),
    points.length > 8 ? lazyDetails('Table: one row per size', () => list) : list,
    tiers,
  );
}

/** Bus bandwidth over size, as everybody draws it. */
function curve(run: Run): HTMLElement {
  const dots = (run.results.points ?? []).flatMap((point, i) => {
    const {size, busbw_gbs: value} = point;
    return typeof size === 'number' && typeof value === 'number'
      ? [
          {
            size,
            value,
            path: `${placeOf(run)}.results.points[${i}].busbw_gbs`,
            tip: `${bytes(size)}: ${value.toFixed(2)} GB/s`,
          },
        ]
      : [];
  });
  return plotChart({
    title: 'Bus bandwidth by size',
    what: `Bus bandwidth by size: ${dots.map(one => one.tip).join('; ')}.`,
    make: width => ({
      height: 260,
      marginLeft: 52,
      marginRight: 24,
      marginBottom: 44,
      marginTop: 24,
      x: {
        type: 'log',
        base: 2,
        label: 'size',
        labelAnchor: 'center',
        labelArrow: 'none',
        labelOffset: 40,
        ticks: Math.max(2, Math.floor(width / 130)),
        tickFormat: bytesRounded,
      },
      y: {label: 'GB/s', labelArrow: 'none', grid: true, zero: true, ticks: 5},
      marks: [
        lineY(dots, {x: 'size', y: 'value', stroke: 'var(--c-simulated)'}),
        dot(dots, {x: 'size', y: 'value', r: 4, fill: 'var(--c-simulated)', ...tagged(dots)}),
      ],
    }),
  });
}

export function shapePart(run: Run): Part | undefined {
  const {memory_gib: memory, groups, reach, jitter, stages} = run.results;
  if (!memory && !groups && !jitter) return undefined;
  const parts =
    memory &&
    Object.entries(memory).filter(([name]) => !['stage', 'total', 'in_flight'].includes(name));
  return runPart(
    run.id,
    'shape',
    'Memory, groups and reach',
    '',
    memory && [
      h(
        'p',
        {},
        'The stage that needs most memory is stage ',
        String(memory['stage'] ?? '?'),
        ': ',
        figure(run.results, 'memory_gib.total', gib),
        '.',
      ),
      facts(parts!.map(([name, value]) => [heading(name), byName('x_gib', value)])),
    ],
    groups && groups.length > 0 && rowsTable('Groups', groups, {isCaptionShown: true}),
    reach &&
      reach.length > 0 &&
      rowsTable('How far what each group sends goes, per mean GPU and step', reach, {
        isCaptionShown: true,
      }),
    !run.results.patterns?.timeline &&
      stages &&
      stages.length > 0 &&
      lazyDetails('Stages in numbers', () =>
        rowsTable(
          'Stages',
          stages.map((row, stage) => ({stage, ...row})),
        ),
      ),
    jitter && [
      h('h4', {}, 'Jitter'),
      facts(
        Object.entries(jitter)
          .filter(([, value]) => typeof value === 'number')
          .map(([name, value]) => [heading(name), byName(name, value)]),
      ),
      jitter.collectives &&
        jitter.collectives.length > 0 &&
        rowsTable('Collectives that begin late', jitter.collectives),
    ],
  );
}

const STATUSES = ['given', 'measured', 'published', 'estimated', 'assumed'];

export function statusTag(status: string): HTMLElement {
  return h('span', {class: `tag status-${status.toLowerCase().replace(/\W+/g, '-')}`}, status);
}

export function inputsPart(run: Run): Part | undefined {
  const inputs = run.results.inputs ?? [];
  if (inputs.length === 0) return undefined;
  const known = [...new Set(inputs.map(input => input.status))].sort(
    (a, b) => STATUSES.indexOf(a) - STATUSES.indexOf(b),
  );
  const slot = h('div', {});
  const told = h('p', {class: 'note', role: 'status'});
  const searchId = uniqueId('inputs');
  let status = '',
    text = '';
  const show = () => {
    const kept = inputs.filter(
      input =>
        (status === '' || input.status === status) &&
        `${input.key} ${input.value} ${input.source}`.toLowerCase().includes(text),
    );
    told.textContent = `${kept.length} of ${inputs.length} are shown.`;
    slot.replaceChildren(
      table<Input>(
        'What the run rests on',
        [
          {title: 'Key', cell: input => h('code', {}, input.key)},
          {title: 'Value', cell: input => input.value},
          {title: 'Status', cell: input => statusTag(input.status)},
          {title: 'Source', cell: input => input.source},
        ],
        kept,
        {className: 'inputs'},
      ),
    );
  };
  const search = h('input', {
    id: searchId,
    type: 'search',
    oninput: () => ((text = search.value.toLowerCase()), show()),
  });
  show();
  const controls = h(
    'div',
    {class: 'controls control'},
    select(
      'Status',
      [['', 'all'], ...known.map((name): [string, string] => [name, name])],
      '',
      value => ((status = value), show()),
    ),
    h('label', {class: 'field', for: searchId}, h('span', {}, 'Search'), search),
  );
  return runPart(
    run.id,
    'inputs',
    'What this rests on',
    'Every number the run was given or took from the catalog, and how far it can be trusted.',
    controls,
    told,
    slot,
  );
}

export function findingsPart(run: Run): Part | undefined {
  const findings = run.results.diagnostics ?? [];
  const failures = run.results.failures ?? [];
  if (findings.length === 0 && failures.length === 0) return undefined;
  const item = (finding: Finding) =>
    h(
      'li',
      {class: `finding ${finding.severity}`},
      h(
        'p',
        {},
        h('b', {}, finding.severity),
        ' ',
        h('code', {}, finding.code),
        ' ',
        finding.message,
      ),
      finding.hint !== undefined && finding.hint !== '' && h('p', {class: 'note'}, finding.hint),
      finding.file !== undefined &&
        finding.file !== '' &&
        h(
          'p',
          {class: 'note'},
          h('code', {}, `${finding.file}${finding.line ? `:${finding.line}` : ''}`),
        ),
    );
  return runPart(
    run.id,
    'findings',
    'Findings',
    '',
    failures.length > 0 && [
      h('p', {}, 'What fails in this scenario:'),
      h(
        'ul',
        {},
        failures.map(text => h('li', {}, text)),
      ),
    ],
    findings.length > 0 && h('ul', {class: 'plain'}, findings.map(item)),
  );
}

/** Text that can be copied with one press. Options are not cut at their dashes. */
export function copyable(text: string, label: string): HTMLElement {
  const words = text
    .split(/(?<= )(--[\w-]+)(?= )/)
    .map((word, i) => (i % 2 === 1 ? h('span', {class: 'option'}, word) : word));
  const told = h('span', {role: 'status', class: 'muted'});
  const area = h('pre', {tabindex: 0, role: 'group', 'aria-label': label}, h('code', {}, words));
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const range = document.createRange();
      range.selectNodeContents(area);
      getSelection()?.removeAllRanges();
      getSelection()?.addRange(range);
      document.execCommand('copy');
    }
    told.textContent = 'copied';
    setTimeout(() => (told.textContent = ''), 2000);
  };
  return h(
    'div',
    {class: 'copyable'},
    h(
      'div',
      {class: 'copy control'},
      told,
      h(
        'button',
        {type: 'button', 'aria-label': `Copy ${label}`, onclick: () => void copy()},
        'Copy',
      ),
    ),
    area,
  );
}

/** What else was run of the same scenario. */
export function triedPart(run: Run): Part | undefined {
  const trials = run.trials ?? [],
    slices = run.slices ?? [];
  if (trials.length === 0 && slices.length === 0 && !run.latency) return undefined;
  const what = (one: Tried) => [
    one.change || one.kind || 'as it is',
    one.command && h('small', {class: 'command-line'}, h('code', {}, one.command)),
  ];
  const latency = Object.entries(run.latency ?? {});
  return runPart(
    run.id,
    'tried',
    'What was tried',
    'The same scenario with one thing changed at a time; advice and tables rest on these runs.',
    trials.length > 0 &&
      table<Tried>(
        'Steps',
        [
          {title: 'Kind', cell: one => one.kind ?? ''},
          {title: 'Change', cell: what},
          {
            title: 'Step',
            cell: one =>
              one.step_time_s === undefined ? (one.refused ?? '–') : seconds(one.step_time_s),
            isNumber: trials.every(one => one.step_time_s !== undefined),
          },
        ],
        trials,
        {isCaptionShown: true},
      ),
    slices.length > 0 &&
      table<Tried>(
        'Packet by packet',
        [
          {title: 'Kind', cell: one => one.kind ?? ''},
          {title: 'Change', cell: what},
          {
            title: 'Slowest receiver',
            cell: one => (one.slowest_gbps === undefined ? '–' : gbps(one.slowest_gbps)),
            isNumber: true,
          },
        ],
        slices,
        {isCaptionShown: true},
      ),
    latency.length > 0 && [
      h('h4', {}, '64 bytes on the idle network, one way'),
      facts(latency.map(([name, value]) => [heading(name), byName(name, value)])),
    ],
  );
}

export function scenarioPart(run: Run): Part | undefined {
  if (!run.scenario && !run.command) return undefined;
  return runPart(
    run.id,
    'scenario',
    'Run it again',
    '',
    run.command && copyable(run.command, 'command'),
    run.scenario &&
      h(
        'details',
        {class: 'more', open: run.scenario.length < 1500},
        h('summary', {}, `The scenario${run.file ? `, ${run.file}` : ''}`),
        copyable(run.scenario, 'scenario'),
      ),
    run.results.fingerprint &&
      h(
        'p',
        {class: 'note'},
        'Fingerprint ',
        h('code', {}, run.results.fingerprint),
        run.results.engine && `, ${run.results.engine} engine`,
        '. Equal inputs give equal fingerprints.',
      ),
  );
}

// One tab per run; what a run has is drawn when its tab is opened first.
import type {Data, Run} from './data';
import {h, lazyDetails} from './dom';
import {explainWords} from './glossary';
import {fabricPart, pathsPart, timelinePart} from './sections/network';
import {packetsOf, packetsPart} from './sections/packets';
import type {Part} from './sections/part';
import {
  findingsPart,
  inputsPart,
  pointsPart,
  scenarioPart,
  shapePart,
  triedPart,
} from './sections/rest';
import {overTimePart, tiersOverTimePart} from './sections/traffic';
import {burstsPart, flowSizesPart, matrixPart, volumesPart} from './sections/volumes';

interface Detail {
  id: string;
  title: string;
  has: (run: Run) => boolean;
  make: (run: Run) => Part | undefined;
}

const some = (list: unknown[] | undefined) => list !== undefined && list.length > 0;
const patterns = (run: Run) => run.results.patterns ?? {};

/** What is shown at once, in this order: the shape of the run, the fabric with its load, traffic over time. */
const FRONT: ((run: Run) => Part | undefined)[] = [
  run => (isStep(run) ? undefined : packetsPart(run)),
  pointsPart,
  fabricPart,
  overTimePart,
];

const isStep = (run: Run) => run.results.step_time_s !== undefined;

/** What is folded, and drawn when it is opened. */
const FOLDED: Detail[] = [
  {
    id: 'timeline',
    title: 'Timeline of the stages',
    has: run => some(patterns(run).timeline?.stages),
    make: timelinePart,
  },
  {
    id: 'volumes',
    title: 'What is sent: primitives, phases, groups',
    has: run =>
      some(patterns(run).volumes) ||
      (Array.isArray(run.results.traffic) && run.results.traffic.length > 0),
    make: volumesPart,
  },
  {
    id: 'sizes',
    title: 'Flow sizes',
    has: run => some(patterns(run).flow_sizes),
    make: flowSizesPart,
  },
  {id: 'bursts', title: 'Burstiness', has: run => some(patterns(run).bursts), make: burstsPart},
  {
    id: 'matrix',
    title: 'Who sends to whom',
    has: run => patterns(run).matrix !== undefined || patterns(run).incast !== undefined,
    make: matrixPart,
  },
  {
    id: 'tiers',
    title: 'Loads of tiers over time',
    has: run => some(run.results.network?.over_time) && run.results.network?.bin_s !== undefined,
    make: tiersOverTimePart,
  },
  {
    id: 'paths',
    title: 'Paths and hashing',
    has: run =>
      some(run.results.network?.members ?? run.results.members) ||
      patterns(run).paths !== undefined,
    make: pathsPart,
  },
  {
    id: 'packets',
    title: 'Packet by packet',
    has: run => isStep(run) && packetsOf(run) !== undefined,
    make: packetsPart,
  },
  {
    id: 'shape',
    title: 'Memory, groups and reach',
    has: run =>
      run.results.memory_gib !== undefined ||
      run.results.groups !== undefined ||
      run.results.jitter !== undefined,
    make: shapePart,
  },
  {
    id: 'tried',
    title: 'What was tried',
    has: run => some(run.trials) || some(run.slices) || run.latency !== undefined,
    make: triedPart,
  },
  {
    id: 'inputs',
    title: 'What this rests on: every number, with its source',
    has: run => some(run.results.inputs),
    make: inputsPart,
  },
  {
    id: 'scenario',
    title: 'Run it again: command and scenario',
    has: run => run.scenario !== undefined || run.command !== undefined,
    make: scenarioPart,
  },
];

/** A part that is drawn when it is opened first; its heading is the summary. */
function fold(run: Run, {id, title, make}: Detail): HTMLElement {
  const details = lazyDetails(title, () => {
    const made = make(run);
    if (!made) return null;
    const [, ...content] = [...made.element.childNodes]; // the heading is there already
    return content;
  });
  details.id = `${run.id}-${id}`;
  details.classList.add('fold');
  return details;
}

function content(run: Run, isAlone: boolean): HTMLElement[] {
  const front = [findingsPart, ...FRONT]
    .map(make => make(run))
    .filter((part): part is Part => part !== undefined);
  const name = run.results.name;
  const folds = FOLDED.filter(one => one.has(run)).map(one => fold(run, one));
  return [
    ...(isAlone
      ? []
      : [
          h(
            'div',
            {class: 'run-top'},
            h('h3', {}, run.label),
            name !== undefined && name !== run.label && h('p', {class: 'muted'}, name),
          ),
        ]),
    ...front.map(part => part.element),
    ...(folds.length > 0
      ? [h('div', {class: 'folds'}, h(isAlone ? 'h3' : 'h4', {}, 'In detail'), folds)]
      : []),
  ];
}

export interface Runs {
  element: HTMLElement;
  open(id: string, isFocused?: boolean): void;
  has(id: string): boolean;
  openAll(): void;
}

export function runsTitle(data: Data): string {
  const all = data.runs ?? [];
  if (all.length > 1) return 'The networks and their traffic';
  return all[0]?.results.pfc && !isStep(all[0])
    ? 'What packets did'
    : 'The network and its traffic';
}

export function runs(data: Data): Runs {
  const all = data.runs ?? [];
  const panels = all.map(run =>
    h('div', {
      role: all.length > 1 ? 'tabpanel' : null,
      id: `panel-${run.id}`,
      'aria-labelledby': all.length > 1 ? `tab-${run.id}` : null,
      class: 'panel',
      hidden: true,
    }),
  );
  const draw = (i: number) => {
    const panel = panels[i]!;
    if (panel.childElementCount > 0) return;
    panel.append(...content(all[i]!, all.length === 1));
    for (const part of panel.children) explainWords(part);
  };
  const tabs = all.map((run, i) =>
    h(
      'button',
      {
        type: 'button',
        role: 'tab',
        id: `tab-${run.id}`,
        'aria-controls': `panel-${run.id}`,
        'aria-selected': 'false',
        tabindex: -1,
        onclick: () => show(i),
      },
      run.label,
    ),
  );
  const show = (i: number) => {
    draw(i);
    panels.forEach((panel, j) => (panel.hidden = j !== i));
    tabs.forEach((tab, j) => {
      tab.setAttribute('aria-selected', String(j === i));
      tab.tabIndex = j === i ? 0 : -1;
    });
  };
  const list = h('div', {role: 'tablist', class: 'tabs control', 'aria-label': 'Runs'}, tabs);
  list.addEventListener('keydown', event => {
    const here = tabs.findIndex(tab => tab === document.activeElement);
    const next = {ArrowRight: here + 1, ArrowLeft: here - 1, Home: 0, End: tabs.length - 1}[
      event.key
    ];
    if (here < 0 || next === undefined) return;
    event.preventDefault();
    const target = (next + tabs.length) % tabs.length;
    show(target);
    tabs[target]!.focus();
  });
  if (all.length > 0) show(0);
  return {
    element: h(
      'section',
      {id: 'runs', class: 'runs', 'aria-labelledby': 'runs-title'},
      h('h2', {id: 'runs-title'}, runsTitle(data)),
      all.length > 1 && list,
      panels,
    ),
    has: id => all.some(run => run.id === id),
    open(id, isFocused = true) {
      const i = all.findIndex(run => run.id === id);
      if (i < 0) return;
      show(i);
      if (!isFocused) return;
      (all.length > 1 ? list : panels[i]!).scrollIntoView();
      tabs[i]!.focus({preventScroll: true});
    },
    openAll: () => all.forEach((_run, i) => draw(i)),
  };
}

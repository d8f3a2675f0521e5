// One tab per run; what a run has is drawn when its tab is opened first.
import type {Data, Run} from './data';
import {h} from './dom';
import {breakdownPart} from './sections/breakdown';
import {figuresList} from './sections/glance';
import {fabricPart, pathsPart, timelinePart} from './sections/network';
import {packetsPart} from './sections/packets';
import type {Part} from './sections/part';
import {
  findingsPart,
  inputsPart,
  pointsPart,
  scenarioPart,
  shapePart,
  triedPart,
} from './sections/rest';
import {
  burstsPart,
  flowSizesPart,
  matrixPart,
  overTimePart,
  tiersOverTimePart,
  volumesPart,
} from './sections/traffic';

const PARTS: ((run: Run) => Part | undefined)[] = [
  breakdownPart,
  pointsPart,
  timelinePart,
  overTimePart,
  volumesPart,
  flowSizesPart,
  burstsPart,
  matrixPart,
  fabricPart,
  tiersOverTimePart,
  pathsPart,
  packetsPart,
  shapePart,
  triedPart,
  findingsPart,
  inputsPart,
  scenarioPart,
];

function content(run: Run, isAlone: boolean): HTMLElement[] {
  const parts = PARTS.map(make => make(run)).filter((part): part is Part => part !== undefined);
  const name = run.results.name;
  const top = h(
    'div',
    {class: 'run-top'},
    h('h2', {class: isAlone ? 'unseen' : null}, run.label),
    name !== undefined && name !== run.label && h('p', {class: 'muted'}, name),
    figuresList(run),
    h(
      'nav',
      {class: 'chips control', 'aria-label': `Parts of ${run.label}`},
      h(
        'ul',
        {},
        parts.map(part => h('li', {}, h('a', {href: `#${part.id}`}, part.title))),
      ),
    ),
  );
  return [top, ...parts.map(part => part.element)];
}

export interface Runs {
  element: HTMLElement;
  open(id: string, isFocused?: boolean): void;
  has(id: string): boolean;
  openAll(): void;
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
    if (panel.childElementCount === 0)
      panel.append(...content(all[i]!, all.length === 1 && data.title === all[i]!.label));
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
      {id: 'runs', class: 'runs', 'aria-label': all.length > 1 ? 'Each run by itself' : 'The run'},
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

// The page: reads the document that is in it and shows it. It computes nothing of its own and loads nothing.
import './style/page.css';
import './style/tables.css';
import './style/charts.css';
import './style/reading.css';
import './style/print.css';
import {readData, type Data} from './data';
import {h} from './dom';
import {runs} from './runs';
import {advicePart, differencesPart} from './sections/advice';
import {claimsPart} from './sections/claims';
import {Explanations} from './sections/explain';
import {glance} from './sections/glance';
import type {Part} from './sections/part';
import {themeButton, watchPrinting} from './theme';

function header(data: Data): HTMLElement {
  return h(
    'header',
    {class: 'top'},
    h(
      'div',
      {},
      h(
        'p',
        {class: 'brand'},
        'Railyard',
        data.railyard !== undefined && h('small', {}, ` ${data.railyard}`),
      ),
      h('h1', {}, data.title ?? 'Results'),
      data.command !== undefined && h('p', {class: 'command'}, h('code', {}, data.command)),
    ),
    h(
      'div',
      {class: 'tools control'},
      themeButton(),
      h('button', {type: 'button', onclick: () => print()}, 'Print'),
    ),
  );
}

function build(data: Data): void {
  const explanations = new Explanations(data);
  const single = (data.runs ?? []).length === 1 && data.kind === 'run';
  const each = runs(data);
  const open = (id: string) => each.open(id);
  const before = [glance(data, explanations, open), advicePart(data, explanations)];
  const after = [differencesPart(data), claimsPart(data), explanations.part()];
  const isPart = (one: Part | undefined): one is Part => one !== undefined;
  const middle: Part[] =
    (data.runs ?? []).length > 0
      ? [
          {
            id: 'runs',
            title: single ? 'The run' : 'Each run',
            element: each.element,
            links:
              (data.runs ?? []).length > 1
                ? (data.runs ?? []).map((run): [string, string] => [run.id, run.label])
                : [],
          },
        ]
      : [];
  const parts = [...before.filter(isPart), ...middle, ...after.filter(isPart)];
  const nav =
    parts.length > 1 &&
    h(
      'nav',
      {class: 'contents control', 'aria-label': 'Contents'},
      h(
        'ul',
        {},
        parts.map(part =>
          h(
            'li',
            {},
            h('a', {href: `#${part.id}`}, part.title),
            part.links &&
              part.links.length > 0 &&
              h(
                'ul',
                {class: 'sub'},
                part.links.map(([id, title]) => h('li', {}, h('a', {href: `#${id}`}, title))),
              ),
          ),
        ),
      ),
    );
  const main = h(
    'main',
    {id: 'main', class: parts.length > 1 ? '' : 'alone'},
    parts.length === 0 && h('p', {}, 'There is no data in this page.'),
    parts.map(part => part.element),
  );
  const footer = h(
    'footer',
    {},
    h(
      'p',
      {},
      'Every number here is a member of the JSON that the command above writes with --json; docs/results.md says what each means.',
    ),
  );
  document
    .getElementById('app')!
    .replaceChildren(
      h('a', {class: 'skip control', href: '#main'}, 'To the results'),
      header(data),
      h('div', {class: 'frame'}, nav, main),
      footer,
      explanations.dialog,
    );
  document.title = `${data.title ?? 'Results'} – Railyard`;
  watchPrinting(() => each.openAll());

  const follow = () => {
    const id = decodeURIComponent(location.hash.slice(1));
    const run = (data.runs ?? []).find(
      one => id === one.id || (id.startsWith(`${one.id}-`) && each.has(one.id)),
    );
    if (!run) return;
    each.open(run.id, id === run.id);
    document.getElementById(id)?.scrollIntoView();
  };
  document.addEventListener('click', event => {
    const link = event.target instanceof Element ? event.target.closest('a[href^="#"]') : null;
    if (link && link.getAttribute('href') === location.hash) follow(); // the address stays, the tab may not have
  });
  addEventListener('hashchange', follow);
  if (location.hash !== '') follow();
}

build(readData());

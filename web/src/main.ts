// The page: reads the document that is in it and shows it. It computes nothing of its own and loads nothing.
import './style/theme.css';
import './style/page.css';
import './style/tables.css';
import './style/charts.css';
import './style/pictures.css';
import './style/faults.css';
import './style/diagnosis.css';
import './style/reading.css';
import './style/print.css';
import {readData, type Data} from './data';
import {h, lazyDetails, onFilled} from './dom';
import {explainWords} from './glossary';
import {runs, runsTitle} from './runs';
import {advicePart} from './sections/advice';
import {claimsPart} from './sections/claims';
import {comparePart} from './sections/compare';
import {Explanations} from './sections/explain';
import {diagnosisParts} from './sections/diagnosis';
import {faultsParts} from './sections/faults';
import {planParts} from './sections/plan';
import {reportParts} from './sections/report';
import {jobsParts} from './sections/jobs';
import type {Part} from './sections/part';
import {servingParts} from './sections/serving';
import {timePart} from './sections/time';
import {verdictPart} from './sections/verdict';
import {wordsPart} from './sections/words';
import {themeButton, watchPrinting} from './theme';

const LONGEST = 600; // of a command that is shown whole: a hundred files may have been given

function commandLine(command: string): HTMLElement {
  const line = h('p', {class: 'command'}, h('code', {}, command));
  return command.length > LONGEST ? lazyDetails('The command', () => line) : line;
}

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
      data.command !== undefined && commandLine(data.command),
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
  const each = runs(data);
  const before = [
    verdictPart(data),
    ...faultsParts(data),
    ...planParts(data),
    ...reportParts(data),
    ...servingParts(data),
    ...jobsParts(data),
    ...diagnosisParts(data),
    timePart(data),
    advicePart(data, explanations),
  ];
  const after = [
    comparePart(data, explanations),
    claimsPart(data),
    explanations.part(),
    wordsPart(data),
  ];
  const isPart = (one: Part | undefined): one is Part => one !== undefined;
  const middle: Part[] =
    (data.runs ?? []).length > 0
      ? [
          {
            id: 'runs',
            title: runsTitle(data),
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
      data.report
        ? 'This is what the command above prints; with --json it writes every number of it.'
        : 'Every number here is a member of the JSON that the command above writes with --json; docs/results.md says what each means.',
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
  for (const part of parts) if (part.id !== 'runs') explainWords(part.element);
  document.title = `${data.title ?? 'Results'} – Railyard`;
  watchPrinting(() => each.openAll());

  const follow = () => {
    const id = decodeURIComponent(location.hash.slice(1));
    const run = (data.runs ?? []).find(
      one => id === one.id || (id.startsWith(`${one.id}-`) && each.has(one.id)),
    );
    if (!run) return;
    each.open(run.id, id === run.id);
    const target = document.getElementById(id);
    if (target instanceof HTMLDetailsElement) target.open = true;
    target?.scrollIntoView();
  };
  document.addEventListener('click', event => {
    const link = event.target instanceof Element ? event.target.closest('a[href^="#"]') : null;
    if (link && link.getAttribute('href') === location.hash) follow(); // the address stays, the tab may not have
  });
  addEventListener('hashchange', follow);
  if (location.hash !== '') follow();
}

onFilled(explainWords);
build(readData());

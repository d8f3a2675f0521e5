// The front page of a server: edit a scenario, run it, watch it, look at what came out, compare.
import '../style/theme.css';
import '../style/page.css';
import '../style/tables.css';
import '../style/serve.css';
import {h} from '../dom';
import {themeButton} from '../theme';
import * as api from './api';
import {Editor} from './editor';
import {FindingsList} from './findings';
import {Result} from './result';
import {RunList} from './run_list';
import {askForToken} from './token';

const KEPT = 'railyard-scenario'; // what was being written, for the next visit
const FIRST = 'first';
const PAUSE = 350; // ms without a key before a text is checked
const BETWEEN = 1500; // ms between looks at runs that go on

function kept(): string | null {
  try {
    return localStorage.getItem(KEPT);
  } catch {
    return null;
  }
}

function keep(text: string): void {
  try {
    localStorage.setItem(KEPT, text);
  } catch {
    // then it is forgotten
  }
}

class Workbench {
  private runs: api.Run[] = [];
  private shown: string | undefined;
  private against: string | undefined;
  private waiting: number | undefined;
  private checked = 0; // counts texts, so that an old answer is not shown for a new one
  private stopWatching: (() => void) | undefined;
  private readonly trouble = h('p', {class: 'bad trouble', role: 'alert', hidden: true});
  private readonly button = h(
    'button',
    {type: 'button', class: 'primary run-button', onclick: () => void this.run()},
    'Run',
  );
  private readonly findings = new FindingsList(finding => this.editor.goTo(finding));
  private readonly result = new Result();
  private readonly list = new RunList({
    open: run => this.open(run),
    edit: run => void this.attempt(async () => this.load(await api.scenarioOf(run.id))),
    compare: run => void this.attempt(() => this.compareWith(run)),
    cancel: run => void this.attempt(async () => (await api.cancel(run.id), this.refresh())),
    remove: run => void this.attempt(() => this.remove(run)),
  });
  private readonly editor: Editor;
  readonly element: HTMLElement;

  constructor(sections: api.Section[], presets: {name: string; title: string}[]) {
    const place = h('div', {class: 'editor'});
    this.editor = new Editor(
      place,
      sections,
      text => this.onText(text),
      () => void this.run(),
    );
    this.element = h(
      'main',
      {id: 'main'},
      h(
        'div',
        {class: 'bench'},
        h(
          'section',
          {class: 'part', 'aria-labelledby': 'scenario-title'},
          h(
            'div',
            {class: 'bar'},
            h('h2', {id: 'scenario-title'}, 'Scenario'),
            this.presetChoice(presets),
            this.button,
          ),
          place,
          this.findings.element,
        ),
        h(
          'section',
          {class: 'part', 'aria-labelledby': 'runs-title'},
          h('h2', {id: 'runs-title'}, 'Runs'),
          this.trouble,
          this.list.element,
        ),
      ),
      this.result.element,
    );
  }

  async begin(): Promise<void> {
    this.load(kept() ?? (await api.presetText(FIRST)));
    await this.refresh();
  }

  private presetChoice(presets: {name: string; title: string}[]): HTMLElement {
    const choice = h(
      'select',
      {id: 'preset', 'aria-label': 'Start from a preset'},
      h('option', {value: ''}, 'Start from a preset…'),
      presets.map(one =>
        h('option', {value: one.name}, one.title === '' ? one.name : `${one.name}: ${one.title}`),
      ),
    );
    choice.addEventListener('change', () => {
      const name = choice.value;
      choice.value = '';
      if (name !== '') void this.attempt(async () => this.load(await api.presetText(name)));
    });
    return choice;
  }

  private load(text: string): void {
    this.editor.text = text;
    this.editor.view.focus();
  }

  private onText(text: string): void {
    keep(text);
    this.findings.busy();
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => void this.check(text), PAUSE);
  }

  private async check(text: string): Promise<void> {
    const number = ++this.checked;
    try {
      const found = text.trim() === '' ? [] : await api.check(text);
      if (number !== this.checked || text !== this.editor.text) return;
      this.editor.mark(found);
      this.findings.show(found);
    } catch (error) {
      if (number === this.checked)
        this.findings.trouble(error instanceof Error ? error.message : String(error));
    }
  }

  /** What goes wrong is said where runs are. */
  private async attempt(act: () => void | Promise<void>): Promise<void> {
    this.trouble.hidden = true;
    try {
      await act();
    } catch (error) {
      this.trouble.textContent =
        error instanceof api.Refused ? error.message : 'The server does not answer.';
      this.trouble.hidden = false;
    }
  }

  private async run(): Promise<void> {
    this.button.disabled = true;
    await this.attempt(async () => {
      const run = await api.submit(this.editor.text);
      await this.refresh();
      this.follow(run.id);
    });
    this.button.disabled = false;
  }

  /** Watches one run closely and shows its page when it is there. */
  private follow(id: string): void {
    this.stopWatching?.();
    this.stopWatching = api.watch(id, run => {
      this.runs = this.runs.map(one => (one.id === run.id ? run : one));
      this.draw();
      if (run.state === 'finished') this.open(run);
    });
  }

  private open(run: api.Run): void {
    const before = this.shown;
    this.shown = run.id;
    this.against = undefined;
    if (before !== run.id) this.result.show(run);
    this.draw();
  }

  private async compareWith(other: api.Run): Promise<void> {
    const shown = this.runs.find(one => one.id === this.shown);
    if (!shown) return;
    this.against = other.id;
    this.draw();
    await this.result.compare(other, shown);
  }

  private async remove(run: api.Run): Promise<void> {
    await api.remove(run.id);
    if (this.shown === run.id) {
      this.shown = undefined;
      this.result.hide();
    }
    await this.refresh();
  }

  private draw(): void {
    this.list.show(this.runs, this.shown, this.against);
  }

  /** Looks at all runs, and again while some go on. */
  private async refresh(): Promise<void> {
    this.runs = await api.runs();
    this.draw();
  }

  keepLooking(): void {
    setInterval(() => {
      if (document.hidden || this.runs.every(api.hasEnded)) return;
      this.refresh().catch(() => undefined); // the next look may find it
    }, BETWEEN);
  }
}

function header(version: string): HTMLElement {
  return h(
    'header',
    {class: 'top'},
    h(
      'div',
      {},
      h('p', {class: 'brand'}, 'Railyard', h('small', {}, ` ${version}`)),
      h('h1', {}, 'What will this network do to this job?'),
    ),
    h('div', {class: 'tools control'}, themeButton()),
  );
}

async function begin(): Promise<void> {
  const app = document.getElementById('app')!;
  const place = h('div', {class: 'frame'});
  app.replaceChildren(header(''), place);
  let status: {railyard: string};
  try {
    status = await api.status();
  } catch (error) {
    if (!(error instanceof api.Refused && error.status === 401)) throw error;
    await askForToken(place);
    status = await api.status();
  }
  const [sections, presets] = await Promise.all([api.keys(), api.presets()]);
  const bench = new Workbench(sections, presets);
  app.replaceChildren(
    h('a', {class: 'skip', href: '#main'}, 'To the scenario'),
    header(status.railyard),
    h('div', {class: 'frame'}, bench.element),
    h(
      'footer',
      {},
      h(
        'p',
        {},
        'Programs ask the same server: ',
        h('a', {href: '/api/v1/openapi.json'}, 'openapi.json'),
        ' describes how.',
      ),
    ),
  );
  await bench.begin();
  bench.keepLooking();
}

begin().catch((error: unknown) => {
  document
    .getElementById('app')!
    .append(
      h(
        'p',
        {class: 'bad trouble', role: 'alert'},
        `The server does not answer as it should: ${error instanceof Error ? error.message : String(error)}`,
      ),
    );
});

// The list of runs: how far they are, and what can be done with them.
import {h} from '../dom';
import {hasEnded, type Run} from './api';

export interface RunActions {
  open(run: Run): void;
  edit(run: Run): void;
  compare(run: Run): void;
  cancel(run: Run): void;
  remove(run: Run): void;
}

const STATES: Record<Run['state'], string> = {
  queued: 'waits',
  running: 'runs',
  finished: 'finished',
  failed: 'failed',
  cancelled: 'cancelled',
  lost: 'lost',
};

function took(run: Run): string {
  if (run.started_ms === 0) return '';
  const seconds = ((run.ended_ms || Date.now()) - run.started_ms) / 1000;
  return seconds < 10 ? `${Math.max(0, seconds).toFixed(1)} s` : `${Math.round(seconds)} s`;
}

const when = (run: Run): string =>
  new Date(run.created_ms).toLocaleString(undefined, {
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  });

function progress(run: Run): HTMLElement {
  const percent = Math.floor(run.share * 1000) / 10;
  return h(
    'div',
    {class: 'going'},
    h('progress', {max: 1, value: run.share, 'aria-label': `How far ${run.name} is`}),
    h('small', {}, `${percent.toFixed(1)} %${run.now === '' ? '' : ` · ${run.now}`}`),
  );
}

/** Shows runs, the newest first. */
export class RunList {
  readonly element = h('div', {class: 'run-list'});
  private shown: string | undefined;
  private against: string | undefined;

  constructor(private readonly actions: RunActions) {}

  /** `shown` is the run whose page is open, `against` the one it is compared with. */
  show(runs: Run[], shown: string | undefined, against: string | undefined): void {
    this.shown = shown;
    this.against = against;
    const focused =
      document.activeElement instanceof HTMLElement
        ? document.activeElement.dataset['key']
        : undefined;
    this.element.replaceChildren(
      runs.length === 0
        ? h(
            'p',
            {class: 'muted'},
            'Nothing has been run yet. Choose a preset or write a scenario, then press Run.',
          )
        : h(
            'ol',
            {class: 'plain'},
            runs.map(run => this.row(run)),
          ),
    );
    if (focused !== undefined)
      this.element.querySelector<HTMLElement>(`[data-key="${CSS.escape(focused)}"]`)?.focus();
  }

  private row(run: Run): HTMLElement {
    const kind = run.id === this.shown ? 'shown' : run.id === this.against ? 'against' : '';
    return h(
      'li',
      {class: `run ${run.state} ${kind}`, 'data-run': run.id},
      h(
        'div',
        {class: 'what'},
        run.state === 'finished'
          ? this.button(run, 'open', run.name, 'name', () => this.actions.open(run))
          : h('span', {class: 'name'}, run.name),
        h('small', {}, [when(run), took(run)].filter(Boolean).join(' · ')),
      ),
      h('span', {class: `chip ${run.state}`}, STATES[run.state]),
      run.state === 'running' && progress(run),
      run.diagnostics.length > 0 &&
        h(
          'p',
          {class: 'why'},
          run.diagnostics
            .map(one => `${one.line > 0 ? `Line ${one.line}: ` : ''}${one.message}`)
            .join(' '),
        ),
      h('div', {class: 'acts'}, this.buttons(run)),
    );
  }

  private buttons(run: Run): HTMLElement[] {
    const edit = this.button(run, 'edit', 'Edit', '', () => this.actions.edit(run));
    if (!hasEnded(run))
      return [edit, this.button(run, 'cancel', 'Cancel', '', () => this.actions.cancel(run))];
    const remove = this.button(run, 'remove', 'Remove', '', () => this.actions.remove(run));
    const canCompare =
      run.state === 'finished' && this.shown !== undefined && this.shown !== run.id;
    return canCompare
      ? [edit, this.button(run, 'compare', 'Compare', '', () => this.actions.compare(run)), remove]
      : [edit, remove];
  }

  private button(run: Run, what: string, text: string, kind: string, act: () => void): HTMLElement {
    return h(
      'button',
      {
        type: 'button',
        class: kind,
        'data-key': `${what}-${run.id}`,
        'aria-label': kind === 'name' ? `Show ${text}` : `${text} ${run.name}`,
        onclick: act,
      },
      text,
    );
  }
}

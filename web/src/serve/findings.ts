// The list of what is wrong with a scenario, below its text.
import {h} from '../dom';
import type {Finding} from './api';

/** Says that it looks, what it found, or that there is nothing. */
export class FindingsList {
  readonly element = h('div', {class: 'findings', role: 'status', 'aria-live': 'polite'});

  constructor(private readonly goTo: (finding: Finding) => void) {
    this.busy();
  }

  busy(): void {
    this.element.dataset['state'] = 'busy';
    if (this.element.childElementCount === 0) this.say('muted', 'Checking…');
  }

  show(findings: Finding[]): void {
    const errors = findings.filter(one => one.severity === 'error').length;
    this.element.dataset['state'] = errors > 0 ? 'wrong' : 'fine';
    if (findings.length === 0) return this.say('good', 'No mistakes found.');
    this.element.replaceChildren(
      h(
        'ul',
        {class: 'plain'},
        findings.map(one => this.line(one)),
      ),
    );
  }

  /** What is wrong with the server, and not with the text. */
  trouble(text: string): void {
    this.element.dataset['state'] = 'trouble';
    this.say('bad', text);
  }

  private say(kind: string, text: string): void {
    this.element.replaceChildren(h('p', {class: kind}, text));
  }

  private line(one: Finding): HTMLElement {
    return h(
      'li',
      {class: one.severity},
      h(
        'button',
        {type: 'button', class: 'place', onclick: () => this.goTo(one), title: 'Go to this place'},
        one.line > 0 ? `line ${one.line}` : 'file',
      ),
      h('span', {}, one.message, one.hint !== '' && h('em', {}, ` ${one.hint}.`)),
      h('code', {}, one.code),
    );
  }
}

// The editor of a scenario: completion of keys, mistakes as they are made.
import {
  autocompletion,
  completionKeymap,
  startCompletion,
  type CompletionContext,
} from '@codemirror/autocomplete';
import {defaultKeymap, history, historyKeymap, indentWithTab} from '@codemirror/commands';
import {HighlightStyle, StreamLanguage, syntaxHighlighting} from '@codemirror/language';
import {toml} from '@codemirror/legacy-modes/mode/toml';
import {lintGutter, setDiagnostics, type Diagnostic} from '@codemirror/lint';
import {EditorState, type Text} from '@codemirror/state';
import {
  EditorView,
  drawSelection,
  highlightActiveLine,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import {tags} from '@lezer/highlight';
import type {Finding, Section} from './api';
import {offer} from './complete';

const colours = HighlightStyle.define([
  {tag: tags.comment, color: 'var(--muted)', fontStyle: 'italic'},
  {tag: [tags.string, tags.special(tags.string)], color: 'var(--good)'},
  {tag: [tags.number, tags.bool, tags.atom], color: 'var(--c-network-ink)'},
  {tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--accent)'},
  {tag: [tags.bracket, tags.heading, tags.labelName], color: 'var(--c-said)', fontWeight: '600'},
]);

const look = EditorView.theme({
  '&': {backgroundColor: 'var(--surface)', color: 'var(--ink)', height: '100%'},
  '.cm-scroller': {
    fontFamily: "ui-monospace, 'SF Mono', 'DejaVu Sans Mono', monospace",
    fontSize: '13px',
    lineHeight: '1.55',
  },
  '.cm-content': {caretColor: 'var(--accent)'},
  '.cm-cursor': {borderLeftColor: 'var(--accent)'},
  '.cm-gutters': {backgroundColor: 'var(--raised)', color: 'var(--muted)', border: '0'},
  '.cm-activeLine': {backgroundColor: 'color-mix(in srgb, var(--accent-soft) 55%, transparent)'},
  '&.cm-focused': {outline: 'none'},
  '.cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground':
    {backgroundColor: 'var(--load-1)'},
  '.cm-tooltip': {
    backgroundColor: 'var(--surface)',
    color: 'var(--ink)',
    border: '1px solid var(--rule)',
    borderRadius: '8px',
    boxShadow: 'var(--shadow)',
  },
  '.cm-tooltip-autocomplete > ul': {fontFamily: 'inherit', maxHeight: '15em'},
  '.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    backgroundColor: 'var(--accent-soft)',
    color: 'var(--ink)',
  },
  '.cm-completionDetail': {color: 'var(--muted)', fontStyle: 'normal'},
  '.cm-completionInfo': {maxWidth: '22rem', padding: '.4rem .6rem'},
  '.cm-diagnostic': {padding: '.3rem .6rem', maxWidth: '34rem'},
});

function completions(sections: Section[]) {
  return (context: CompletionContext) => {
    const found = offer(context.state.sliceDoc(0, context.pos), sections);
    if (!found || (!context.explicit && found.from === context.pos && context.pos > 0)) {
      const before = context.state.sliceDoc(Math.max(0, context.pos - 1), context.pos);
      if (!found || !/[[="']/.test(before)) return null;
    }
    return {
      from: found.from,
      validFor: /^["']?[\w./+-]*$/,
      options: found.options.map(one => ({
        label: one.label,
        detail: one.detail,
        info: one.info,
        type: one.isKey ? 'property' : 'constant',
        apply: (view: EditorView, _completion: unknown, from: number, to: number) => {
          const text = one.apply ?? one.label;
          const after = view.state.sliceDoc(to, to + 1);
          const end = /^["']/.test(text) && /["']/.test(after) ? to + 1 : to;
          view.dispatch({
            changes: {from, to: end, insert: text},
            selection: {anchor: from + text.length},
          });
          if (one.isKey) startCompletion(view);
        },
      })),
    };
  };
}

function placeOf(doc: Text, finding: Finding): {from: number; to: number} {
  if (finding.line < 1 || finding.line > doc.lines) return {from: 0, to: 0};
  const line = doc.line(finding.line);
  const from = Math.min(line.from + Math.max(0, finding.column - 1), line.to);
  const word = /^("[^"]*"|'[^']*'|[\w.+-]+)/.exec(line.text.slice(from - line.from));
  return {from, to: Math.min(from + (word ? word[0].length : 1), line.to)};
}

export class Editor {
  readonly view: EditorView;

  constructor(
    parent: HTMLElement,
    sections: Section[],
    onChange: (text: string) => void,
    onRun: () => void,
  ) {
    this.view = new EditorView({
      parent,
      state: EditorState.create({
        extensions: [
          keymap.of([
            {key: 'Mod-Enter', run: () => (onRun(), true)},
            ...completionKeymap,
            ...historyKeymap,
            ...defaultKeymap,
            indentWithTab,
          ]),
          history(),
          lineNumbers(),
          lintGutter(),
          drawSelection(),
          highlightActiveLine(),
          EditorView.lineWrapping,
          StreamLanguage.define(toml),
          syntaxHighlighting(colours),
          autocompletion({override: [completions(sections)], icons: false}),
          EditorView.contentAttributes.of({
            'aria-label': 'Scenario (TOML)',
            'aria-multiline': 'true',
            tabindex: '0',
          }),
          EditorView.updateListener.of(update => {
            if (update.docChanged) onChange(this.text);
          }),
          look,
        ],
      }),
    });
  }

  get text(): string {
    return this.view.state.doc.toString();
  }

  set text(text: string) {
    this.view.dispatch({
      changes: {from: 0, to: this.view.state.doc.length, insert: text},
      selection: {anchor: 0},
    });
  }

  /** Marks what the server found. */
  mark(findings: Finding[]): void {
    const doc = this.view.state.doc;
    const shown: Diagnostic[] = findings.map(one => ({
      ...placeOf(doc, one),
      severity: one.severity === 'note' ? 'info' : one.severity,
      message: one.hint === '' ? one.message : `${one.message}; ${one.hint}`,
      source: one.code,
    }));
    this.view.dispatch(setDiagnostics(this.view.state, shown));
  }

  goTo(finding: Finding): void {
    const {from} = placeOf(this.view.state.doc, finding);
    this.view.dispatch({
      selection: {anchor: from},
      effects: EditorView.scrollIntoView(from, {y: 'center'}),
    });
    this.view.focus();
  }
}

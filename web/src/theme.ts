// Light, dark, or as the system has it; and what changes for paper.
import {h} from './dom';
import {redrawAll, resizeAll} from './charts/registry';

const KEY = 'railyard-theme';
const system = matchMedia('(prefers-color-scheme: dark)');

function stored(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null; // a page from disk may have no storage
  }
}

function store(value: string): void {
  try {
    localStorage.setItem(KEY, value);
  } catch {
    // then it is forgotten
  }
}

function current(): 'light' | 'dark' {
  const own = stored();
  if (own === 'light' || own === 'dark') return own;
  return system.matches ? 'dark' : 'light';
}

function apply(theme: string): void {
  document.documentElement.dataset['theme'] = theme;
  redrawAll();
}

/** The button that turns light into dark and back. */
export function themeButton(): HTMLElement {
  const button = h('button', {type: 'button', class: 'theme control'});
  const tell = () => {
    const isDark = document.documentElement.dataset['theme'] === 'dark';
    button.textContent = isDark ? 'Light' : 'Dark';
    button.setAttribute('aria-label', isDark ? 'Use light colours' : 'Use dark colours');
  };
  button.addEventListener('click', () => {
    const next = document.documentElement.dataset['theme'] === 'dark' ? 'light' : 'dark';
    store(next);
    apply(next);
    tell();
  });
  apply(current());
  tell();
  system.addEventListener('change', () => {
    if (stored() === null) apply(current());
    tell();
  });
  return button;
}

/** On paper it is light, and every run is shown. What is folded is left out. `openRuns` draws runs that were not. */
export function watchPrinting(openRuns: () => void): void {
  let isPrinting = false;
  const begin = () => {
    if (isPrinting) return;
    isPrinting = true;
    openRuns();
    document.documentElement.classList.add('printing');
    apply('light');
    resizeAll();
  };
  const end = () => {
    if (!isPrinting) return;
    isPrinting = false;
    document.documentElement.classList.remove('printing');
    apply(current());
    resizeAll();
  };
  addEventListener('beforeprint', begin);
  addEventListener('afterprint', end);
  matchMedia('print').addEventListener('change', event => (event.matches ? begin() : end()));
}

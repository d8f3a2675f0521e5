// What the server answers. Every call of it is here.

export type State = 'queued' | 'running' | 'finished' | 'failed' | 'cancelled' | 'lost';

export interface Finding {
  severity: 'note' | 'warning' | 'error';
  code: string;
  message: string;
  hint: string;
  line: number;
  column: number;
}

export interface Run {
  id: string;
  name: string;
  state: State;
  created_ms: number;
  started_ms: number;
  ended_ms: number;
  share: number;
  now: string;
  diagnostics: Finding[];
}

export interface Key {
  name: string;
  type: string;
  default: string;
  required: boolean;
  help: string;
  values: string[];
}

export interface Section {
  path: string;
  is_list: boolean;
  help: string;
  keys: Key[];
}

export interface Figure {
  name: string;
  path?: string;
  a: number;
  b: number;
  ratio?: number | null;
}

export interface Pair {
  run: string;
  figures: Figure[];
  texts: {path: string; a: string; b: string}[];
}

const BASE = '/api/v1';
const TOML = {'Content-Type': 'application/toml'};

/** The server refused; `findings` say why. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    readonly findings: Finding[],
  ) {
    super(findings.map(one => `${one.message}; ${one.hint}`).join(' ') || `HTTP ${status}`);
  }
}

async function ask(path: string, options: RequestInit = {}): Promise<Response> {
  const answer = await fetch(BASE + path, options);
  if (answer.ok) return answer;
  const told = (await answer.json().catch(() => ({}))) as {diagnostics?: Finding[]};
  throw new Refused(answer.status, told.diagnostics ?? []);
}

async function get<T>(path: string): Promise<T> {
  return (await (await ask(path)).json()) as T;
}

export const hasEnded = (run: Run): boolean => run.state !== 'queued' && run.state !== 'running';
export const pageOf = (id: string): string => `${BASE}/runs/${id}/page`;
export const resultsOf = (id: string): string => `${BASE}/runs/${id}/results`;

export const status = () => get<{railyard: string}>('/status');
export const keys = async () => (await get<{sections: Section[]}>('/keys')).sections;
export const presets = async () =>
  (await get<{presets: {name: string; title: string}[]}>('/presets')).presets;
export const presetText = async (name: string) =>
  (await ask(`/presets/text?name=${encodeURIComponent(name)}`)).text();
export const check = async (text: string) => {
  const answer = await ask('/check', {method: 'POST', headers: TOML, body: text});
  return ((await answer.json()) as {diagnostics: Finding[]}).diagnostics;
};
export const submit = async (text: string) =>
  (await (await ask('/runs', {method: 'POST', headers: TOML, body: text})).json()) as Run;
export const runs = async () => (await get<{runs: Run[]}>('/runs')).runs;
export const scenarioOf = async (id: string) => (await ask(`/runs/${id}/scenario`)).text();
export const cancel = (id: string) => ask(`/runs/${id}/cancel`, {method: 'POST'});
export const remove = (id: string) => ask(`/runs/${id}`, {method: 'DELETE'});
export const compare = async (id: string, other: string) =>
  (await get<{pairs: Pair[]}>(`/runs/${id}/compare?with=${other}`)).pairs;

/** Sends the token once; the browser remembers it as a cookie that no script reads. */
export const beginSession = (token: string) =>
  ask('/session', {method: 'POST', headers: {Authorization: `Bearer ${token}`}});

/** Hears of every change of a run until it has ended. Returns what stops that. */
export function watch(id: string, onChange: (run: Run) => void): () => void {
  const source = new EventSource(`${BASE}/runs/${id}/events`);
  source.addEventListener('state', event => {
    const run = JSON.parse((event as MessageEvent<string>).data) as Run;
    if (hasEnded(run)) source.close();
    onChange(run);
  });
  return () => source.close();
}

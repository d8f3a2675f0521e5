// What the page is given: the document that --json writes, as docs/results.md describes it. Members may be missing anywhere.

export interface Cell {
  text: string;
  key?: string;
}

export interface Table {
  id: string;
  title: string;
  note?: string;
  columns: {title: string; align?: 'left' | 'right'}[];
  rows: {cells: Cell[]}[];
}

export interface Explanation {
  key: string;
  value: string;
  run?: string;
  path?: string;
  formula?: string;
  source?: string;
  status?: string;
}

/** The answer in plain sentences, and what they rest on. */
export interface Verdict {
  sentences?: {about: string; text: string}[];
  cost?: {
    step_s: number;
    without_network_s?: number;
    without_links_s?: number;
    network_share?: number;
    scale_up_share?: number;
  };
  parts?: {name: string; s: number; share: number}[];
  limit?: {kind: string; share?: number; where?: string};
  change?: {change: string; set?: string[]; command?: string; gain?: number; after_s?: number};
  confidence?: {
    kind?: string;
    rows?: number;
    median?: number;
    p90?: number;
    assumed?: string[];
    estimated?: string[];
  };
  unknown?: string[];
  pointless?: string[];
}

export interface Advice {
  rank?: number; // those of a single run come in order
  run: string;
  kind: string;
  change: string;
  set?: string[];
  metric?: string;
  before_s?: number;
  after_s?: number;
  gain: number;
  gain_text?: string; // as it is printed: "+10.2 %", "≤ 2.0 %", "costs 17.1 %"
  of_step?: number; // of the step, where something else was measured
  keeps?: boolean; // advice against the change
  cheaper?: boolean; // it saves money, and little or no time is lost
  command: string;
  text?: string;
  key?: string;
  confidence?: string; // how sure the gain is
  cost_text?: string; // what the change costs, where that is known
}

export interface ClaimValue {
  name: string;
  value?: number;
  status?: string;
  source?: string;
  scenario?: string;
  path?: string;
  command?: string;
}

export interface Claim {
  id: string;
  document: string;
  section?: string;
  claim: string;
  claimed?: string;
  unit?: string;
  test?: {
    kind: string;
    scenario?: string;
    set?: string[];
    path?: string;
    command?: string;
    formula?: string;
    otherwise_formula?: string;
    values?: ClaimValue[];
  };
  found?: number;
  found_text?: string;
  only_when?: string;
  otherwise?: number;
  otherwise_text?: string;
  verdict: string;
  why?: string;
  primary?: {verdict?: string; value?: string; source?: string};
  topic?: string;
  low?: number;
  high?: number;
}

export interface Difference {
  a: string;
  b: string;
  rows: {name: string; path?: string; a: unknown; b: unknown; ratio?: number}[];
}

export interface Run {
  id: string;
  label: string;
  file?: string;
  scenario?: string;
  command?: string;
  results: Results;
  latency?: Row;
  trials?: Tried[];
  slices?: Tried[];
}

/** The scenario again with something changed. */
export interface Tried {
  kind?: string;
  change?: string;
  set?: string[];
  command?: string;
  step_time_s?: number;
  refused?: string;
  slowest_gbps?: number;
  slice?: PacketPart & Row;
}

export interface Data {
  railyard?: string;
  kind?: string;
  title?: string;
  command?: string;
  verdict?: Verdict;
  runs?: Run[];
  tables?: Table[];
  advice?: Advice[];
  differences?: Difference[];
  explanations?: Explanation[];
  claims?: Claim[];
  summary?: {[verdict: string]: number};
  faults?: Faults;
  plan?: JobPlan;
  report?: PrintedReport;
  diagnosis?: Diagnosis;
  jobs?: SharedJobs;
  serving?: Serving;
}

/** A report as it is printed, of commands that have no page of their own. */
export interface PrintedReport {
  bars: {
    title: string;
    unit: string;
    bars: {label: string; value: number; text: string; marked: boolean}[];
  }[];
  curves?: PageCurve[];
  map?: PageMap;
  sections: {title: string; blocks: (PrintedText | PrintedTable)[]}[];
}
/** A figure over something that was varied. */
export interface PageCurve {
  title: string;
  axis: string;
  unit?: string;
  figure: string;
  scale: 'names' | 'linear' | 'log';
  points: {
    label: string;
    at?: number;
    mean: number;
    least: number;
    most: number;
    text: string;
    count: number;
  }[];
}
/** A figure over two things that were varied: a cell for each pair that there is. */
export interface PageMap {
  title: string;
  figure: string;
  down: string;
  across: string;
  rows: string[];
  columns: string[];
  cells: {row: number; column: number; value: number; text: string}[];
}
export interface PrintedText {
  text: string;
}
export interface PrintedTable {
  header: string[];
  right: boolean[];
  rows: string[][];
}

/** What serving a model takes, as `railyard run` writes it for files with [serving]. */
export interface Serving {
  name: string;
  first_token: {time_s: number; median_s?: number; p99_s?: number};
  next_token: {time_s: number; median_s?: number; p99_s?: number};
}

/** Seconds of the turns, or of the messages, of a job. */
export interface TurnTimes {
  mean_s: number;
  median_s: number;
  p99_s: number;
  longest_s: number;
}

/** One of several jobs on a fabric. */
export interface SharedJob {
  name: string;
  kind: string; // training, serving, collective, traffic
  turn: string; // what it does once: step, traffic, all_reduce, prompt, token, caches
  gpus: number;
  servers: string;
  of?: string; // whose hosts its traffic has
  turns: number;
  alone: TurnTimes;
  together: TurnTimes;
  slowdown: number;
  out_of_phase?: TurnTimes;
  out_of_phase_slowdown?: number;
  collectives: {
    name: string;
    group: string;
    calls: number;
    alone_s: number;
    together_s: number;
    slowdown: number;
    longest_s: number;
  }[];
  busbw?: {collective: string; size: number; alone_gbs: number; together_gbs: number};
  messages?: {alone: TurnTimes; together: TurnTimes};
  packets_alone?: PacketFigures;
}

export interface PacketFigures {
  marked: number;
  pauses: number;
  dropped: number;
  timeouts: number;
}

/** What several jobs do to each other, as `railyard run` writes it for files with [[job]]. */
export interface SharedJobs {
  name: string;
  answer: {about: string; text: string}[];
  length_s: number;
  jobs: SharedJob[];
  beside: number[][];
  tiers: {name: string; links: number; used: number; shared: number}[];
  links: {name: string; alone: number[]; together: number}[];
  packets?: PacketFigures;
}

/** Elements that the fabric's symmetry makes alike. */
export interface ElementClass {
  what: string;
  tier: string;
  is_link: boolean;
  count: number;
}

/** Something that fails, slows down or is taken away, and what that costs. */
export interface FaultCase {
  table: string; // one, slow, sudden, host, two, upgrade
  what: string;
  example: string; // of the worst draw
  count: number;
  lost_share: number;
  capacity_left_share: number;
  gpus?: number; // of hosts: that compute
  batch?: number;
  against_s?: number;
  stops: boolean;
  why: string;
  isolated_ranks?: number;
  time_s: number;
  least_s: number;
  most_s: number;
  slowdown: number;
  p99_collective_s?: number;
  p99_message_s?: number; // packet by packet, as the two below
  lost_packets?: number;
  broken_queue_pairs?: number;
  worst_rank?: {rank: number; stage?: number; later_s: number};
  steady: boolean;
  proportionate: boolean;
  draws: {what: string; seed: number; time_s?: number}[];
  command: string;
}

/** What `railyard faults --json` writes. */
export interface Faults {
  name: string;
  answer: string;
  manner: string;
  predictable: boolean;
  ranks: number;
  batch: number; // 0: it is no step
  seeds: number[];
  whole_s: number;
  whole_least_s: number;
  whole_most_s: number;
  classes: ElementClass[];
  cases: FaultCase[];
}

/** One way to split a job. */
export interface PlanRow {
  plan: Record<string, string>; // by key
  replicas: number;
  step_s: number;
  closed_form_s: number;
  memory_share: number;
  command: string;
}

/** What `railyard plan --json` writes. */
export interface JobPlan {
  name: string;
  answer: string;
  timed_by: string;
  best: PlanRow[];
  today?: PlanRow;
  best_breakdown?: Record<string, number>;
  today_breakdown?: Record<string, number>;
  timed: {step_s: number; memory_share: number; on_front: boolean}[];
  effects: {
    key: string;
    values: {value: string; step_s?: number; at_least_s?: number; refused?: string}[];
  }[];
  levels: {name: string; candidates: number; timed: number; refused: number}[];
}

/** One size of a measured collective. */
export interface MeasuredPoint {
  size: number;
  measured_gbs: number;
  expected_gbs?: number; // missing where it cannot be predicted
  ratio?: number;
}

/** One collective over one group, beside what is expected of it. */
export interface MeasuredCurve {
  name: string; // "all_reduce over 16 ranks in 2 nodes"
  kind: string;
  ranks: number;
  nodes: number;
  is_assumed: boolean;
  file: string;
  ratio: number;
  is_slow: boolean;
  points: MeasuredPoint[];
}

/** What may be wrong, and what speaks for and against it. */
export interface Cause {
  id: string;
  what: string;
  in: string; // who has to mend it: nothing, server, job, network, unknown
  score: number; // of all: 1
  fit: number;
  how: string;
  set: string[];
  fix: string;
  check: string;
  evidence: {log_odds: number; text: string; where: string}[];
  predicted_gbs: number[][]; // by curve, by point
}

/** What `railyard diagnose --json` writes. */
export interface Diagnosis {
  name: string;
  answer: {about: string; text: string}[];
  degraded_by_network: string;
  wrong_values: number;
  curves: MeasuredCurve[];
  causes: Cause[]; // the likeliest first
  odd: {what: string; name: string; how: string; where: string}[];
  steps: {
    file: string;
    framework: string;
    steps: number;
    median_s: number;
    p95_s: number;
    expected_s?: number;
    ratio?: number;
  }[];
  skipped: {where: string; what: string; times: number}[];
  unknown_files: string[];
  unknown_collectives: string[];
}

export type Json = null | boolean | number | string | Json[] | {[key: string]: Json};
export type Row = {[key: string]: Json};

export interface Input {
  key: string;
  value: string;
  status: string;
  source: string;
}

export interface Finding {
  severity: string;
  code: string;
  message: string;
  hint?: string;
  file?: string;
  line?: number;
}

export interface Spread {
  mean?: number;
  p50?: number;
  p99?: number;
  max?: number;
}

export interface TimeRows {
  where: string;
  name?: string;
  capacity_gbps?: number;
  bin_s: number;
  from_s?: number;
  rows: {name: string; gbps: number[]}[];
}

export interface FlowSizes {
  level: string;
  what?: string;
  count: number;
  bytes: number;
  elephants?: {count_share: number; bytes_share: number};
  mice?: {count_share: number; bytes_share: number};
  p50_bytes?: number;
  p99_bytes?: number;
  max_bytes?: number;
  buckets: {from_bytes: number; to_bytes: number; count: number; bytes: number}[];
}

export interface Bursts {
  where: string;
  name?: string;
  capacity_gbps?: number;
  resolutions: {
    resolution_s: number;
    mean_gbps: number;
    peak_gbps: number;
    peak_to_mean: number;
    duty_cycle: number;
    bursts: number;
    burst_s?: Spread;
    gap_s?: Spread;
    period_s?: number;
    period_strength?: number;
  }[];
}

export interface FabricLink {
  from: number | string;
  to: number | string;
  name: string;
  ports?: number;
  gbps?: number; // of all ports, one way
  mean?: number; // share of that, from `from` to `to`
  mean_back?: number; // and back
  peak?: number; // of the busiest port, either way
  worst?: boolean;
}

/** All switches of a kind; shares of capacity over the whole run. */
export interface FabricSwitches {
  kind: string;
  names?: string[]; // where they are not the kind and a number
  up?: number[];
  down: number[];
  peak: number[];
}

/** Loads of a link in parts of a run, in thousandths of its capacity; left out where all are zero. */
export interface LinkOverTime {
  mean?: number[];
  mean_back?: number[];
  peak?: number[]; // where it is several ports
}

/** Links are as in the map. */
export interface MapOverTime {
  unknown?: string; // why there is nothing else
  bin_s?: number;
  bins?: number;
  links?: LinkOverTime[];
}

export interface FabricMap {
  nodes: {id: number | string; name: string; tier: number; kind?: string}[];
  links: FabricLink[];
  left_out?: string;
  switches?: FabricSwitches[];
  histogram?: {tier: string; bins: number[]}[];
  over_time?: MapOverTime;
}

export interface PathChoice {
  tier: string;
  groups: number;
  members: number;
  flows_per_group?: number;
  idle: number;
  expected_idle: number;
  worst_to_mean: number;
  expected_worst_to_mean: number;
  collisions: number;
  expected_collisions: number;
  effective_paths: number;
}

export interface Paths {
  what?: string;
  hashed?: boolean;
  variants?: {
    queue_pairs: number;
    hash_fields: string;
    as_set?: boolean;
    flows: number;
    entropy_bits?: number;
    tiers: PathChoice[];
  }[];
  polarisation?: {idle: number; expected_idle: number; same_seeds_idle: number; polarised: boolean};
}

export interface Patterns {
  volumes?: {
    by: string;
    rows: {
      name: string;
      bytes: number;
      share: number;
      scale_out_bytes?: number;
      scale_out_share?: number;
    }[];
  }[];
  flow_sizes?: FlowSizes[];
  bursts?: Bursts[];
  over_time?: TimeRows[];
  excerpt?: TimeRows[];
  matrix?: {level: string; size: number; labels: string[]; bytes: number[][]};
  incast?: {
    max: number;
    mean: number;
    overlapping?: {max: number; mean: number};
    of?: string;
    what?: string;
    degrees?: {senders: number; receivers: number; bytes?: number}[];
  };
  paths?: Paths;
  timeline?: {
    stages: {stage: number; spans: [number, number, number | string][]}[];
    kinds: string[];
    note?: string;
  };
  fabric_map?: FabricMap;
  loads?: Row[];
}

export interface Member {
  tier: string;
  groups: number;
  members: number;
  idle: number;
  worst_to_mean: number;
  entropy?: number;
  effective_paths: number;
}

/** One of the messages that took longest. */
export interface SlowMessage {
  from: number;
  to: number;
  size_bytes: number;
  start_us: number;
  fct_us: number;
  ideal_us: number;
  slowdown: number;
}

export interface PacketPart {
  pfc?: Row;
  ecn?: Row;
  cnp?: Row;
  drops?: number;
  drops_by_reason?: Row;
  retransmissions?: number;
  queue_depth_bytes?: Row & {buckets?: {from: number; to: number; packets: number}[]};
  virtual_queues?: {count: number; deepest: Row[]};
  worst_ports?: {deepest?: Row[]; paused?: Row[]};
  pause_tree?: Row & {
    nodes?: {port: string; depth: number; pauses: number; first_us: number; left_out?: number}[];
  };
  over_time?: {
    interval_us: number;
    at_us: number[];
    ports: {
      port: string;
      gbps?: number[];
      backlog_bytes?: number[];
      paused?: number[];
      marked?: number[];
    }[];
    queue_pairs?: {active?: number[]; allowed_gbps?: number[]; allowed_least_gbps?: number[]};
  };
  buffers?: Row[];
  standstills?: Row[];
  flows?: Row & {
    messages?: number;
    fct_us?: Spread;
    slowdown?: Spread;
    by_distance?: {switches: number; messages: number; fct_us?: Spread; slowdown?: Spread}[];
    slowest?: SlowMessage[];
  };
}

export interface Breakdown {
  compute_s: number;
  contention_s: number;
  bubble_s: number;
  optimizer_s: number;
  host_s: number;
  exposed_s: {[group: string]: number};
  hidden_s: {[group: string]: number};
  shares?: {[part: string]: number};
}

export interface Results extends PacketPart {
  name?: string;
  engine?: string;
  fingerprint?: string;
  ranks?: number;
  verdict?: Verdict;
  step_time_s?: number;
  tokens_per_s_per_gpu?: number;
  mfu?: {causal: number; full: number; hardware: number};
  breakdown?: Breakdown;
  stages?: Row[];
  groups?: Row[];
  reach?: Row[];
  memory_gib?: Row;
  traffic?: Row[] | Row;
  points?: Row[];
  tiers?: Row[];
  members?: Member[];
  fabric?: Row;
  network?: {
    ops?: Row[];
    tiers?: Row[];
    members?: Member[];
    rails?: Row[];
    bin_s?: number;
    over_time?: {
      tier: string;
      utilisation: number[];
      busiest?: string;
      busiest_utilisation?: number[];
    }[];
  };
  packets?: StepPackets; // a whole step, packet by packet
  slice?: PacketPart & Row;
  jitter?: Row & {collectives?: Row[]};
  inputs?: Input[];
  failures?: string[];
  diagnostics?: Finding[];
  patterns?: Patterns;
}

/** Of a collective in both engines, and of senders that others waited for. */
export type StepPackets = PacketPart & {
  flow_step_time_s: number;
  ratio: number;
  collectives: {
    what: string;
    group: string;
    calls: number;
    flow_s: number;
    packet_s: number;
    ratio: number;
    packet_longest_s: number;
  }[];
  stragglers: {from: string; to: string; calls: number; behind_s: number}[];
};

/** The document in the page. */
export function readData(): Data {
  const text = document.getElementById('data')?.textContent ?? '';
  const data = text.trim() === '' ? {} : (JSON.parse(text) as Data);
  data.runs?.forEach((run, i) => places.set(run, `runs[${i}]`));
  return data;
}

const places = new WeakMap<Run, string>();
/** Where a run stands in the document: "runs[2]". */
export const placeOf = (run: Run): string => places.get(run) ?? 'runs[0]';

/** Follows "mfu.causal" or "stages[2].compute_s". */
export function at(value: unknown, path: string): unknown {
  let here: unknown = value;
  for (const step of path.replace(/\[(\d+)\]/g, '.$1').split('.')) {
    if (here === null || typeof here !== 'object') return undefined;
    here = (here as Record<string, unknown>)[step];
  }
  return here;
}

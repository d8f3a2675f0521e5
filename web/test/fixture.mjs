// A comparison of made-up runs in the shape that docs/results.md describes: every member that a page can show, small.
// Nothing is random: the same page every time.

const wave = (i, period, share) => ((i % period) / period < share ? 1 : 0);
const round = value => Number(value.toPrecision(4));

function rows(bins, scale) {
  const make = (period, share, height, shift) =>
    Array.from({length: bins}, (_u, i) =>
      round(wave(i + shift, period, share) * height * scale * (0.85 + 0.15 * Math.sin(i))),
    );
  return [
    {name: 'all_gather (parameters)', gbps: make(60, 0.3, 160, 0)},
    {name: 'reduce_scatter (gradients)', gbps: make(60, 0.25, 140, 30)},
    {name: 'send (boundary)', gbps: make(12, 0.2, 60, 3)},
    {name: 'all_to_all (dispatch)', gbps: make(20, 0.15, 90, 7)},
  ];
}

function place(where, name, capacity_gbps, bins, bin_s, scale, from_s) {
  return {where, name, capacity_gbps, from_s, bin_s, rows: rows(bins, scale)};
}

function bursts(where, name, capacity_gbps) {
  const spread = base => ({mean: base * 1.2, p50: base, p99: base * 4, max: base * 7});
  const one = (resolution_s, peak) => ({
    resolution_s,
    mean_gbps: 34.7,
    peak_gbps: peak,
    peak_to_mean: round(peak / 34.7),
    duty_cycle: 0.21,
    bursts: 1274,
    burst_s: spread(resolution_s * 6),
    gap_s: spread(resolution_s * 20),
    period_s: 0.0493,
    period_strength: 0.81,
  });
  return {
    where,
    name,
    capacity_gbps,
    resolutions: [
      one(1e-5, capacity_gbps),
      one(1e-4, capacity_gbps * 0.96),
      one(1e-3, capacity_gbps * 0.71),
    ],
  };
}

function timeline(stages) {
  const out = [];
  for (let stage = 0; stage < stages; stage++) {
    const spans = [];
    for (let m = 0; m < 8; m++) {
      const forward = stage * 0.02 + m * 0.06;
      spans.push(
        [round(forward), round(forward + 0.02), 0],
        [
          round(forward + (2 * stages - 2 * stage) * 0.01),
          round(forward + (2 * stages - 2 * stage) * 0.01 + 0.035),
          1,
        ],
      );
    }
    spans.sort((a, b) => a[0] - b[0]);
    out.push({stage, spans: [...spans, [0.75, 0.8, 2], [0.8, 0.83, 3]]});
  }
  return {
    kinds: ['forward', 'backward', 'gradients', 'optimizer'],
    stages: out,
    note: 'Four stages; what lies between is waiting for others.',
  };
}

function fabricMap() {
  const nodes = [],
    links = [];
  for (let i = 0; i < 8; i++)
    nodes.push(
      {id: i, name: `GPUs ${i * 16}–${i * 16 + 15}`, tier: 0, kind: 'GPUs'},
      {id: 10 + i, name: `leaf ${i}`, tier: 1, kind: 'leaf'},
    );
  for (let j = 0; j < 4; j++) nodes.push({id: 20 + j, name: `spine ${j}`, tier: 2, kind: 'spine'});
  for (let i = 0; i < 8; i++) {
    links.push({
      from: i,
      to: 10 + i,
      name: `GPUs to leaf ${i}`,
      ports: 16,
      gbps: 6400,
      mean: 0.09,
      mean_back: 0.08,
      peak: 0.55,
      worst: false,
    });
    for (let j = 0; j < 4; j++)
      links.push({
        from: 10 + i,
        to: 20 + j,
        name: `leaf ${i} to spine ${j}`,
        ports: 4,
        gbps: 1600,
        mean_back: 0.1,
        mean: round(0.05 + 0.1 * ((i * 3 + j * 5) % 9)),
        peak: round(0.2 + 0.08 * ((i * 3 + j * 5) % 10)),
        worst: (i * 3 + j * 5) % 17 === 8,
      });
  }
  const bins = 20;
  const wave = (share, i) =>
    Array.from({length: bins}, (_u, bin) =>
      Math.min(1000, Math.round(share * 1000 * (1 + Math.sin(bin + i)))),
    );
  return {
    nodes,
    links,
    over_time: {
      bin_s: 0.004,
      bins,
      links: links.map((link, i) =>
        i % 7 === 3
          ? {} // nothing at any time
          : {
              mean: wave(link.mean, i),
              mean_back: wave(link.mean_back, i),
              ...(link.ports > 1 && {peak: wave(link.peak, i)}),
            },
      ),
    },
    left_out: 'of 1,024 leaves 8 are shown',
    switches: [
      {
        kind: 'leaf',
        up: Array.from({length: 1024}, (_u, i) => round(0.02 + 0.001 * (i % 900))),
        down: Array.from({length: 1024}, (_u, i) => round(0.004 + 0.0001 * (i % 300))),
        peak: Array.from({length: 1024}, (_u, i) => round(0.05 + 0.0009 * (i % 1000))),
      },
      {
        kind: 'spine',
        down: Array.from({length: 64}, (_u, i) => round(0.3 + 0.01 * (i % 30))),
        peak: Array.from({length: 64}, (_u, i) => round(0.4 + 0.009 * i)),
      },
    ],
    histogram: [
      {tier: 'host to leaf', bins: [0, 0.9, 0.1, 0, 0, 0, 0, 0, 0, 0]},
      {tier: 'leaf to spine', bins: [0.1, 0.2, 0.3, 0.1, 0.1, 0.05, 0.05, 0.05, 0.03, 0.02]},
    ],
  };
}

function sizes(level, from, count) {
  const buckets = Array.from({length: 8}, (_u, i) => ({
    from_bytes: from * 8 ** i,
    to_bytes: from * 8 ** (i + 1),
    count: Math.round(count / (1 + (i - 4) ** 2)),
    bytes: Math.round((count / (1 + (i - 4) ** 2)) * from * 8 ** i),
  }));
  return {
    level,
    what: `Each ${level} of a step is counted once.`,
    count,
    bytes: 3.1e11,
    elephants: {count_share: 0.12, bytes_share: 0.83},
    mice: {count_share: 0.31, bytes_share: 0.0004},
    p50_bytes: from * 4096,
    p99_bytes: from * 8 ** 6,
    max_bytes: from * 8 ** 7,
    buckets,
  };
}

function patterns() {
  const names = Array.from({length: 16}, (_u, i) => `leaf ${i}`);
  return {
    volumes: [
      {
        by: 'primitive',
        rows: [
          {
            name: 'all_gather',
            bytes: 1.6e11,
            share: 0.52,
            scale_out_bytes: 1.2e10,
            scale_out_share: 0.44,
          },
          {
            name: 'reduce_scatter',
            bytes: 1.2e11,
            share: 0.39,
            scale_out_bytes: 1.1e10,
            scale_out_share: 0.4,
          },
          {name: 'send', bytes: 2.8e10, share: 0.09, scale_out_bytes: 4.3e9, scale_out_share: 0.16},
        ],
      },
      {
        by: 'phase',
        rows: [
          {
            name: 'forward',
            bytes: 1.4e11,
            share: 0.45,
            scale_out_bytes: 9e9,
            scale_out_share: 0.33,
          },
          {
            name: 'backward',
            bytes: 1.7e11,
            share: 0.55,
            scale_out_bytes: 1.83e10,
            scale_out_share: 0.67,
          },
        ],
      },
      {
        by: 'group',
        rows: [
          {name: 'tensor', bytes: 2.8e11, share: 0.91, scale_out_bytes: 0, scale_out_share: 0},
          {name: 'data', bytes: 2.8e10, share: 0.09, scale_out_bytes: 2.73e10, scale_out_share: 1},
        ],
      },
      {
        by: 'tier',
        rows: [
          {name: 'host to leaf', bytes: 2.73e10, share: 0.5},
          {name: 'leaf to spine', bytes: 2.3e10, share: 0.5},
        ],
      },
    ],
    flow_sizes: [
      sizes('message', 512, 91234),
      sizes('queue pair', 4096, 4096),
      sizes('collective', 32768, 640),
      sizes('pair of GPUs', 65536, 120),
    ],
    bursts: [
      bursts('NIC', 'GPU 12 to leaf 1', 400),
      bursts('leaf uplink', 'leaf 1 to spine 3', 400),
      bursts('fabric', 'all NICs', 6553600),
    ],
    over_time: [
      place('NIC', 'GPU 12 to leaf 1', 400, 300, 0.021, 1, 0),
      place('leaf uplink', 'leaf 1 to spine 3', 400, 300, 0.021, 0.8, 0),
      place('fabric', 'all NICs', 6553600, 300, 0.021, 14000, 0),
    ],
    excerpt: [
      place('NIC', 'GPU 12 to leaf 1', 400, 200, 1e-5, 1.1, 3.2),
      place('leaf uplink', 'leaf 1 to spine 3', 400, 200, 1e-5, 0.9, 3.2),
    ],
    matrix: {
      level: 'leaves',
      size: 16,
      labels: names,
      bytes: names.map((_a, i) =>
        names.map((_b, j) =>
          i === j ? 0 : Math.abs(i - j) % 5 === 0 ? 0 : Math.round(4e12 / Math.abs(i - j) ** 2),
        ),
      ),
    },
    incast: {
      max: 7,
      mean: 1.9,
      overlapping: {max: 9, mean: 2.4},
      of: 'receiver GPUs',
      what: 'Senders whose transfers to one GPU overlap.',
      degrees: [
        {senders: 1, receivers: 9000, bytes: 2.1e13},
        {senders: 2, receivers: 6000, bytes: 1.4e13},
        {senders: 7, receivers: 1384, bytes: 2e12},
      ],
    },
    paths: {
      what: 'gradients of data: 256 of 1,024 pairs of GPUs',
      hashed: true,
      variants: [1, 2, 4, 8, 16].flatMap(queue_pairs =>
        ['five-tuple', 'qpn'].map((hash_fields, k) => ({
          queue_pairs,
          hash_fields,
          as_set: queue_pairs === 4 && k === 0,
          flows: 256 * queue_pairs,
          entropy_bits: 8 + Math.log2(queue_pairs),
          tiers: [
            {
              tier: 'leaf to spine',
              groups: 16,
              members: 256,
              flows_per_group: 16 * queue_pairs,
              idle: round(0.36 / queue_pairs),
              expected_idle: round(0.35 / queue_pairs),
              worst_to_mean: round(1 + 2 / queue_pairs),
              expected_worst_to_mean: round(1 + 1.9 / queue_pairs),
              collisions: round(1 - 0.4 / queue_pairs),
              expected_collisions: round(1 - 0.41 / queue_pairs),
              effective_paths: round(16 - 6 / queue_pairs),
            },
          ],
        })),
      ),
      polarisation: {idle: 0.02, expected_idle: 0.018, same_seeds_idle: 0.61, polarised: false},
    },
    timeline: timeline(4),
    fabric_map: fabricMap(),
  };
}

/** The answer in sentences, with the parts of the step. */
function verdict(name, step) {
  const parts = [
    ['compute', 0.73],
    ['host', 0],
    ['optimizer', 0.01],
    ['bubble', 0.13],
    ['scale-up', 0.11],
    ['network', 0.02],
  ];
  return {
    sentences: [
      {
        about: 'cost',
        text: `The network costs ${name} 2.0 % of a step; scale-up links cost 11.0 %.`,
      },
      {about: 'limit', text: 'Compute limits it: 73.0 % of the step.'},
      {about: 'change', text: 'The best change: 16 queue pairs, which gain 1.7 %.'},
      {about: 'confidence', text: 'Steps of this kind are within 2.5 % (median of 154 rows).'},
      {about: 'unknown', text: 'What failures and storage add is not in it.'},
    ],
    cost: {
      step_s: step,
      without_network_s: step * 0.98,
      without_links_s: step * 0.87,
      network_share: 0.02,
      scale_up_share: 0.11,
    },
    parts: parts.map(([part, share]) => ({name: part, s: step * share, share})),
    limit: {kind: 'compute', share: 0.73, where: ''},
    confidence: {kind: 'dense steps', rows: 154, median: 0.025, p90: 0.06, assumed: []},
    unknown: ['failures'],
    pointless: ['All servers of a rail sit under one leaf: oversubscription cannot matter.'],
  };
}

function results(name, step, mfu) {
  const parts = {
    compute: 0.72,
    contention: 0.05,
    exposed: 0.09,
    bubble: 0.13,
    optimizer: 0.01,
    host: 0,
    hidden: 0.15,
  };
  return {
    schema: 'railyard-results/1',
    name,
    engine: 'flow',
    fingerprint: 'd49d1fa1e7ff8be0',
    ranks: 16384,
    step_time_s: step,
    tokens_per_s_per_gpu: 1024 / step,
    mfu: {causal: mfu, full: mfu * 1.04, hardware: mfu * 1.01},
    verdict: verdict(name, step),
    breakdown: {
      compute_s: step * 0.72,
      contention_s: step * 0.05,
      bubble_s: step * 0.13,
      optimizer_s: step * 0.01,
      host_s: 0,
      exposed_s: {
        tensor: step * 0.07,
        context: 0,
        expert: step * 0.01,
        pipeline: 0,
        data: step * 0.01,
      },
      hidden_s: {tensor: step * 0.05, context: 0, expert: 0, pipeline: 0, data: step * 0.1},
      shares: parts,
    },
    stages: [
      {
        layers: '8',
        compute_s: step * 0.7,
        exposed_s: step * 0.1,
        bubble_s: step * 0.2,
        memory_gib: 55.5,
      },
    ],
    network: {
      members: [
        {
          tier: 'leaf to spine',
          groups: 1024,
          members: 16384,
          idle: 0.021,
          worst_to_mean: 1.47,
          entropy: 0.967,
          effective_paths: 13.2,
        },
      ],
      bin_s: step / 100,
      over_time: [
        {
          tier: 'leaf to spine',
          utilisation: Array.from({length: 100}, (_u, i) => 0.3 + 0.2 * Math.sin(i / 5)),
          busiest: 'leaf 1 to spine 3',
          busiest_utilisation: Array.from({length: 100}, (_u, i) => 0.5 + 0.3 * Math.sin(i / 5)),
        },
      ],
    },
    inputs: [
      {
        key: 'fabric.link_rate',
        value: '400 Gb/s',
        status: 'published',
        source: 'ConnectX-7 release notes',
      },
      {key: 'compute.efficiency', value: '0.62', status: 'assumed', source: 'no published figure'},
      {key: 'gpu.peak', value: '989 TFLOP/s', status: 'measured', source: 'vendor data sheet'},
    ],
    diagnostics: [
      {
        severity: 'warning',
        code: 'RY-SIM-014',
        message: 'the oversubscription is 7:1',
        hint: 'add uplinks',
        file: 'scenarios/a.toml',
        line: 14,
        column: 1,
      },
    ],
    patterns: patterns(),
  };
}

/** Packets of a slice: one port over time, and who paused whom. */
function slice() {
  const at = Array.from({length: 50}, (_u, i) => i + 1);
  return {
    pfc: {pauses: 12, resumes: 12, paused_us: 31.5, first_port: 'leaf 1 to GPU 12', storms: 0},
    ecn: {marked: 2452},
    cnp: {sent: 170, handled: 170},
    drops: 0,
    drops_by_reason: {buffer: 0},
    retransmissions: 0,
    flows: {
      messages: 96,
      fct_us: {mean: 15, p50: 15.5, p99: 19.4, max: 22.4},
      slowdown: {mean: 3, p50: 3.2, p99: 3.8, max: 3.801},
      slowest: [
        {
          from: 3,
          to: 12,
          size_bytes: 1048576,
          start_us: 0,
          fct_us: 22.4,
          ideal_us: 5.9,
          slowdown: 3.801,
        },
      ],
      by_distance: [
        {switches: 1, messages: 40, fct_us: {mean: 14, p50: 14.5, p99: 18, max: 18.2}},
        {switches: 3, messages: 56, fct_us: {mean: 15.5, p50: 15.8, p99: 19.4, max: 22.4}},
      ],
    },
    queue_depth_bytes: {
      packets: 75800,
      p50: 0,
      p99: 1180000,
      max: 3984541,
      buckets: [
        {from: 0, to: 1, packets: 69229},
        {from: 1048576, to: 2097152, packets: 6571},
      ],
    },
    pause_tree: {
      roots: 1,
      nodes: [
        {port: 'leaf 1 to GPU 12', depth: 0, pauses: 12, first_us: 4.2},
        {port: 'spine 3 to leaf 1', depth: 1, pauses: 5, first_us: 9.1},
      ],
    },
    over_time: {
      interval_us: 1,
      at_us: at,
      ports: [
        {
          port: 'leaf 1 to GPU 12',
          gbps: at.map(() => 398),
          backlog_bytes: at.map(t => t * 80000),
          paused: at.map(t => (t % 10 > 7 ? 0.5 : 0)),
          marked: at.map(t => t % 7),
        },
      ],
    },
  };
}

export function comparison() {
  const names = [
    ['alpha', 'Alpha 405B', 6.318, 0.4136],
    ['beta', 'Beta MoE 236B', 2.904, 0.2871],
    ['gamma', 'Gamma 1.8T', 11.42, 0.3519],
  ];
  const runs = names.map(([id, label, step, mfu]) => ({
    id,
    label,
    file: `scenarios/${id}.toml`,
    scenario: `# ${label}\nname = "${label}"\n[cluster]\ngpus = 16384\n`,
    command: `railyard run scenarios/${id}.toml`,
    latency: {same_leaf_us: 3.71, across_leaves_us: 5.81},
    trials: [
      {
        kind: 'adaptive routing',
        change: 'let switches choose',
        set: ['routing.policy=adaptive'],
        command: `railyard run scenarios/${id}.toml --set routing.policy=adaptive`,
        step_time_s: step * 0.9,
      },
      {kind: 'failures', change: 'take a spine away', set: [], refused: 'a rank is cut off'},
    ],
    slices: [{kind: 'as it is', change: '', set: [], slowest_gbps: 110, slice: slice()}],
    results: results(`${label} on 16,384 GPUs`, step, mfu),
  }));
  const cells = names.map(([id, label, step, mfu]) => ({
    cells: [
      {text: label},
      {text: `${step} s`, key: `step.${id}`},
      {text: '38–45 %', key: `mfu.${id}.mfu-said`},
      {text: '41 %', key: `mfu.${id}.mfu-published`},
      {text: `${(mfu * 100).toFixed(1)} %`, key: `mfu.${id}.simulated`},
      {text: id === 'beta' ? 'expert all-to-all' : 'pipeline bubble'},
    ],
  }));
  const verdicts = ['reproduced', 'plausible', 'contradicted', 'not testable'];
  return {
    railyard: '0.1.0',
    kind: 'comparison',
    title: 'Three models and <their> networks </script>',
    command: 'railyard compare',
    verdict: {
      sentences: [
        {about: 'cost', text: 'The network costs each of three jobs 2.0 % of a step.'},
        {about: 'limit', text: 'What limits them: c11 by compute (70.0 %).'},
        {
          about: 'change',
          text: "The largest gain is faster links for Beta MoE 236B, 11.4 %: railyard run beta --set 'fabric.link_rate=800 Gb/s' --set routing.policy=adaptive. Means over 3 seeds.",
        },
        {about: 'confidence', text: 'Steps of this kind are within 2.5 % (median).'},
      ],
    },
    runs,
    tables: [
      {
        id: 'mfu',
        title: 'MFU and what limits it',
        note: 'Published values as their authors count.',
        columns: [
          {title: 'Model', align: 'left'},
          {title: 'Step', align: 'right'},
          {title: 'MFU said', align: 'right'},
          {title: 'published', align: 'right'},
          {title: 'simulated', align: 'right'},
          {title: 'Primary constraint', align: 'left'},
        ],
        rows: cells,
      },
    ],
    advice: [
      {
        rank: 1,
        run: 'beta',
        kind: 'adaptive routing',
        change: 'Route adaptively instead of by hash',
        set: ['routing.policy=adaptive'],
        metric: 'step',
        before_s: 2.904,
        after_s: 2.607,
        gain: 0.1139,
        gain_text: '+11.4 %',
        of_step: 0.1139,
        keeps: false,
        command: 'railyard run scenarios/beta.toml --set routing.policy=adaptive',
        text: 'Flows of one leaf collide on a third of its uplinks.',
        confidence: 'both steps were simulated',
        cost_text: 'a setting of the switches',
        key: 'advice.beta.adaptive',
      },
      {
        rank: 2,
        run: 'alpha',
        kind: 'queue pairs',
        change: 'Use 16 queue pairs per connection',
        set: ['transport.qps_per_connection=16'],
        metric: 'step',
        before_s: 6.318,
        after_s: 6.211,
        gain: 0.0172,
        gain_text: '+1.7 %',
        of_step: 0.0172,
        keeps: false,
        command: 'railyard run scenarios/alpha.toml --set transport.qps_per_connection=16',
        text: 'More entropy for the hash.',
      },
      {
        rank: 3,
        run: 'gamma',
        kind: 'placement',
        change: 'deal ranks over the leaves in turn',
        set: ['placement.policy=round-robin'],
        metric: 'step',
        before_s: 11.42,
        after_s: 13.1,
        gain: -0.128,
        gain_text: 'costs 14.7 %',
        of_step: -0.128,
        keeps: true,
        command: 'railyard run scenarios/gamma.toml --set placement.policy=round-robin',
        text: 'Neighbours would sit apart.',
      },
    ],
    differences: [
      {
        a: 'alpha',
        b: 'beta',
        rows: [
          {name: 'step time, s', path: 'step_time_s', a: 6.318, b: 2.904, ratio: 0.46},
          {
            name: 'exposed data-parallel, s',
            path: 'breakdown.exposed_s.data',
            a: 0.0632,
            b: 0.029,
            ratio: 0.46,
          },
          {
            name: 'leaf uplinks, mean use',
            path: 'network.tiers[1].mean_utilisation',
            a: 0.073,
            b: 0.012,
            ratio: 0.164,
          },
          {name: 'network', a: 'RoCE', b: 'InfiniBand'},
        ],
      },
    ],
    explanations: [
      ...names.map(([id, , step]) => ({
        key: `step.${id}`,
        value: `${step} s`,
        run: id,
        path: 'step_time_s',
        formula: 'first pass to updated parameters',
        source: 'flow engine',
        status: 'simulated',
      })),
      ...names.map(([id, , , mfu]) => ({
        key: `mfu.${id}.simulated`,
        value: `${(mfu * 100).toFixed(1)} %`,
        run: id,
        path: 'mfu.causal',
        formula: 'tokens × FLOP per token / (time × peak)',
        source: 'flow engine',
        status: 'simulated',
      })),
      ...names.flatMap(([id]) =>
        [
          ['mfu-said', '38–45 %', 'claimed'],
          ['mfu-published', '41 %', 'published'],
        ].map(([column, value, status]) => ({
          key: `mfu.${id}.${column}`,
          value,
          run: '',
          path: '',
          formula: 'as a source has it',
          source: 'a report',
          status,
        })),
      ),
      {
        key: 'advice.beta.adaptive',
        value: '10.2 %',
        run: 'beta',
        path: 'step_time_s',
        formula: '1 − after / before',
        source: 'two runs',
        status: 'simulated',
      },
    ],
    claims: Array.from({length: 12}, (_u, i) => ({
      id: `claim-${i}`,
      document: `00${1 + (i % 3)}`,
      place: `section ${i}`,
      claim: `Model ${i} keeps its network ${40 + i} % busy`,
      claimed: `${40 + i} %`,
      unit: '%',
      test: {
        kind: 'run',
        scenario: 'alpha',
        set: [],
        path: 'network.tiers[0].mean_utilisation',
        command: 'railyard run scenarios/alpha.toml --json -',
        values: [
          {
            name: 'mean',
            scenario: 'alpha',
            path: 'network.tiers[0].mean_utilisation',
            status: 'simulated',
            value: 0.087,
          },
          {name: 'rate', status: 'given', source: 'the document', value: 400},
        ],
      },
      found: 8.7 + i,
      found_text: `${8.7 + i} %`,
      verdict: verdicts[i % 4],
      why: 'The NICs of the run are busy for a tenth of the step.',
      ...(i % 2 ? {primary: {verdict: 'WRONG', value: '9 %', source: 'Report, table 4'}} : {}),
      topic: i % 2 ? 'bandwidth' : 'mfu',
    })),
  };
}

/** The page with other data in it. */
export function withData(page, data) {
  const begin = '<script type="application/json" id="data">';
  const at = page.indexOf(begin) + begin.length;
  const end = page.indexOf('</script>', at);
  return page.slice(0, at) + JSON.stringify(data).replaceAll('<', '\\u003c') + page.slice(end);
}

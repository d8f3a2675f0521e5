// Every chart that is on the page, so that a change of theme, of size or of medium reaches them all.

export interface Chart {
  host: HTMLElement;
  resize(width: number): void;
  redraw(): void;
}

const charts = new Set<Chart>();
const observer = new ResizeObserver((entries) => {
  for (const entry of entries)
    for (const chart of charts) if (chart.host === entry.target && entry.contentRect.width > 0) chart.resize(Math.floor(entry.contentRect.width));
});

/** Keeps a chart as wide as its host. It is drawn when the host has a width first. */
export function register(chart: Chart): void {
  charts.add(chart);
  observer.observe(chart.host);
}

/** Forgets what is no longer on the page. */
export function sweep(): void {
  for (const chart of charts)
    if (!chart.host.isConnected) {
      observer.unobserve(chart.host);
      charts.delete(chart);
    }
}

/** At once, to a given width or to that of the host: printing does not wait for observers. */
export function resizeAll(width?: number): void {
  for (const chart of charts) {
    const own = width ?? Math.floor(chart.host.clientWidth);
    if (own > 0) chart.resize(own);
  }
}

export function redrawAll(): void {
  for (const chart of charts) chart.redraw();
}

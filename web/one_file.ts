// One HTML file: script and style go into the page itself, so that it opens from disk or from one answer and loads no other.
import {createHash} from 'node:crypto';
import type {BuildOptions, Plugin} from 'vite';

/** What the page may do: run its own script, which is known by its hash, and nothing that a name or a file smuggled in. */
const policyOf = (script: string, more: string[]): string =>
  [
    "default-src 'none'",
    `script-src 'sha256-${createHash('sha256').update(script).digest('base64')}'`,
    "style-src 'unsafe-inline'",
    'img-src data: blob:',
    "base-uri 'none'",
    "form-action 'none'",
    ...more,
  ].join('; ');

/** Puts the built script at the end of the body of `name` and the style into the head. `more` are rules of its policy. */
export function oneFile(name: string, more: string[] = []): Plugin {
  return {
    name: 'one-file',
    enforce: 'post',
    generateBundle(_options, bundle) {
      let script = '';
      let style = '';
      for (const [file, part] of Object.entries(bundle)) {
        if (part.type === 'chunk') script += part.code;
        else if (file.endsWith('.css')) style += String(part.source);
        else continue;
        delete bundle[file];
      }
      const page = bundle[name];
      if (page?.type !== 'asset') throw new Error(`there is no ${name} to put things into`);
      const bare = String(page.source)
        .replace(/\s*<script type="module"[^>]*><\/script>/, '')
        .replace(/\s*<link rel="stylesheet"[^>]*>/, '');
      const safe = script
        .replace(/<\/script/gi, '<\\/script')
        .replace(/<!--/g, '<\\!--')
        .trim();
      const charset = '<meta charset="utf-8" />';
      if (!bare.includes(charset)) throw new Error('there is no place for the policy of the page');
      const policy = `<meta http-equiv="Content-Security-Policy" content="${policyOf(safe, more)}">`;
      page.source = bare
        .replace(charset, () => `${charset}\n    ${policy}`)
        .replace('</head>', () => `<style>${style.trim()}</style>\n  </head>`)
        .replace('</body>', () => `<script>${safe}</script>\n  </body>`);
    },
  };
}

/** How both pages are built. */
export const buildOf = (input: string): BuildOptions => ({
  outDir: '../build/web',
  emptyOutDir: false,
  target: 'es2022',
  modulePreload: false,
  cssCodeSplit: false,
  rollupOptions: {input, output: {format: 'iife'}},
});

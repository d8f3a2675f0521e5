// node main_job.mjs RAILYARD FOLDER: the comparison of the documents' models, as the program makes it without arguments. It
// takes long, so it is made once, beside FOLDER, for all tests that look at it.
import {execFileSync} from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

/** Where it is, what was printed, and the document. */
export function mainJobOf(railyard, folder) {
  const [file, json, text] = ['main.html', 'main.json', 'main.txt'].map(name =>
    path.resolve(folder, '../main', name),
  );
  if (!fs.existsSync(text) || fs.statSync(text).mtimeMs < fs.statSync(railyard).mtimeMs) {
    fs.mkdirSync(path.dirname(text), {recursive: true});
    const words = ['compare', '-o', file, '--json', json];
    const env = {...process.env, COLUMNS: '100'};
    fs.writeFileSync(text, execFileSync(railyard, words, {cwd: ROOT, env}));
  }
  return {
    file,
    printed: fs.readFileSync(text, 'utf8'),
    data: JSON.parse(fs.readFileSync(json, 'utf8')),
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [railyard, folder] = process.argv.slice(2);
  mainJobOf(railyard, folder);
}

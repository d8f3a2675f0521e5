// The page of a run or a comparison.
import {defineConfig} from 'vite';
import {buildOf, oneFile} from './one_file';

export default defineConfig({
  base: './',
  plugins: [oneFile('index.html')],
  build: buildOf('index.html'),
});

// The front page of `railyard serve`: it asks the server that it came from, shows pages of runs in a frame, and nothing else.
import {defineConfig} from 'vite';
import {buildOf, oneFile} from './one_file';

export default defineConfig({
  base: './',
  plugins: [oneFile('serve.html', ["connect-src 'self'", "frame-src 'self'"])],
  build: buildOf('serve.html'),
});

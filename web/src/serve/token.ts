// Where the server asks for a token: a field for it.
import {h} from '../dom';
import {beginSession, Refused} from './api';

/** Shows the field in `place` until the server has taken a token. One in the address ("#token=…") is tried first. */
export async function askForToken(place: HTMLElement): Promise<void> {
  const given = /^#token=(.+)$/.exec(location.hash);
  if (given) {
    history.replaceState(null, '', location.pathname);
    if (await isTaken(decodeURIComponent(given[1]!))) return;
  }
  await new Promise<void>(done => {
    const field = h('input', {type: 'password', id: 'token', autocomplete: 'off', required: true});
    const wrong = h('p', {class: 'bad', role: 'alert'});
    const form = h(
      'form',
      {class: 'token'},
      h('h2', {}, 'This server asks for a token'),
      h('p', {class: 'muted'}, 'railyard serve names the file that it is in when it starts.'),
      h('label', {for: 'token'}, 'Token'),
      h('div', {class: 'row'}, field, h('button', {type: 'submit', class: 'primary'}, 'Enter')),
      wrong,
    );
    form.addEventListener('submit', event => {
      event.preventDefault();
      void isTaken(field.value.trim()).then(yes =>
        yes ? done() : (wrong.textContent = 'This is not the token.'),
      );
    });
    place.replaceChildren(form);
    field.focus();
  });
}

async function isTaken(token: string): Promise<boolean> {
  try {
    await beginSession(token);
    return true;
  } catch (error) {
    if (error instanceof Refused && error.status === 401) return false;
    throw error;
  }
}

// The kit of the games' pages: elements, pixel pictures, cards, stepping, sound, and the words around them.
'use strict';
const kit = (() => {
  const { data, problem, test, submission } = JSON.parse(document.getElementById('data').textContent);
  const SVG = 'http://www.w3.org/2000/svg';

  // Children without the missing ones: a page may pass null or false.
  const there = (children) => children.flat(Infinity).filter((child) => (child ?? false) !== false);
  const fill = (element, attributes, children) => {
    for (const [name, value] of Object.entries(attributes ?? {})) {
      if (name === 'on') {
        for (const [event, listener] of Object.entries(value)) element.addEventListener(event, listener);
      } else if (name === 'style') {
        // The policy forbids the attribute, not the properties.
        for (const [property, set] of Object.entries(value)) element.style.setProperty(property, set);
      } else if (value !== false && value !== null && value !== undefined) {
        element.setAttribute(name, value === true ? '' : value);
      }
    }
    element.append(...there(children));
    return element;
  };

  /** An element. `on` holds listeners, `style` properties; null and false are left out everywhere. */
  const el = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
  /** The same in the namespace of SVG. */
  const svg = (tag, attributes, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);

  /** Replaces everything in an element, and leaves out what `el` leaves out. */
  const refill = (element, ...children) => element.replaceChildren(...there(children));

  /** A pixel picture from texts, one character a pixel; `colours` maps characters, space and '.' are clear. */
  const sprite = (rows, colours, { label, scale = 2 } = {}) => {
    const width = Math.max(...rows.map((row) => row.length)), paths = new Map();
    rows.forEach((row, y) => {
      for (const run of row.matchAll(/([^ .])\1*/g)) {
        const [{ length }, pixel] = run;
        paths.set(pixel, `${paths.get(pixel) ?? ''}M${run.index} ${y}h${length}v1h-${length}z`);
      }
    });
    return svg('svg', {
      class: 'sprite', viewBox: `0 0 ${width} ${rows.length}`, width: width * scale, height: rows.length * scale,
      'shape-rendering': 'crispEdges', ...(label ? { role: 'img', 'aria-label': label } : { 'aria-hidden': 'true' }),
    }, [...paths].map(([pixel, d]) => svg('path', { d, fill: colours[pixel] ?? 'currentColor' })));
  };

  const SUITS = {
    C: ['clubs', ['  ###', '  ###', '## # ##', '#######', '## # ##', '   #', '  ###']],
    D: ['diamonds', ['   #', '  ###', ' #####', '#######', ' #####', '  ###', '   #']],
    S: ['spades', ['   #', '  ###', ' #####', '#######', '## # ##', '   #', '  ###']],
    H: ['hearts', [' ## ##', '#######', '#######', '#######', ' #####', '  ###', '   #']],
  };
  const NAMES = { J: 'jack', Q: 'queen', K: 'king', A: 'ace', T: '10' };
  /** The pixel picture of a suit, in the colour of the text around it. */
  const suit = (letter, options) => sprite(SUITS[letter][1], {}, options);
  /** The words for a card. */
  const cardName = (text, letter) => (letter ? `${NAMES[text] ?? text} of ${SUITS[letter][0]}` : `${text}`);

  /** A card: `text` and perhaps a suit. With `on.click` it is a button. */
  const card = (text, { suit: letter, state = '', label, on } = {}) => {
    const down = state.split(' ').includes('down');
    const words = label ?? (down ? 'card, face down' : cardName(text, letter));
    const red = letter === 'D' || letter === 'H';
    const made = on?.click ? el('button', { type: 'button', 'aria-label': words, on }) :
      el('span', { role: 'img', 'aria-label': words, on: on ?? {} });
    made.className = `card ${red ? 'red ' : ''}${letter ? '' : 'plain '}${state}`.trim();
    if (!down) made.append(el('span', { class: 'rank', 'aria-hidden': 'true' }, text === 'T' ? '10' : `${text}`));
    if (!down && letter) made.append(suit(letter));
    return made;
  };

  const button = (label, click, { title } = {}) =>
    el('button', { type: 'button', class: 'button', title, on: { click } }, label);
  /** A checkbox in its label, which has it as `input`. */
  const toggle = (label, value, change) => {
    const input = el('input', { type: 'checkbox', on: { change: () => change(input.checked) } });
    input.checked = value;
    return Object.assign(el('label', { class: 'toggle' }, input, el('span', {}, label)), { input });
  };
  /** A select in its label, which has it as `input`. */
  const choice = (label, options, value, change) => {
    const input = el('select', { on: { change: () => change(input.value) } },
      options.map(([key, words]) => el('option', { value: key }, words)));
    input.value = value;
    return Object.assign(el('label', { class: 'choice' }, el('span', {}, label), input), { input });
  };

  const said = el('p', { class: 'hidden', 'aria-live': 'polite' });
  document.body.append(said);
  /** Says something to who cannot see the page. */
  const say = (text) => { said.textContent = text; };

  /** Fills the page: where to draw, and beside it where to put controls. */
  const stage = ({ title, intro }) => {
    const board = el('section', { class: 'board', 'aria-label': 'Board' });
    const panel = el('section', { class: 'panel', 'aria-label': 'Controls' });
    document.getElementById('page').append(
      el('header', {},
        el('p', { class: 'where' }, [problem, test, submission].filter(Boolean).join(' · ')),
        el('h1', {}, title),
        el('p', { class: 'intro' }, intro)),
      el('div', { class: 'stage' }, board, panel));
    said.remove();
    document.getElementById('page').append(said);
    return { board, panel };
  };

  /** Facts as a table in a closed `<details>`, whose `refresh(rows)` gives it new rows. */
  const table = (caption, head, rows) => {
    const body = el('tbody'), row = ([first, ...rest]) => el('tr', {},
      el('th', { scope: 'row' }, first), rest.map((text) => el('td', {}, text)));
    // Nothing is drawn before a reader opens it.
    const draw = () => { if (details.open) body.replaceChildren(...rows.map(row)); };
    const details = el('details', { class: 'facts', on: { toggle: draw } }, el('summary', {}, caption),
      el('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': caption },
        el('table', {}, el('thead', {}, el('tr', {}, head.map((text) => el('th', { scope: 'col' }, text)))), body)));
    return Object.assign(details, { refresh: (now) => { rows = now; draw(); } });
  };

  /** A window with a few buttons; Escape and every button close it. `picture` is a node above the title. */
  const dialog = ({ title, text, buttons = [], picture = null }) => {
    document.querySelector('dialog.message')?.close();
    const press = ({ label, on }) => button(label, () => { made.close(); on?.(); });
    const close = () => made.remove();
    const made = el('dialog', { class: 'message', 'aria-labelledby': 'message-title', on: { close } },
      picture, el('h2', { id: 'message-title' }, title), [text].flat().map((part) => el('p', {}, part)),
      el('div', { class: 'buttons' }, (buttons.length ? buttons : [{ label: 'Close' }]).map(press)));
    document.getElementById('page').append(made);
    made.showModal();
    return made;
  };

  const still = matchMedia('(prefers-reduced-motion: reduce)');

  // A sound is a list of notes: frequency in hertz, start and length in seconds, wave.
  const SOUNDS = {
    card: [[520, 0, .05, 'square'], [340, .03, .05, 'square']],
    take: [[300, 0, .07, 'triangle'], [400, .07, .07, 'triangle'], [530, .14, .1, 'triangle']],
    win: [[523, 0, .12, 'square'], [659, .12, .12, 'square'], [784, .24, .12, 'square'], [1047, .36, .35, 'square']],
    lose: [[392, 0, .18, 'square'], [330, .18, .18, 'square'], [262, .36, .4, 'square']],
    bad: [[150, 0, .18, 'sawtooth']],
  };
  let audio = null, loud = false;
  /** Plays a sound, if the reader has switched sound on. */
  const sound = (name) => {
    if (!loud) return;
    audio ??= new AudioContext();
    for (const [frequency, start, length, wave] of SOUNDS[name]) {
      const from = audio.currentTime + start, note = audio.createOscillator(), volume = audio.createGain();
      Object.assign(note, { type: wave }).frequency.value = frequency;
      volume.gain.setValueAtTime(.07, from);
      volume.gain.exponentialRampToValueAtTime(.001, from + length);
      note.connect(volume).connect(audio.destination);
      note.start(from);
      note.stop(from + length);
    }
  };

  const ICONS = {
    first: ['##    ##', '##   ###', '##  ####', '## #####', '## #####', '##  ####', '##   ###', '##    ##'],
    back: ['    # ##', '   ## ##', '  ### ##', ' #### ##', ' #### ##', '  ### ##', '   ## ##', '    # ##'],
    play: ['##', '####', '######', '########', '########', '######', '####', '##'],
    pause: ['###  ###', '###  ###', '###  ###', '###  ###', '###  ###', '###  ###', '###  ###', '###  ###'],
    forward: ['## #', '## ##', '## ###', '## ####', '## ####', '## ###', '## ##', '## #'],
    last: ['##    ##', '###   ##', '####  ##', '##### ##', '##### ##', '####  ##', '###   ##', '##    ##'],
    reset: ['  #### #', ' #   ###', '#    ###', '#       ', '#       ', '#      #', ' #    # ', '  ####  '],
    silent: ['   #    ', '  ##    ', '####    ', '####    ', '####    ', '####    ', '  ##    ', '   #    '],
    sounding: ['   #  # ', '  ##   #', '#### # #', '####  ##', '####  ##', '#### # #', '  ##   #', '   #  # '],
  };
  const KEYS = [['← →', 'one step back or forward'], ['Home End', 'to the first or the last position'],
    ['Space', 'play or pause'], ['1 to 5', 'speed'], ['R', 'reset'], ['M', 'sound on or off']];

  /**
   * The control bar over the positions 0 to `count`. `show(i, {animated, forward})` draws position i whole; it is first
   * called when the script is over. It is `forward` after one step forward, and then also `animated`, unless the reader
   * prefers no motion. `name(i)` are the words of position i. `reset` is called when the reader starts anew.
   */
  const steps = ({ count, show, name, delay = 800, reset = () => {} }) => {
    let at = 0, shown = false, timer = null;
    const icon = (key, label, shortcut, click) => el('button', {
      type: 'button', class: 'button icon', 'aria-label': label, title: `${label} (${shortcut})`, on: { click },
    }, sprite(ICONS[key], {}));
    const words = el('p', { class: 'words', 'aria-live': 'polite' });
    const figure = el('span', { class: 'figure', 'aria-hidden': 'true' });
    const drag = () => { stop(); go(+position.value); };
    const position = el('input', { type: 'range', min: 0, 'aria-label': 'Position', on: { input: drag } });
    const speed = el('input', { type: 'range', min: 1, max: 5, value: 1, on: { input: () => hasten(+speed.value) } });
    const times = el('span', { class: 'figure', 'aria-hidden': 'true' });
    const first = icon('first', 'First position', 'Home', () => { stop(); go(0); });
    const back = icon('back', 'Step back', '←', () => { stop(); go(at - 1); });
    const run = icon('play', 'Play', 'Space', () => (timer === null ? play() : stop()));
    const forward = icon('forward', 'Step forward', '→', () => { stop(); go(at + 1, true); });
    const last = icon('last', 'Last position', 'End', () => { stop(); go(count); });
    const again = icon('reset', 'Reset', 'R', () => { stop(); hasten(1); reset(); go(0); });
    const volume = icon('silent', 'Sound', 'M', () => {
      loud = !loud;
      volume.setAttribute('aria-pressed', loud);
      volume.replaceChildren(sprite(ICONS[loud ? 'sounding' : 'silent'], {}));
      sound('card');
    });
    volume.setAttribute('aria-pressed', loud);

    const hasten = (value) => {
      speed.value = value;
      speed.setAttribute('aria-valuetext', times.textContent = `${value}×`);
    };
    // The words have room for the longest of them, so that the elements below do not move.
    let roomOf = '';
    const makeRoom = () => {
      const wanted = `${count} ${words.clientWidth}`;
      if (wanted === roomOf) return;
      roomOf = wanted;
      const stride = Math.ceil((count + 1) / 300);
      const some = Array.from({ length: Math.ceil((count + 1) / stride) }, (_, index) => index * stride);
      const texts = new Set([...some, count].map(name));
      words.style.minHeight = '';
      const longest = [...texts].sort((one, other) => other.length - one.length).slice(0, 8);
      const heights = longest.map((text) => { words.textContent = text; return words.offsetHeight; });
      words.style.minHeight = `${Math.max(...heights)}px`;
    };
    const settle = () => {
      makeRoom();
      position.max = count;
      position.value = at;
      figure.textContent = `${at}/${count}`;
      words.textContent = name(at);
      position.setAttribute('aria-valuetext', `${at} of ${count}: ${words.textContent}`);
      for (const step of [first, back]) step.setAttribute('aria-disabled', at === 0);
      for (const step of [forward, last]) step.setAttribute('aria-disabled', at === count);
    };
    const go = (to, forward = false) => {
      at = Math.max(0, Math.min(count, to));
      shown = true;
      settle();
      show(at, { forward, animated: forward && !still.matches });
      // On a narrow screen controls are below the board. The board grows with its content and does not shrink again.
      const board = document.querySelector('.board');
      if (!board) return;
      if (board.dataset.width !== `${board.clientWidth}`) board.style.minHeight = '';
      board.dataset.width = `${board.clientWidth}`;
      board.style.minHeight = `${board.offsetHeight}px`;
    };
    const mark = (playing) => {
      run.replaceChildren(sprite(ICONS[playing ? 'pause' : 'play'], {}));
      run.setAttribute('aria-label', playing ? 'Pause' : 'Play');
      run.title = playing ? 'Pause (Space)' : 'Play (Space)';
      // Every step of a game that runs by itself would be too much to hear.
      words.setAttribute('aria-live', playing ? 'off' : 'polite');
    };
    const stop = () => {
      clearTimeout(timer);
      timer = null;
      mark(false);
    };
    const wait = () => { timer = setTimeout(tick, delay / +speed.value); };
    const tick = () => {
      wait();
      if (at + 1 >= count) stop();
      go(at + 1, true);
    };
    const play = () => {
      stop();
      if (count === 0) return;
      mark(true);
      if (at === count) go(0);
      wait();
    };

    const element = el('div', { class: 'steps' },
      el('div', { class: 'bar', role: 'group', 'aria-label': 'Steps' }, words,
        el('div', { class: 'track' }, position, figure),
        el('div', { class: 'buttons' }, first, back, run, forward, last, again, volume)),
      el('label', { class: 'speed' }, 'Speed', speed, times),
      el('details', { class: 'keys' }, el('summary', {}, 'Keys'),
        el('dl', {}, KEYS.map(([key, does]) => el('div', {}, el('dt', {}, key), el('dd', {}, does))))));

    const pressed = { ArrowLeft: back, ArrowRight: forward, Home: first, End: last, ' ': run, r: again, m: volume };
    document.addEventListener('keydown', (event) => {
      const { key, target } = event, small = key.length === 1 ? key.toLowerCase() : key;
      if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return;
      if (!element.isConnected || document.querySelector('dialog[open]')) return;
      if (target.closest('textarea, select, .scroll, [contenteditable], input:not([type=range], [type=checkbox])')) {
        return;
      }
      if (target.matches('input[type=range]') && /^(Arrow|Home|End)/.test(key)) return;
      if (key === ' ' && target.closest('button, summary, a, input[type=checkbox]')) return;
      if (/^[1-5]$/.test(key)) hasten(+key);
      else if (pressed[small]) pressed[small].click();
      else return;
      event.preventDefault();
    });
    hasten(1);
    queueMicrotask(() => { if (!shown) go(0); });
    return {
      element, play, stop, go,
      get at() { return at; },
      get playing() { return timer !== null; },
      get count() { return count; },
      set count(value) { count = value; if (at > count) go(count); else settle(); },
    };
  };

  return {
    data, problem, test, submission, el, svg, refill, sprite, suit, card, cardName, stage, steps, sound, dialog, button, toggle,
    choice, say, table,
    /** Whether the reader prefers no motion. */
    get still() { return still.matches; },
  };
})();

// The page of Crab Combat, of Recursive Combat and of its log: the same file in all three problems.
'use strict';
(() => {
  const { data, el, svg } = kit;
  const { recursive, log } = data;
  const PLAYERS = ['Player 1', 'Player 2'], COLOURS = ['one', 'two'];
  const total = data.decks.flat().length;
  const number = (value) => value.toLocaleString('en');
  const many = (count, word) => `${number(count)} ${word}${count === 1 ? '' : 's'}`;

  // The codes of the rounds; visualize.rs says what they mean.
  const packed = Uint8Array.from(atob(data.codes), (character) => character.charCodeAt(0));
  const codeAt = (at) => packed[at >> 2] >> 2 * (at & 3) & 3;

  // --- The games, replayed. A position is the deal, a round, the start of a sub-game, the end of a game, or the return
  // from a sub-game to the round that it decided.

  const newGame = (name, decks) => ({
    name, decks, phase: 'start', round: 0, drawn: null, winner: null, took: null, repeats: 0, decided: null,
  });
  const deal = () => ({
    games: [newGame(1, data.decks.map((deck) => [...deck]))],
    at: 0, repeated: 0, skipped: 0, started: 1, lines: [0, 0], line: 1,
  });
  const copy = (state) => ({
    ...state, games: state.games.map((game) => ({ ...game, decks: game.decks.map((deck) => [...deck]) })),
  });

  /** The lines of the log of a position: `from` to `to` after those written so far, which then are `more`. */
  const write = (state, from, to, more) => {
    state.lines = [state.line + from, state.line + to];
    state.line += more;
  };

  const end = (state, game, winner, repeats) => {
    Object.assign(game, { phase: 'end', winner, repeats });
    write(state, 0, state.games.length === 1 ? 5 : 0, 1);
  };

  /** One position further, in place. */
  const advance = (state) => {
    const { games } = state;
    let game = games.at(-1);
    if (game.phase === 'end') {
      const { name, winner } = games.pop();
      game = games.at(-1);
      Object.assign(game, { phase: 'round', winner, decided: { name } });
      write(state, 1, 2, 3);
      return;
    }
    const { decks } = game;
    if (game.drawn) {
      const { winner, drawn } = game;
      decks[winner].push(drawn[winner], drawn[1 - winner]);
      Object.assign(game, { drawn: null, took: winner, decided: null });
    }
    const empty = decks.findIndex((deck) => deck.length === 0);
    if (empty >= 0) {
      end(state, game, 1 - empty, 0);
      return;
    }
    const code = codeAt(state.at++), more = code === 3 ? codeAt(state.at++) : 0;
    if (more === 3) {
      end(state, game, 0, data.repeats[state.repeated++]);
      return;
    }
    game.round++;
    game.drawn = decks.map((deck) => deck.shift());
    if (code < 2) {
      Object.assign(game, { phase: 'round', winner: code });
      write(state, 1, 6, 7);
    } else if (code === 3) {
      const rounds = data.skipped[state.skipped++], started = data.skipped[state.skipped++];
      Object.assign(game, { phase: 'round', winner: more, decided: { name: null, rounds } });
      state.started += started;
    } else {
      Object.assign(game, { phase: 'wait', winner: null });
      games.push(newGame(++state.started, decks.map((deck, player) => deck.slice(0, game.drawn[player]))));
      write(state, 1, 8, 9);
    }
  };

  // The whole play once, to know how many positions there are; every now and then the state is kept.
  const STRIDE = 256, ROWS = 1000;
  const kept = [], starts = new Map(), subGames = [], repetitions = [], ofFirst = [], sizes = [], lines = [], rows = [];
  let last = 0, embedded = 0;
  for (const state = deal(); ; advance(state), last++) {
    const { games } = state, game = games.at(-1);
    if (last % STRIDE === 0) kept.push(copy(state));
    if (game.phase === 'start') {
      starts.set(game.name, last);
      if (games.length > 1) subGames.push(last);
    }
    if (game.repeats) repetitions.push(last);
    if (games.length === 1) {
      ofFirst.push(last);
      sizes.push(game.decks[0].length + (game.drawn ? 1 : 0));
      if (game.drawn && rows.length < ROWS) {
        rows.push([game.round, ...game.drawn, game.decided ? 'sub-game' : 'higher card', game.winner + 1]);
      }
    }
    if (log) lines.push(state.lines[0]);
    if (game.phase === 'round' && !game.decided?.name) embedded++;
    if (games.length === 1 && game.phase === 'end') break;
  }

  /** A way to the state of any position; going on from the one before is fast. */
  const walker = () => {
    let state = null, here = Infinity;
    return (to) => {
      if (to < here || to - here > STRIDE) {
        const from = Math.floor(to / STRIDE);
        state = copy(kept[from]);
        here = from * STRIDE;
      }
      for (; here < to; here++) advance(state);
      return state;
    };
  };
  const stateAt = walker(), walk = walker();
  /** The first of ascending positions from `least` on. */
  const firstFrom = (positions, least) => {
    let low = 0, high = positions.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (positions[middle] < least) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  /** The position of a round of the game that is being played. */
  const roundOf = ({ games }, round) => {
    let at = starts.get(games.at(-1).name);
    while (walk(at).games[games.length - 1].round < round) at++;
    return at;
  };
  /** The position of the end of the innermost game. */
  const endOf = (at, { games: { length: level } }) => {
    while (walk(at).games.length > level || walk(at).games.at(-1).phase !== 'end') at++;
    return at;
  };

  // --- Words.

  const whySubGame = ([one, two], decks) =>
    `Player 1 drew ${one} and has ${many(decks[0].length, 'card')} left; player 2 drew ${two} and has ` +
    `${decks[1].length}.`;
  const whyNot = (drawn, decks) => {
    if (!recursive) return '';
    const poor = decks.findIndex((deck, player) => deck.length < drawn[player]);
    return ` No sub-game: player ${poor + 1} drew ${drawn[poor]} and has only ` +
      `${many(decks[poor].length, 'card')} left.`;
  };
  const round = ({ drawn, winner, decided, decks }) => {
    const low = drawn[winner] < drawn[1 - winner], takes = `player ${winner + 1} takes both cards`;
    if (!decided) return `${drawn[winner]} beats ${drawn[1 - winner]}: ${takes}.${whyNot(drawn, decks)}`;
    const though = low ? `, although ${drawn[winner]} is the lower one` : '';
    if (decided.name) return `Player ${winner + 1} has won game ${decided.name}, so ${takes}${though}.`;
    const size = decided.rounds ? ` It takes ${many(decided.rounds, 'round')} and is not on this page.` :
      ' It is not on this page.';
    return `${whySubGame(drawn, decks)} So a sub-game decides.${size} Player ${winner + 1} wins it: ${takes}${though}.`;
  };
  const words = ({ games }) => {
    const game = games.at(-1), { name, phase, winner, repeats, decks } = game, outer = games.at(-2);
    if (phase === 'end') {
      return repeats ? `Both decks are as they were before round ${repeats} of this game. So player 1 wins ` +
        `${recursive ? `game ${name}` : 'the game'}.` :
        `Player ${winner + 1} has all the cards and wins ${recursive ? `game ${name}` : 'the game'}.`;
    }
    if (phase === 'round') return round(game);
    if (!outer) return `The cards are dealt: ${decks[0].length} for player 1, ${decks[1].length} for player 2.`;
    return `${whySubGame(outer.drawn, outer.decks)} That is enough, so game ${name} decides. It is played with ` +
      `copies of the next ${outer.drawn[0]} and ${outer.drawn[1]} cards.`;
  };
  const place = ({ name, round: at, phase }) => {
    const what = phase === 'start' ? 'the deal' : phase === 'end' ? 'the end' : `round ${at}`;
    return recursive ? `Game ${name}, ${what}` : what[0].toUpperCase() + what.slice(1);
  };
  const short = ({ phase, winner, repeats, drawn, decided }) => {
    if (phase === 'start') return '';
    if (phase === 'end') return `: player ${winner + 1} wins${repeats ? ' by repetition' : ''}`;
    return decided ? `: player ${winner + 1} takes ${drawn[0]} and ${drawn[1]} by a sub-game` :
      `: ${drawn[winner]} beats ${drawn[1 - winner]}`;
  };

  // --- Pictures. A crab is drawn as its left half.

  const CRABS = `
    ...oo.......  ...oo.......  ............
    ..oooo.o....  ..oooo.o....  ............
    .ooo..oo....  .ooo..oo....  ...oo.......
    .ooo.ooo....  .ooo.ooo....  ..oooo.o....
    ..oooooo....  ..oooooo....  .ooo..oo....
    ...oooo.....  ...oooo.....  .ooo.ooo....
    ....oo......  ....oo...ww.  ..oooooo....
    ....ooo..ww.  ....ooo..kw.  ...oooo.....
    .....oo..wk.  .....oo..oo.  ....ooo..oo.
    ......o..oo.  ......o..oo.  .....oo..kk.
    .....ooooooo  .....ooooooo  .....ooooooo
    ....oooooooo  ....oooooooo  ....oooooooo
    ...oohhooooo  ...oohhooooo  ...oohhooooo
    ...ooooooooo  ...ooooommmm  ...oooooooom
    ..oooooooomm  ..ooooooommm  ..oooooooomo
    .oo.oooooooo  .oo.ooooooom  .oo.oooooooo
    .o.oo.oo.ooo  .o.oo.oo.ooo  .o.oo.oo.ooo
    .o.o..o.....  .o.o..o.....  .o.o..o.....`;
  const MOODS = { calm: 0, glad: 1, sad: 2 };
  /** The left halves of a picture, a line a row, in columns; the right half mirrors them. */
  const mirrored = (text, column = 0) => text.trim().split('\n').map((line) => {
    const half = line.trim().split('  ')[column];
    return half + [...half].reverse().join('');
  });
  const crab = (player, mood, options = { scale: 5 }) => {
    const colour = `var(--${COLOURS[player]})`;
    return kit.sprite(mirrored(CRABS, MOODS[mood]), {
      o: colour, h: `color-mix(in srgb, ${colour} 55%, #fff)`, w: '#fff', k: '#221f3a', m: '#221f3a',
    }, options);
  };
  const ARROW = ['....#.......', '...##.......', '..##########', '.###########', '..##########', '...##.......',
    '....#.......'];
  const arrow = (player) => kit.sprite(player ? ARROW.map((row) => [...row].reverse().join('')) : ARROW,
    { '#': `var(--${COLOURS[player]})` }, { scale: 3 });

  const CUP = `
    ....xxxxxx
    ....xhxxxx
    xxxxxhxxxx
    x...xhxxxx
    x...xhxxxx
    .x..xxxxxx
    ..xxxxxxxx
    ......xxxx
    ........xx
    ........xx
    ......xxxx
    .....xxxxx`;
  const cup = (player) => kit.sprite(mirrored(CUP),
    { x: `var(--${COLOURS[player]})`, h: `color-mix(in srgb, var(--${COLOURS[player]}) 55%, #fff)` }, { scale: 5 });

  const small = (cards, label, mark = () => null) => (cards.length === 0 ? el('p', { class: 'none' }, 'No cards') :
    el('ol', { class: 'deck', 'aria-label': label },
      cards.map((value, at) => el('li', { class: mark(at) }, value))));
  const slot = () => el('span', { class: 'card slot' });

  // --- The board.

  const drawPlayer = (game, player) => {
    const { decks, phase, winner } = game, deck = decks[player];
    const decided = phase === 'end' || phase === 'round';
    const mood = decided && winner === player ? 'glad' : phase === 'end' ? 'sad' : 'calm';
    return el('div', { class: `player ${COLOURS[player]}` },
      el('h3', {}, PLAYERS[player]),
      el('p', { class: 'count' }, many(deck.length, 'card')),
      el('div', { class: 'holds' },
        deck.length ? kit.card(deck[0], { label: `Top card of player ${player + 1}: ${deck[0]}` }) : slot(),
        crab(player, mood)));
  };

  const drawArena = ({ phase, drawn, winner, decided, repeats }) => {
    if (phase === 'end') {
      return el('div', { class: 'arena' }, el('div', { class: 'pair' }, cup(winner)),
        el('div', { class: 'result' }, el('strong', { class: COLOURS[winner] }, `Player ${winner + 1} wins`),
          repeats ? el('span', {}, 'by repetition') : null));
    }
    const cards = [0, 1].map((player) => (drawn === null ? slot() : kit.card(drawn[player], {
      label: `Player ${player + 1} plays ${drawn[player]}`, state: player === winner ? 'won' : '',
    })));
    const against = drawn === null || decided ? ':' : '<>'[+(drawn[0] > drawn[1])];
    return el('div', { class: 'arena' },
      el('div', { class: 'pair' },
        cards[0], el('span', { class: 'against', 'aria-hidden': 'true' }, against), cards[1]),
      el('div', { class: 'result' }, drawn === null ? null : [arrow(winner),
        el('span', {}, `Player ${winner + 1} takes both`), decided ? el('span', {}, 'by a sub-game') : null]));
  };

  /** Both decks of a game that waits, whole, or of the game that is played. */
  const drawDecks = ({ decks, took, drawn }, waits) => el('div', { class: 'decks' }, decks.map((deck, player) => {
    const shown = waits ? deck : deck.slice(1), fresh = took === player ? shown.length - 2 : Infinity;
    const mark = waits ? (at) => (at < drawn[player] ? 'copied' : null) : (at) => (at >= fresh ? 'fresh' : null);
    return el('div', { class: COLOURS[player] },
      el('h4', {}, `Player ${player + 1}, ${waits ? 'from the top down' : 'below the top card'}`),
      small(shown, `Player ${player + 1}'s cards, from the top down`, mark));
  }), waits ? null : el('p', { class: 'note' }, 'Framed: taken in the round before.'));

  const drawWaiting = ({ games }) => {
    const waiting = games.slice(0, -1);
    if (!waiting.length) return null;
    return el('section', { class: 'waiting' }, el('h2', {}, 'Games that wait'),
      el('p', { class: 'note' }, 'Each waits for the one above it. Underlined: the cards copied for that one.'),
      waiting.reverse().map((game, above) => el('div', { class: 'outer' },
        el('h3', {}, `Level ${waiting.length - above}: ${place(game)}`),
        el('p', {}, el('span', { class: 'one' }, `Player 1 drew ${game.drawn[0]}`), ', ',
          el('span', { class: 'two' }, `player 2 drew ${game.drawn[1]}`), '.'),
        drawDecks(game, true))));
  };

  const drawRepetition = (state) => {
    const game = state.games.at(-1);
    if (!game.repeats) return null;
    const before = walk(roundOf(state, game.repeats)).games[state.games.length - 1];
    const row = (title, decks) => el('div', {}, el('h3', {}, title), decks.map((deck, player) =>
      el('div', { class: `line ${COLOURS[player]}` }, el('span', {}, `Player ${player + 1}`),
        small(deck, `${title}: player ${player + 1}'s cards`))));
    return el('section', { class: 'box repetition' }, el('h2', {}, 'Seen before'),
      row(`Before round ${game.repeats}`, before.decks.map((deck, player) => [before.drawn[player], ...deck])),
      row(`Now, after round ${game.round}`, game.decks));
  };

  const drawScore = ({ games }) => {
    const [{ phase, decks, winner }] = games;
    if (log || games.length > 1 || phase !== 'end') return null;
    const deck = decks[winner], points = deck.map((value, at) => value * (deck.length - at));
    return el('section', { class: 'box score' }, el('h2', {}, `Score of player ${winner + 1}`),
      el('p', {}, 'Each card of the deck, from the top down, times its place counted from the bottom.'),
      el('ol', {}, deck.map((value, at) => el('li', {}, el('span', { class: 'value' }, value), ` × ${deck.length - at}`,
        el('span', { class: 'points' }, ` = ${number(points[at])}`)))),
      el('p', { class: 'sum' }, 'Together ', el('strong', {}, `${points.reduce((sum, value) => sum + value, 0)}`)));
  };

  // --- The line of deck sizes of the first game.

  const WIDTH = 320, HEIGHT = 100;
  const chart = (() => {
    const x = (at) => at / (sizes.length - 1) * WIDTH, y = (size) => HEIGHT - size / total * HEIGHT;
    const f = (value) => value.toFixed(1);
    const points = [];
    if (sizes.length <= 2 * WIDTH) {
      sizes.forEach((size, at) => points.push(`${f(x(at))} ${f(y(size))}`));
    } else {
      // More rounds than pixels: the least and the most of each column.
      for (let column = 0; column < WIDTH; column++) {
        const part = sizes.slice(Math.floor(column / WIDTH * sizes.length),
          Math.floor((column + 1) / WIDTH * sizes.length));
        points.push(`${column} ${f(y(Math.min(...part)))}`, `${column} ${f(y(Math.max(...part)))}`);
      }
      points.push(`${WIDTH} ${f(y(sizes.at(-1)))}`);
    }
    const path = `M${points.join('L')}`;
    const marker = svg('path', { class: 'marker' });
    const picture = svg('svg', { viewBox: `-4 -6 ${WIDTH + 8} ${HEIGHT + 7}`, role: 'img', class: 'sizes' },
      svg('path', { class: 'two', d: `${path}L${WIDTH} 0L0 0z` }),
      svg('path', { class: 'one', d: `${path}L${WIDTH} ${HEIGHT}L0 ${HEIGHT}z` }),
      svg('path', { class: 'line', d: path }),
      svg('text', { x: 6, y: 15 }, 'Player 2'), svg('text', { x: 6, y: HEIGHT - 7 }, 'Player 1'), marker);
    const figures = el('p', {});
    const element = el('section', { class: 'box' },
      el('h2', {}, recursive ? 'Cards in game 1' : 'Cards over the rounds'), picture, figures);
    /** Marks a position of the first game. */
    const mark = (at) => {
      const here = f(x(at));
      marker.setAttribute('d', `M${here} 0V${HEIGHT}M${here} 0l-4 -6h8z`);
      const turn = at === 0 ? 'Before round 1' : at === sizes.length - 1 ? 'At the end' : `Before round ${at}`;
      figures.textContent = `${turn}: ${sizes[at]} cards for player 1, ${cardsOfTwo(at)} for player 2.`;
      picture.setAttribute('aria-label', `How the cards went from one player to the other. ${figures.textContent}`);
    };
    const cardsOfTwo = (at) => total - sizes[at];
    return { element, mark };
  })();

  // --- The log.

  const book = log && (() => {
    const before = document.createTextNode(''), after = document.createTextNode(''), now = el('mark');
    const text = el('pre', {}, before, now, after);
    const { length } = log.lines;
    const scroller = el('div', { class: 'log scroll', tabindex: 0, role: 'region', 'aria-label': 'Log' }, text);
    const note = el('p', { class: 'note' });
    const element = el('section', { class: 'box' }, el('h2', {}, 'Log'), scroller, note);
    const turnToLine = (y) => {
      const { top, height } = text.getBoundingClientRect();
      turnTo(Math.max(0, firstFrom(lines, Math.floor((y - top) / height * length) + 1) - 1));
    };
    text.addEventListener('click', ({ clientY }) => { if (getSelection().isCollapsed) turnToLine(clientY); });
    scroller.addEventListener('keydown', ({ key }) => {
      if (key === 'Enter') turnToLine(scroller.getBoundingClientRect().top + 20);
    });
    const part = (from, to) => log.lines.slice(from, to).map((line) => `${line}\n`).join('');
    const mark = ([from, to]) => {
      before.data = part(0, from);
      now.textContent = part(from, to + 1);
      after.data = part(to + 1, length);
      const missing = from >= length ? `The log goes on in line ${from + 1}, which is not on this page. ` : '';
      const cut = length < log.count ? `This page has the first ${number(length)} of ${many(log.count, 'line')}. ` : '';
      note.textContent = `${missing}${cut}A click on a line goes to its round, Enter to the round at the top.`;
      const { offsetTop: top, offsetHeight: height } = now, { scrollTop: above, clientHeight: room } = scroller;
      if (top < above || top + height > above + room) scroller.scrollTop = top - room / 4;
    };
    return { element, mark };
  })();

  // --- Controls.

  const { board, panel } = kit.stage({
    title: recursive ? (log ? 'Recursive Combat: The Log' : 'Recursive Combat') : 'Crab Combat',
    intro: recursive ? 'Two crabs turn over their top cards. If both have at least as many cards left as their card ' +
      'says, a smaller game with copies of their next cards decides the round, otherwise the higher card. The winner ' +
      'of the round takes both. Player 1 wins a game whose decks come back.' :
      'Two crabs turn over their top cards. The higher card takes both: they go to the bottom of the winner’s deck, ' +
      'the winner’s own card first. The game ends when one crab has everything.',
  });

  board.style.setProperty('--cards', total);
  board.classList.toggle('recursive', recursive);

  let every = true;
  const toPosition = (at) => (every ? at : ofFirst[at]);
  const turnTo = (position) => {
    steps.stop();
    if (!every && ofFirst[firstFrom(ofFirst, position)] !== position) setView('every');
    steps.go(every ? position : firstFrom(ofFirst, position));
  };
  const finish = ({ games: [{ winner, round: rounds }] }) => kit.dialog({
    title: `Player ${winner + 1} wins`,
    text: `${recursive ? 'Game 1' : 'The game'} took ${many(rounds, 'round')}.` +
      `${log ? '' : ` The score is ${data.score}.`}`,
    picture: crab(winner, 'glad', { scale: 6 }),
    buttons: [{ label: log ? 'Close' : 'Look at the score' }],
  });
  const slide = (state) => {
    const game = state.games.at(-1);
    const move = (element, from) => element.animate([{ transform: from, opacity: .2 }, {}], { duration: 220,
      easing: 'steps(5)' });
    if (game.phase === 'start') move(board.querySelector('.table'), 'translateY(1.5rem)');
    if (game.phase === 'round' && !game.decided) {
      board.querySelectorAll('.pair .card').forEach((card, player) =>
        move(card, `translateX(${player ? 4 : -4}rem)`));
    }
  };

  const show = (at, { animated }) => {
    const position = toPosition(at), state = stateAt(position), game = state.games.at(-1);
    const level = state.games.length;
    board.replaceChildren(
      el('section', { class: 'table' },
        el('h2', {}, place(game),
          data.levels > 1 ? el('span', { class: 'level' }, `level ${level} of ${data.levels}`) : null),
        el('div', { class: level > 1 ? 'scene under' : 'scene' },
          drawPlayer(game, 0), drawArena(game), drawPlayer(game, 1)),
        el('p', { class: 'story' }, words(state)),
        drawDecks(game, false)),
      ...[drawRepetition(state), drawScore(state), drawWaiting(state)].filter(Boolean));
    chart.mark(firstFrom(ofFirst, position));
    book?.mark(state.lines);
    for (const { button, possible } of jumps) button.setAttribute('aria-disabled', !possible(position, state));
    if (!animated) return;
    slide(state);
    const over = game.phase === 'end';
    kit.sound(over ? (level === 1 ? 'win' : 'take') : game.phase === 'round' && game.decided ? 'take' : 'card');
    if (over && level === 1) finish(state);
  };
  const name = (at) => {
    const game = stateAt(toPosition(at)).games.at(-1);
    return `${place(game)}${short(game)}.`;
  };
  const steps = kit.steps({ count: last, show, name });

  const jump = (label, possible, target) => ({ possible, button: kit.button(label, () => {
    const position = toPosition(steps.at), state = stateAt(position);
    if (possible(position, state)) turnTo(target(position, state));
  }) });
  const jumpToNext = (label, positions) => jump(label, (position) => position < positions.at(-1),
    (position) => positions[firstFrom(positions, position + 1)]);
  const jumps = [
    subGames.length && jumpToNext('Next sub-game', subGames),
    subGames.length && jump('End of this sub-game',
      (position, { games }) => games.length > 1 && games.at(-1).phase !== 'end', endOf),
    repetitions.length && jumpToNext('Next repetition', repetitions),
    repetitions.length && jump('Repeated round', (position, { games }) => games.at(-1).repeats > 0,
      (position, state) => roundOf(state, state.games.at(-1).repeats)),
  ].filter(Boolean);

  const view = subGames.length ? kit.choice('Step through', [['every', 'Every round of every game'],
    ['first', 'The rounds of game 1 only']], 'every', (value) => setView(value)) : null;
  const setView = (value) => {
    const position = toPosition(steps.at);
    steps.stop();
    every = value === 'every';
    view.input.value = value;
    const at = every ? position : firstFrom(ofFirst, position);
    steps.count = every ? last : ofFirst.length - 1;
    steps.go(at);
  };

  const facts = () => {
    if (!recursive) return `The game takes ${many(data.rounds, 'round')}.`;
    const all = `Game 1 takes ${many(sizes.length - 2, 'round')}. `;
    const over = data.exact ? '' : 'more than ';
    const inside = data.games === 1 ? 'There are no sub-games.' : `With everything within it, ${over}` +
      `${many(data.rounds, 'round')} in ${over}${many(data.games, 'game')} are played, up to ${data.levels} levels ` +
      `deep${data.exact ? '' : ' as far as they were counted'}.`;
    const left = data.skipped.length / 2;
    const cut = left === 0 ? '' : ` This page shows ${number(embedded + subGames.length)} rounds of them. ${left === 1 ?
      'One sub-game is' : `${number(left)} sub-games are`} too long for it: each is one step with its result.`;
    return all + inside + cut;
  };
  const ways = view || jumps.length ? el('section', { class: 'box jumps', 'aria-label': 'Ways' }, view,
    jumps.map(({ button }) => button)) : null;
  const rounds = rows.length < sizes.length - 2 ? `The first ${number(ROWS)} rounds` : 'The rounds';
  panel.append(...[
    steps.element, book?.element, ways, chart.element, el('p', { class: 'note' }, facts()),
    kit.table(recursive ? `${rounds} of game 1` : rounds,
      ['Round', 'Player 1', 'Player 2', 'Decided by', 'Won by player'], rows),
  ].filter(Boolean));
})();

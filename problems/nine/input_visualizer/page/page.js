// Nine: the table, both hands, and best play. Who wins at a position is looked up; a position is drawn from its moves.
'use strict';
(() => {
  const { data, el } = kit;
  const RANKS = '6789TJQKA', SUITS = 'CDSH', NINE = 3, PLAYERS = ['Alice', 'Bob'];
  const SUIT_NAMES = ['clubs', 'diamonds', 'spades', 'hearts'];

  const owner = [...SUITS].map(() => []);
  data.hands.forEach((hand, player) => hand.split(' ').forEach(([rank, suit]) => {
    owner[SUITS.indexOf(suit)][RANKS.indexOf(rank)] = player;
  }));
  const bits = Uint8Array.from(atob(data.alice), (letter) => letter.charCodeAt(0));

  // The rules. A position: the lowest and highest rank laid of each suit (or null), and who moves.
  const START = { runs: [null, null, null, null], mover: 0 };
  const laid = ({ runs }, suit, rank) => runs[suit] !== null && runs[suit][0] <= rank && rank <= runs[suit][1];
  const moves = ({ runs, mover }) => runs.flatMap((run, suit) => (run ? [run[0] - 1, run[1] + 1] : [NINE])
    .filter((rank) => owner[suit][rank] === mover).map((rank) => ({ suit, rank })));
  const grown = (run, rank) => (run ? [Math.min(run[0], rank), Math.max(run[1], rank)] : [rank, rank]);
  /** The position after a card, or after a pass (null). */
  const after = ({ runs, mover }, card) => ({
    runs: runs.map((run, suit) => (card?.suit === suit ? grown(run, card.rank) : run)),
    mover: 1 - mover,
  });
  const held = (position, player, suit) =>
    [...RANKS].map((_, rank) => rank).filter((rank) => owner[suit][rank] === player && !laid(position, suit, rank));
  const left = (position, player) => [0, 1, 2, 3].reduce((sum, suit) => sum + held(position, player, suit).length, 0);
  const finished = (position) => [0, 1].find((player) => left(position, player) === 0) ?? null;

  // Who wins: a bit for each table and mover. The states of the suits are the table's digits to the base 25.
  const winner = ({ runs, mover }) => {
    const table = runs.reduceRight((sum, run) => 25 * sum + (run ? 1 + 6 * (NINE - run[0]) + run[1] - NINE : 0), 0);
    const place = 2 * table + mover;
    return bits[place >> 3] >> (place & 7) & 1 ? 0 : 1;
  };
  const keepers = (position) => moves(position).filter((card) => winner(after(position, card)) === position.mover);
  /** Best play: a card that keeps the win, or else one that is hard to answer. */
  const best = (position) => {
    const winning = keepers(position);
    const answers = (card) => {
      const next = after(position, card);
      if (finished(next) !== null) return -1;
      return (winning.length ? moves(next) : keepers(next)).length;
    };
    const cards = winning.length ? winning : moves(position);
    return cards.reduce((found, card) => (answers(found) <= answers(card) ? found : card));
  };

  // The line: cards and passes, in the order they were played. Position i is what the first i of them make.
  let mode = 'watch', line = [], positions = [START], told = false;
  const PERSONS = { watch: [], alice: [0], bob: [1], both: [0, 1] };
  const set = (start) => {
    line = start;
    positions = start.reduce((all, card) => [...all, after(all.at(-1), card)], [START]);
    // What nobody decides comes by itself: passes, and the cards of best play.
    while (finished(positions.at(-1)) === null) {
      const end = positions.at(-1), stuck = moves(end).length === 0;
      if (!stuck && PERSONS[mode].includes(end.mover)) break;
      line.push(stuck ? null : best(end));
      positions.push(after(end, line.at(-1)));
    }
  };
  /** A person who plays one hand against the page is "you". */
  const you = (player) => PERSONS[mode].length === 1 && PERSONS[mode][0] === player;
  const titled = (player) => PLAYERS[player] + (you(player) ? ' (you)' : '');
  const cardName = ({ suit, rank }) => kit.cardName(RANKS[rank], SUITS[suit]);
  /** Whether the move that follows position i gives the win away. */
  const gives = (i) => winner(positions[i]) === positions[i].mover && winner(positions[i + 1]) !== positions[i].mover;
  const name = (i) => {
    const position = positions[i], over = finished(position);
    const mover = titled(position.mover);
    const turn = moves(position).length ? `${mover} to move.` : `${mover} has no card to lay.`;
    if (i === 0) return `Start. ${turn}`;
    const card = line[i - 1], who = PLAYERS[positions[i - 1].mover];
    if (!card) return `${who} passes. ${turn}`;
    return `${who} lays the ${cardName(card)}${over === null ? `. ${turn}` : ' and wins.'}`;
  };

  // The drawing.
  const { board, panel } = kit.stage({
    title: 'Nine',
    intro: 'Each suit is laid as one run that starts with the nine and grows at both ends. Alice begins. Who can lay ' +
      'a card must lay one, and who cannot passes. Whoever first has an empty hand wins. Both see all cards.',
  });
  const FACES = [
    ['  hhhhhh', ' hhhhhhhh', 'hhhhhhhhhh', 'hhhsssshhh', 'hhsksskshh', 'hhsssssshh', 'hhrssssrhh', 'hhsskksshh',
      'hh ssss hh', 'h pppppp h'],
    ['  cccccc', ' cccccccc', ' ccccccccc', ' hssssssh', ' hsksskss', '  ssssss', '  ssssss', '  sskkss', '   ssss',
      '  pppppp'],
  ];
  const COLOURS = [
    { h: '#8a4b2a', s: '#f2c79c', k: '#221f3a', r: '#e58a7a', p: 'var(--one)' },
    { h: '#3a2a22', s: '#d9a06e', k: '#221f3a', c: 'var(--two)', p: 'var(--two)' },
  ];
  const CUP = ['  yyyyyyyy', 'yyyyyyyyyyyy', 'y yywyyyyy y', 'y yywyyyyy y', 'yyyywyyyyyyy', ' yyyyyyyyyy', '   yyyyyy',
    '    yyyy', '     yy', '     yy', '   yyyyyy', '  dddddddd'];
  const GOLD = { y: '#e8b23a', w: '#fff3c4', d: '#8a4b2a' };
  const KEEPS = ['      #', '     ##', '#   ##', '## ##', ' ###', '  #'];
  const LOSES = ['#   #', '## ##', ' ###', ' ###', '## ##', '#   #'];

  const verdict = el('p', { class: 'verdict', hidden: true });
  const hands = PLAYERS.map((player, seat) =>
    el('section', { class: `hand box seat-${['one', 'two'][seat]}`, 'aria-label': `${player}'s hand` }));
  const table = el('section', { class: 'felt', 'aria-label': 'Table' });
  const game = el('div', { class: 'game', tabindex: -1 }, hands[0], table, hands[1]);
  board.append(verdict, game);

  const cards = (count) => `${count} card${count === 1 ? '' : 's'}`;
  const drawCard = (i, suit, rank) => {
    const position = positions[i], card = { suit, rank };
    const can = moves(position).some((move) => move.suit === suit && move.rank === rank);
    if (!can || finished(position) !== null) return kit.card(RANKS[rank], { suit: SUITS[suit] });
    const keeps = winner(after(position, card)) === position.mover;
    const person = mode === 'watch' || PERSONS[mode].includes(position.mover);
    const made = kit.card(RANKS[rank], {
      suit: SUITS[suit], state: 'playable',
      label: cardName(card) + (told ? `, ${keeps ? 'keeps the win' : 'loses'}` : person ? '' : ', can be laid'),
      on: person ? { click: () => choose(card) } : undefined,
    });
    if (told) made.append(el('span', { class: `mark ${keeps ? '' : 'loses'}` }, kit.sprite(keeps ? KEEPS : LOSES, {})));
    return made;
  };
  const drawHand = (i, player) => {
    const position = positions[i], over = finished(position);
    const passed = i > 0 && line[i - 1] === null && positions[i - 1].mover === player;
    const moving = over === null && position.mover === player;
    const tag = over === player ? 'wins' : moving ? 'to move' : passed ? 'passes' : null;
    hands[player].classList.toggle('active', moving || over === player);
    hands[player].replaceChildren(
      el('header', {}, kit.sprite(FACES[player], COLOURS[player], { scale: 4 }),
        el('div', {}, el('h2', {}, titled(player)), el('span', { class: 'dim' }, cards(left(position, player)))),
        tag ? el('span', { class: `tag ${tag === 'passes' ? 'pass' : ''}` }, tag) : ''),
      ...[0, 1, 2, 3].map((suit) => {
        const ranks = held(position, player, suit), red = 'DH'.includes(SUITS[suit]);
        return el('div', { class: `stack ${red ? 'red' : ''}` },
          el('span', { class: 'pile' }, kit.suit(SUITS[suit], { label: SUIT_NAMES[suit] }), `${ranks.length}`),
          el('ul', { 'aria-label': `${PLAYERS[player]}'s ${SUIT_NAMES[suit]}` },
            ranks.map((rank) => el('li', {}, drawCard(i, suit, rank)))));
      }));
  };
  const drawTable = (i) => {
    const position = positions[i], last = line[i - 1] ?? null;
    table.replaceChildren(...[0, 1, 2, 3].map((suit) => {
      const places = [...RANKS].map((_, rank) => rank).reverse();
      const count = places.filter((rank) => laid(position, suit, rank)).length;
      return el('div', { class: `suit ${count ? 'lit' : ''}` },
        el('span', { class: 'crest' }, kit.suit(SUITS[suit], { scale: 4, label: SUIT_NAMES[suit] })),
        el('ol', { 'aria-label': `${SUIT_NAMES[suit]} on the table, from the ace down` }, places.map((rank) => {
          const text = RANKS[rank] === 'T' ? '10' : RANKS[rank];
          if (!laid(position, suit, rank)) return el('li', { class: 'place' }, text);
          const state = last?.suit === suit && last.rank === rank ? 'last' : '';
          return el('li', {}, kit.card(text, { suit: SUITS[suit], state }));
        })));
    }));
  };
  const drawVerdict = (i) => {
    const position = positions[i], over = finished(position), wins = winner(position), mover = PLAYERS[position.mover];
    const all = moves(position).length, keep = keepers(position).length;
    const reason = all === 0 ? `${mover} must pass` : wins !== position.mover ? `every card of ${mover} loses` :
      keep === all ? 'every card keeps the win' : `${keep} of ${all} cards keep${keep === 1 ? 's' : ''} the win`;
    verdict.hidden = !told;
    verdict.className = `verdict ${['one', 'two'][over ?? wins]}`;
    verdict.textContent = over !== null ? `${PLAYERS[over]} has won.` : `${PLAYERS[wins]} wins from here: ${reason}.`;
  };

  // A new card is seen to fly: from where it was in the hand to its place on the table.
  const fly = (from) => {
    const card = table.querySelector('.last');
    if (!from || !card) return;
    const to = card.getBoundingClientRect();
    const transform = `translate(${from.left - to.left}px, ${from.top - to.top}px)`;
    card.animate([{ transform, zIndex: 9 }, { transform: 'none', zIndex: 9 }], { duration: 150, easing: 'steps(8)' });
  };
  // Who lays cards by keyboard stays in the hands, also when the page has moved in between.
  let keepFocus = false;
  const show = (i, { animated, forward }) => {
    const focus = document.activeElement;
    if (board.contains(focus)) keepFocus = true;
    else if (focus !== document.body) keepFocus = false;
    const card = i > 0 ? line[i - 1] : null;
    const from = animated && card && [...hands[positions[i - 1].mover].querySelectorAll('.card')]
      .find((drawn) => drawn.getAttribute('aria-label').startsWith(cardName(card)))?.getBoundingClientRect();
    drawHand(i, 0);
    drawTable(i);
    drawHand(i, 1);
    drawVerdict(i);
    if (keepFocus) (board.querySelector('button.card') ?? game).focus({ preventScroll: true });
    if (animated) fly(from);
    if (!forward) return;
    if (finished(positions[i]) !== null) end(i);
    else if (card) kit.sound('card');
  };
  const listMoves = () => line.map((card, i) => [`${i + 1}`, PLAYERS[positions[i].mover],
    (card ? cardName(card) : 'passes') + (told && gives(i) ? ', gives the win away' : '')]);

  const end = (i) => {
    const won = finished(positions[i]), lost = you(1 - won);
    const slip = line.findLastIndex((_, k) => gives(k));
    kit.sound(lost ? 'lose' : 'win');
    kit.dialog({
      title: you(won) ? `You win as ${PLAYERS[won]}!` : `${PLAYERS[won]} wins${lost ? ', and you lose' : '!'}`,
      picture: lost ? kit.sprite(FACES[won], COLOURS[won], { scale: 8 }) : kit.sprite(CUP, GOLD, { scale: 8 }),
      text: [`${PLAYERS[1 - won]} still holds ${cards(left(positions[i], 1 - won))} after ${i} moves.`, slip < 0 ?
        `${PLAYERS[won]} could win from the start, and never gave the win away.` :
        `The win was last given away in move ${slip + 1}, when ${PLAYERS[positions[slip].mover]} laid the ` +
        `${cardName(line[slip])}. This would have kept it: ${keepers(positions[slip]).map(cardName).join(', ')}.`],
      buttons: [{ label: 'See the table' }, { label: 'Start again', on: () => { restart(); steps.go(0); } }],
    });
  };

  const moved = kit.table('All moves', ['Move', 'Player', 'Card'], []);
  /** Takes over a line of play, and lets what follows by itself run. */
  const take = (start, at, run) => {
    set(start);
    moved.refresh(listMoves());
    steps.stop();
    steps.count = line.length;
    steps.go(at, at > steps.at);
    if (run && at < line.length) steps.play();
  };
  const choose = (card) => {
    keepFocus = true;
    take([...line.slice(0, steps.at), card], steps.at + 1, mode !== 'watch');
  };
  const restart = () => {
    set([]);
    moved.refresh(listMoves());
    steps.count = line.length;
    if (mode !== 'watch' && line.length) queueMicrotask(steps.play);
  };

  set([]);
  const steps = kit.steps({ count: line.length, show, name, reset: restart });
  moved.refresh(listMoves());
  const deal = el('textarea', { readonly: true, rows: 4, spellcheck: 'false', 'aria-label': 'The deal as text',
    on: { focus: () => deal.select() } }, `${data.hands.join('\n')}\n`);
  const change = (value) => {
    mode = value;
    take(line.slice(0, steps.at), steps.at, value !== 'watch');
  };
  const tell = (value) => {
    told = value;
    moved.refresh(listMoves());
    steps.go(steps.at);
  };
  const figure = (count) => count.toLocaleString('en');
  panel.append(
    steps.element,
    el('div', { class: 'box choices' },
      kit.choice('Who plays', [['watch', 'Watch best play'], ['alice', 'You play Alice'], ['bob', 'You play Bob'],
        ['both', 'You play both']], mode, change),
      kit.toggle('Show who wins, and which cards keep the win', told, tell),
      el('details', {}, el('summary', {}, 'How the page plays'),
        el('p', {}, 'The page knows who wins at every position. Who can win lays a card that keeps the win; if there ' +
          'are several, the one after which the other player has the fewest cards to choose from. Who cannot win ' +
          'lays the card after which the fewest answers keep the win.'),
        el('p', {}, 'While you watch, you can lay any card that blinks, and best play goes on from there. When you ' +
          'change who plays, the game goes on from the position that you see.')),
      el('details', {}, el('summary', {}, 'The deal as text'), deal,
        el('p', { class: 'dim' }, `This deal can lead to ${figure(data.positions)} positions in which a card is laid.` +
          ` With best play, Alice wins ${data.of_alice === data.positions ? 'all' : figure(data.of_alice)} of them.`)),
      moved));
})();

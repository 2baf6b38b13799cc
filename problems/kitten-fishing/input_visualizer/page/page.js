// The kittens' game: both hands, the row between them, what is laid and taken, and the end or the endless round.
'use strict';
(() => {
  const { el, svg } = kit;
  const { hands: deal, laid: allTurns, turns: packed, winner, hand: lastHand, row: lastRow, from, length } = kit.data;
  const CARDS = 12, NAMES = ['小哼', '小哈'], WHO = ['first kitten', 'second kitten'], COLOURS = ['one', 'two'];
  const endless = winner === undefined, shownTurns = packed.length / 2, cut = shownTurns < allTurns;
  const upper = (text) => text[0].toUpperCase() + text.slice(1);
  const after = (turn) => (turn === 0 ? 'at the start' : `after turn ${turn}`);
  const counted = (count, word) => `${count} ${word}${count === 1 ? '' : 's'}`;

  // Every position: where the twelve cards are, by number; `values` knows what is on them.
  const values = [...deal.join('')];
  const positions = [{
    kind: 'start', turn: 0, next: 0, hands: [[0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11]], row: [], moved: [],
  }];
  const positionAfter = [0];
  for (let turn = 1; turn <= shownTurns; turn += 1) {
    const { hands, row } = positions.at(-1), who = (turn - 1) % 2, taken = parseInt(packed[2 * turn - 1], 36);
    const [card, ...rest] = hands[who], lying = [...row, card];
    const add = (position, mine) =>
      positions.push({ turn, who, ...position, hands: who ? [hands[0], mine] : [mine, hands[1]] });
    const moved = taken > 0 ? lying.slice(-taken).reverse() : [];
    add({ kind: 'lay', next: taken > 0 ? who : 1 - who, row: lying, moved, laid: card }, rest);
    if (taken > 0) add({ kind: 'take', next: 1 - who, row: lying.slice(0, -taken), moved }, [...rest, ...moved]);
    positionAfter.push(positions.length - 1);
  }
  if (cut && !endless) {
    // The last position comes after turns that are not here: any card of the right value will do.
    const free = new Set(values.keys());
    const find = (digits) => [...digits].map((digit) => {
      const card = [...free].find((number) => values[number] === digit);
      free.delete(card);
      return card;
    });
    const mine = find(lastHand), row = find(lastRow);
    positions.push({ kind: 'jump', turn: allTurns, row, moved: [], hands: winner ? [[], mine] : [mine, []] });
  }
  const end = positions.length - 1;
  const over = (i) => !endless && i === end;

  const INK = '#221f3a';
  const FACE = ['..kk........kk', '.kook......kook', '.kopok....kopok', '.koppokkkkoppok', '.koooossssooook'];
  const EYES = {
    open: ['kookkossssokkook', 'kookwooooookwook', 'kookkooooookkook', 'kopoowwnnwwoopok'],
    glad: ['kooooossssoooook', 'kookooooooookook', 'kokokooooookokok', 'kopoowwnnwwoopok'],
    sad: ['kooooossssoooook', 'kooooooooooooook', 'kokkkooooookkkok', 'kotoowwnnwwootok'],
  };
  const BODY = ['kooowwwkkwwwoook', '.koowwkwwkwwook', '..kkcccccccckk', '..koocccgccook', '..koowwwwwwook',
    '..kokowwwwokok', '..kwwkwwwwkwwk', '...kkkkkkkkkk'];
  const ROD = ['', '........bb', '.......bb.l', '......bb..l', '.....bb...l', '....bb....l', '...bb.....l',
    '..bb......l', '.bb.......l', 'bb........l', 'b.........l', '..........l'];
  const HOOK = ['..........l', '..........l', '..........h', '........h.h', '........hhh'];
  const FISH = ['..........h', '.......fff.f', '......fefffff', '.......fff.f', ''];
  const kitten = (number, { eyes = 'open', rod = null, scale = 4 } = {}) => {
    const rows = [...FACE, ...EYES[eyes], ...BODY];
    const held = rod ? [...ROD, ...(rod === 'fish' ? FISH : HOOK)] : [];
    return kit.sprite(rows.map((row, index) => (row.padEnd(16, '.') + (held[index] ?? '')).padEnd(30, '.')), {
      k: INK, e: INK, p: '#f3a6b3', n: '#e06b80', w: '#fff8ec', t: '#4aa3ff', b: '#8a5a2b', l: '#7d8ba3', h: '#5c5870',
      f: '#e8695a', g: '#f5d04c', c: `var(--${COLOURS[number]})`, o: ['#93a7c4', '#f0a75a'][number],
      s: ['#5f7394', '#c4702a'][number],
    }, { scale });
  };
  // Characters that every reader shall see, whatever fonts there are: twelve rows of twelve pixels, three digits a row.
  const SIGNS = {
    小: '040040040248244444442842040040140080', 哼: '0101ffe00a7ca44a7ca00afee0c010050020',
    哈: '010028e44a82b39a00a00a7ce4404407c000', 平: '7fc040248150040ffe040040040040040040',
    局: '3fe2023fe2003fe2022f22922f240280c000', 当: '0404442481500407fc0040047fc0040047fc',
    前: '210120ffe00078249279249279248248298c', 手: '0187e00407fc040040ffe040040040140080',
    中: '040040ffe842842842ffe040040040040040', 的: '210410fbe8a28c2882f9288a88a882f8288c',
    牌: 'a08a10a7ef5287e85287ef1097f908908908', 是: '3f82083f82083f8000ffe0402782405408fe',
    桌: '04007c0403f82083f8040ffe0e0150248c46', 上: '04004004004007e040040040040040040ffe',
  };
  const sign = (text, scale, label = text) => {
    const row = (character, y) => parseInt(SIGNS[character].slice(3 * y, 3 * y + 3), 16).toString(2).padStart(12, '0');
    const line = (y) => [...text].map((character) => row(character, y).replaceAll('0', '.')).join('.');
    const rows = Array.from({ length: 12 }, (_, y) => line(y));
    const picture = kit.sprite(rows, {}, { label, scale });
    picture.setAttribute('lang', 'zh');
    return picture;
  };
  /** A line with such characters, as text for who copies or hears it. */
  const drawn = (line) => line.split(/([\u4e00-\u9fff]+)/).filter(Boolean).map((part) => (part[0] in SIGNS ?
    [el('span', { class: 'hidden' }, part), sign(part, 1, null)] : part));

  const players = NAMES.map((text, number) => {
    const portrait = el('div', { class: 'portrait' }), state = el('p', { class: 'state' });
    const label = `Hand of the ${WHO[number]}, the top card first`;
    const cards = el('div', { class: 'cards', role: 'group', 'aria-label': label });
    const title = el('h2', {}, sign(text, 2), el('span', { class: 'help' }, WHO[number]));
    const element = el('section', { class: `kitten ${COLOURS[number]}`, 'aria-label': upper(WHO[number]) },
      portrait, el('div', { class: 'about' }, title, state), cards);
    return { portrait, state, cards, element };
  });
  const lying = el('div', { class: 'cards', role: 'group', 'aria-label': 'The row, from its beginning' });
  const rowState = el('p', { class: 'state' });
  const pond = el('section', { class: 'pond', 'aria-label': 'Row' },
    el('div', { class: 'title' }, el('h2', {}, 'The row'), rowState), lying);

  const ORDER = ['', '1st', '2nd', '3rd'];
  const order = (rank) => ORDER[rank] ?? `${rank}th`;
  const slot = (card, position, place) => {
    const rank = position.moved.indexOf(card) + 1, fresh = position.laid === card, value = values[card];
    let state = '', tag = '', words = value;
    if (rank > 0 && place === 'row') {
      [state, tag, words] = ['taken', order(rank), `${value}, is taken ${order(rank)}`];
    } else if (rank > 0 && position.kind === 'take') {
      [state, tag, words] = ['won', order(rank), `${value}, was taken ${order(rank)}`];
    } else if (fresh) {
      [state, tag, words] = ['fresh', 'new', `${value}, just laid`];
    }
    return el('span', { class: 'slot', 'data-card': card }, kit.card(value, { state, label: words }),
      tag && el('span', { class: 'tag', 'aria-hidden': 'true' }, tag));
  };
  const drawCards = (place, cards, position, kind) => {
    const slots = cards.map((card) => slot(card, position, kind));
    place.replaceChildren(...(slots.length ? slots : [el('span', { class: 'none' }, 'no cards')]));
  };

  // How the cards are spread in the course of the game: a column for each turn, or for each pixel if there are more.
  const WIDE = 640, UNIT = 10, HIGH = CARDS * UNIT;
  const columns = Math.min(WIDE, shownTurns + 1);
  const at = (turn) => Math.round((WIDE * turn) / (shownTurns + 1));
  const area = (number) => {
    let path = '';
    for (let column = 0; column < columns; column += 1) {
      const turn = Math.floor(((shownTurns + 1) * column) / columns), x = Math.round((WIDE * column) / columns);
      const wide = Math.round((WIDE * (column + 1)) / columns) - x;
      const count = positions[positionAfter[turn]].hands[number].length;
      path += `M${x} ${number ? HIGH : 0}h${wide}v${number ? -count * UNIT : count * UNIT}h-${wide}z`;
    }
    return svg('path', { class: COLOURS[number], d: path });
  };
  const now = svg('rect', { class: 'now', y: -6, width: 4, height: HIGH + 12 });
  const repeated = endless && !cut ? svg('path', { class: 'round',
    d: `M${at(from)} ${HIGH + 8}v14h${WIDE - at(from)}v-14h-4v10h-${WIDE - at(from) - 8}v-10z` }) : null;
  const chart = svg('svg', {
    class: 'chart', preserveAspectRatio: 'none', viewBox: `0 -8 ${WIDE} ${HIGH + 34}`, role: 'img',
    'aria-label': 'Cards in both hands in the course of the game. The table of all turns has them.',
  },
  svg('rect', { class: 'water', width: WIDE, height: HIGH }), area(0), area(1), now, repeated);

  const result = el('div', { class: 'box result' });
  const answer = (...lines) => [el('h3', {}, 'The answer'), el('dl', { class: 'answer' }, lines.map(([line, meaning]) =>
    el('div', {}, el('dt', { lang: 'zh' }, drawn(line)), el('dd', {}, meaning))))];
  const same = `After turn ${allTurns} everything is as it was ${after(from)}: ` +
    'both hands, the row, and whose turn it is.';
  const spaced = (digits) => [...digits].map((digit) => ` ${digit}`).join('');
  const meet = el('p');
  const visit = (words, i) => kit.button(words, () => { steps.stop(); steps.go(i); });
  result.append(...(endless ? [
    el('h2', {}, 'A draw'), sign('平局', 4), el('p', {}, same), meet,
    el('div', { class: 'buttons' }, visit('The first time', positionAfter[from]), visit('The second time', end)),
    ...answer(['平局', 'a draw']),
  ] : [
    el('h2', {}, `The ${WHO[winner]} has won`),
    el('p', {}, `It took ${counted(allTurns, 'turn')}. The ${WHO[1 - winner]} has no card left.`),
    ...answer([`${NAMES[winner]}win`, `the ${WHO[winner]} wins`],
      [`${NAMES[winner]}当前手中的牌是${spaced(lastHand)}`, 'the cards in the hand of the winner, from the top'],
      [`桌上的牌是${spaced(lastRow)}`, 'the cards in the row, from its beginning']),
  ]));
  const drawResult = (i) => {
    result.hidden = !(endless && !cut ? [end, positionAfter[from]].includes(i) : over(i));
    meet.textContent = i === end ? `So the same ${counted(length, 'turn')} would come again and again.` :
      'This is the first of the two times.';
  };

  const name = (i) => {
    const { kind, turn, who, laid, moved, row } = positions[i];
    if (kind === 'start') return 'Start: six cards each. The first kitten begins.';
    if (kind === 'jump') return `Turn ${turn}: the ${WHO[1 - winner]} has laid its last card. The game is over.`;
    const last = over(i) ? ' The hand is empty. The game is over.' :
      endless && i === end && !cut ? ` Everything is as it was ${after(from)}.` : '';
    if (kind === 'take') {
      const taken = moved.map((card) => values[card]).join(' ');
      return `Turn ${turn}: the ${WHO[who]} has put ${taken} at the bottom of its hand.${last}`;
    }
    const found = moved.length ? `It catches ${counted(moved.length, 'card')}.` :
      row.length > 1 ? 'Nothing is caught.' : '';
    return `Turn ${turn}: the ${WHO[who]} lays ${values[laid]}. ${found}${last}`;
  };

  const spots = () => new Map([...board.querySelectorAll('.slot')].map((one) =>
    [one.dataset.card, one.getBoundingClientRect()]));
  const glide = (earlier, moved) => {
    for (const one of board.querySelectorAll('.slot')) {
      const old = earlier.get(one.dataset.card), is = one.getBoundingClientRect();
      if (!old || (Math.abs(old.x - is.x) < 1 && Math.abs(old.y - is.y) < 1)) continue;
      const delay = Math.max(0, moved.indexOf(+one.dataset.card)) * 25;
      one.animate([{ transform: `translate(${old.x - is.x}px, ${old.y - is.y}px)` }, { transform: 'none' }],
        { duration: 220, delay, easing: 'ease-out', fill: 'backwards' });
    }
  };

  let before = 0;
  const show = (i, { animated }) => {
    const position = positions[i], earlier = animated ? spots() : null;
    players.forEach(({ portrait, state, cards, element }, number) => {
      const active = !over(i) && position.next === number;
      const catches = position.who === number && position.moved.length > 0, glad = over(i) && number === winner;
      const eyes = over(i) ? (glad ? 'glad' : 'sad') : catches ? 'glad' : 'open';
      portrait.replaceChildren(kitten(number, { eyes, rod: catches || glad ? 'fish' : active ? 'hook' : null }));
      const does = over(i) ? (glad ? 'has won' : 'has lost') :
        active ? (position.kind === 'lay' && position.moved.length ? 'catches' : 'plays next') : 'waits';
      state.textContent = `${does}, ${counted(position.hands[number].length, 'card')}`;
      element.classList.toggle('active', active);
      element.classList.toggle('winner', over(i) && number === winner);
      drawCards(cards, position.hands[number], position, 'hand');
    });
    rowState.textContent = counted(position.row.length, 'card');
    drawCards(lying, position.row, position, 'row');
    now.setAttribute('x', Math.min(WIDE - 4, position.kind === 'jump' ? WIDE : at(position.turn)));
    drawResult(i);
    if (animated) {
      glide(earlier, position.moved);
      kit.sound(over(i) ? 'win' : position.kind === 'take' ? 'take' : 'card');
    }
    if (i === end && before === end - 1 && !(endless && cut)) {
      kit.dialog({
        buttons: [{ label: 'Close' }, { label: 'Once more', on: () => steps.go(0) }],
        ...(endless ? { title: 'A draw', picture: sign('平局', 6), text: [same, 'This game never ends.'] } : {
          title: `The ${WHO[winner]} has won`, picture: kitten(winner, { eyes: 'glad', rod: 'fish', scale: 5 }),
          text: `The ${WHO[1 - winner]} has laid its last card and caught nothing.`,
        }),
      });
    }
    before = i;
  };

  const { board, panel } = kit.stage({
    title: 'Kittens go fishing',
    intro: 'Two kittens lay cards in a row, in turn, each from the top of its hand. Who lays a value that lies there ' +
      'already catches these two cards and all between them. Who has no card left after a turn has lost.',
  });
  board.append(players[0].element, pond, players[1].element);
  const steps = kit.steps({ count: end, show, name });
  const missing = cut ? el('p', { class: 'look' }, endless ?
    `The game repeats for ever, but only after ${allTurns} turns. This page has the first ${shownTurns} of them.` :
    `This game has ${allTurns} turns. This page has the first ${shownTurns} of them, and the end.`) : null;
  const said = [...Array(Math.min(shownTurns, 2000)).keys()].map((turn) => {
    const list = (cards) => cards.map((card) => values[card]).join(' ') || 'none';
    const { hands, row } = positions[positionAfter[turn + 1]];
    const taken = parseInt(packed[2 * turn + 1], 36);
    const [first, table, second] = [hands[0], row, hands[1]].map(list);
    return [turn + 1, ['first', 'second'][turn % 2], packed[2 * turn], taken || '', first, table, second];
  });
  board.append(el('div', { class: 'box' }, el('h2', {}, 'Where the cards are, turn by turn'), chart,
    el('p', { class: 'dim' }, 'The first kitten’s hand is above, the second one’s below, the row between them.' +
      (repeated ? ` The bracket marks the ${counted(length, 'turn')} that repeat for ever.` : ''))));
  const caption = `${said.length < shownTurns ? `The first ${said.length}` : 'All'} turns as a table`;
  // The result is last, because it appears only at the end.
  panel.append(steps.element, missing ?? '', kit.table(caption,
    ['Turn', 'Kitten', 'Lays', 'Takes', 'First hand', 'Row', 'Second hand'], said), result);
})();

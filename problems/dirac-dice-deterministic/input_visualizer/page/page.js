// The game with the deterministic die: the track with both pawns, the three rolls of a turn, the scores, and the sum.
'use strict';
(() => {
  const { el, svg } = kit;
  const { starts, goal, turns, lostWith, rolls, product } = kit.data;
  const PLACES = 10, COLOURS = ['one', 'two'];

  // Position 0 is the start; position i is after turn i.
  const mover = (i) => (i + 1) % 2;
  const place = (player, i) => (i <= player ? starts[player] : turns[i - 1 - (mover(i) !== player)][3]);
  const score = (player, i) => (i <= player ? 0 : turns[i - 1 - (mover(i) !== player)][4]);
  const sum = ([a, b, c]) => a + b + c;
  const end = turns.length, winner = mover(end), loser = 1 - winner;

  const PAWNS = [
    ['...kkkkk', '..kaaaaak', '..kabaaak', '..kaaaaak', '..kaaaaak', '...kaaak', '..kkaaakk', '...kaaak', '...kabak',
      '..kabaaak', '.kaaaaaaak', '.kkkkkkkkk', 'kaaaaaaaaak', 'kkkkkkkkkkk'],
    ['.....k', '....kak', '...kabak', '..kabaaak', '..kaaaaak', '...kaaak', '..kkaaakk', '...kaaak', '...kabak',
      '..kabaaak', '.kaaaaaaak', '.kkkkkkkkk', 'kaaaaaaaaak', 'kkkkkkkkkkk'],
  ];
  const pawnPicture = (player, scale) =>
    kit.sprite(PAWNS[player], { k: 'var(--ink)', a: `var(--${COLOURS[player]})`, b: 'var(--panel)' }, { scale });
  const player = (number) => el('b', { class: COLOURS[number] }, `Player ${number + 1}`);

  // The track: place 1 at the top, then clockwise. Whole numbers keep the pixels crisp.
  const SIZE = 340, TILE = 62;
  const centre = (number) => {
    const angle = ((number - 1) / PLACES) * 2 * Math.PI;
    return [SIZE / 2 + Math.round(136 * Math.sin(angle)), SIZE / 2 - Math.round(136 * Math.cos(angle))];
  };
  const box = (x, y, width, height, attributes) => svg('rect', { x, y, width, height, ...attributes });
  const spot = (number, pawn) => {
    const [x, y] = centre(number);
    return [x - TILE / 2 + (pawn ? 33 : 4), y - TILE / 2 + 24];
  };
  const tiles = Array.from({ length: PLACES }, (_, index) => {
    const [x, y] = centre(index + 1).map((middle) => middle - TILE / 2);
    return svg('g', { class: 'place' }, box(x, y, TILE, TILE, { class: index % 2 ? 'tile even' : 'tile' }),
      svg('text', { x: x + TILE / 2, y: y + 17, 'text-anchor': 'middle' }, `${index + 1}`));
  });
  const shades = tiles.map((_, index) => {
    const [x, y] = centre(index + 1).map((middle) => middle - TILE / 2 + 4);
    return box(x, y, TILE, TILE, { class: 'shade' });
  });
  const ring = Array.from({ length: PLACES }, (_, index) => centre(index + 1).join(' ')).join(' ');
  const pawns = PAWNS.map((_, number) => svg('g', { class: 'pawn' }, pawnPicture(number, 2.4)));
  const die = (x) => {
    const text = svg('text', { x: x + 26, y: 189, 'text-anchor': 'middle' });
    return Object.assign(svg('g', { class: 'die' }, box(x + 3, 161, 52, 46, { class: 'shade' }),
      box(x, 158, 52, 46, { class: 'tile' }), text), { text });
  };
  const dice = [82, 144, 206].map(die);
  const above = svg('text', { class: 'said', x: SIZE / 2, y: 144, 'text-anchor': 'middle' });
  const below = svg('text', { class: 'said', x: SIZE / 2, y: 230, 'text-anchor': 'middle' });
  const track = svg('svg', { class: 'track-map', viewBox: `0 0 ${SIZE} ${SIZE}`, role: 'img' },
    svg('polygon', { points: ring, class: 'ring' }), shades, tiles, dice, above, below, pawns);

  // The pawn goes from place to place; whole rounds are left out.
  const hop = (number, from, way) => {
    const hops = way % PLACES || PLACES, frames = [];
    for (let step = 0; step <= hops; step += 1) {
      const [x, y] = spot((from - 1 + step) % PLACES + 1, number), [lastX, lastY] = frames.at(-1) ?? [x, y];
      if (step > 0) frames.push([(lastX + x) / 2, (lastY + y) / 2 - 9]);
      frames.push([x, y]);
    }
    pawns[number].animate(frames.map(([x, y]) => ({ transform: `translate(${x}px, ${y}px)` })), { duration: 330 });
  };

  // Both scores, as bars towards the goal.
  const bars = [0, 1].map((number) => {
    const fill = el('div', { class: `fill ${COLOURS[number]}` }), figure = el('span', { class: 'figure' });
    const state = el('span', { class: 'state' });
    return { fill, figure, state, element: el('div', { class: 'score' }, pawnPicture(number, 2),
      el('div', { class: 'words-and-bar' },
        el('p', {}, player(number), state, figure), el('div', { class: 'rail' }, fill))) };
  });

  // The scores after each round: player 1 upwards, player 2 downwards.
  const ROUNDS = Math.ceil(end / 2), WIDE = 640, HIGH = 90;
  const towers = COLOURS.map((colour) => svg('path', { class: colour }));
  const now = box(0, 0, 2, 2 * HIGH + 2, { class: 'now' });
  const line = (y) => box(0, y, WIDE, 3, { class: 'goal' });
  const chart = svg('svg', { viewBox: `0 -8 ${WIDE} ${2 * HIGH + 18}`, role: 'img', class: 'chart',
    'aria-label': 'Scores after each turn. The table below has the figures.' },
  line(-1), line(2 * HIGH), towers, now, box(0, HIGH, WIDE, 2, { class: 'axis' }));
  const tower = (number, i) => {
    const width = WIDE / ROUNDS;
    let path = '';
    for (let turn = number; turn < i; turn += 2) {
      const x = Math.round(width * (turn - number) / 2), wide = Math.round(width * ((turn - number) / 2 + 1)) - x;
      const high = Math.round(HIGH * Math.min(1, turns[turn][4] / goal));
      path += `M${x} ${HIGH + number * 2}v${number ? high : -high}h${wide}v${number ? -high : high}z`;
    }
    return path;
  };

  // The multiplication as on paper.
  const onPaper = () => {
    const right = (text) => `${text}`.padStart(8), line = '-'.repeat(8);
    const lines = [right(lostWith), `×${right(rolls).slice(1)}`, line];
    const parts = [...`${rolls}`].reverse().map((digit, index) => digit * 10 ** index).filter(Boolean);
    for (const part of parts) lines.push(`${right(lostWith * part)}   ${lostWith} × ${part}`);
    return [...lines, '-'.repeat(8), right(product)].join('\n');
  };
  const sumBox = el('div', { class: 'box sum' });
  const drawSum = (i) => sumBox.replaceChildren(el('h2', {}, 'The sum'), ...(i < end ?
    [el('p', {}, 'At the end: the score of the player who lost, times the number of rolls.'),
      el('p', { class: 'dim' }, `Rolls so far: ${3 * i}.`)] :
    [el('p', {}, `Player ${loser + 1} lost with ${lostWith}. The die was rolled ${rolls} times.`),
      el('pre', {}, onPaper()),
      el('p', {}, 'The answer is ', el('b', { class: 'answer' }, `${product}`), '.')]));

  const name = (i) => {
    if (i === 0) return `Start: player 1 on place ${starts[0]}, player 2 on place ${starts[1]}.`;
    const who = mover(i), turn = turns[i - 1], [a, b, c] = turn;
    return `Turn ${i}: player ${who + 1} rolls ${a} + ${b} + ${c} = ${sum(turn)}, goes from place ` +
      `${place(who, i - 1)} to ` +
      `place ${turn[3]}, and has ${turn[4]}.${i === end ? ' The game is over.' : ''}`;
  };

  let before = 0;
  const show = (i, { animated }) => {
    const who = i > 0 ? mover(i) : null, turn = i > 0 ? turns[i - 1] : null;
    tiles.forEach((tile, index) => {
      const to = who !== null && turn[3] === index + 1, from = who !== null && place(who, i - 1) === index + 1;
      tile.setAttribute('class', to ? `place to ${COLOURS[who]}` : from ? `place from ${COLOURS[who]}` : 'place');
    });
    pawns.forEach((pawn, number) => {
      const [x, y] = spot(place(number, i), number);
      pawn.getAnimations().forEach((running) => running.cancel());
      pawn.style.transform = `translate(${x}px, ${y}px)`;
    });
    track.setAttribute('aria-label', `The track: player 1 on place ${place(0, i)}, player 2 on place ${place(1, i)}`);
    dice.forEach((one, index) => { one.text.textContent = turn ? `${turn[index]}` : '?'; });
    above.textContent = who === null ? 'player 1 begins' : `player ${who + 1} rolls`;
    above.setAttribute('class', `said ${who === null ? '' : COLOURS[who]}`);
    below.textContent = turn ? `= ${sum(turn)} places` : '';
    bars.forEach(({ fill, figure, state, element }, number) => {
      const points = score(number, i), got = number === who ? ` +${turn[3]}` : '';
      fill.style.width = `${Math.min(100, 100 * points / goal)}%`;
      figure.textContent = `${points} of ${goal}`;
      state.textContent = i === end ? [' has lost', ' has won'][+(number === winner)] : got;
      element.classList.toggle('winner', i === end && number === winner);
      towers[number].setAttribute('d', tower(number, i));
    });
    now.setAttribute('x', Math.round(WIDE / ROUNDS * Math.ceil(i / 2)) - 1);
    drawSum(i);
    if (animated) {
      hop(who, place(who, i - 1), sum(turn));
      kit.sound(i === end ? 'win' : 'card');
    }
    if (i === end && before === end - 1) {
      kit.dialog({
        title: `Player ${winner + 1} wins`, picture: pawnPicture(winner, 6),
        text: `${score(winner, end)} against ${lostWith}, after ${rolls} rolls. ${lostWith} × ${rolls} = ${product}.`,
        buttons: [{ label: 'Close' }, { label: 'Once more', on: () => steps.go(0) }],
      });
    }
    before = i;
  };

  const { board, panel } = kit.stage({
    title: 'Dirac dice: the deterministic die',
    intro: 'Two pawns go round a track of ten places. The die rolls 1, 2, 3 and so on up to 100, and then starts ' +
      'over. Each turn takes three rolls and scores the place the pawn comes to rest on. The first player with ' +
      `${goal} ends the game.`,
  });
  board.append(track, ...bars.map(({ element }) => element));
  const steps = kit.steps({ count: end, show, name });
  // The sum is last, because it grows at the end.
  panel.append(steps.element, el('div', { class: 'box' }, el('h2', {}, 'Scores turn by turn'), chart,
    el('p', { class: 'dim' }, 'Player 1 grows upwards, player 2 downwards. The thin lines are the goal.')),
  kit.table('All turns as a table', ['Turn', 'Player', 'Rolls', 'Sum', 'From', 'To', 'Score'],
    turns.map((turn, index) => [
      index + 1, index % 2 + 1, turn.slice(0, 3).join(', '), sum(turn), place(index % 2, index), turn[3], turn[4],
    ])), sumBox);
})();

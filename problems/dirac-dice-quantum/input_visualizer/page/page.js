// The game with the quantum die: how many universes there are, where the pawns are in them, and who has won how many.
'use strict';
(() => {
  const { el, svg } = kit;
  const { starts, goal, least, ways, won, on, wins, players } = kit.data;
  const PLACES = 10, COLOURS = ['one', 'two'], end = won.length;
  const SPLIT = ways.reduce((sum, count) => sum + count, 0);

  // Counts have up to twenty digits.
  const big = (text) => BigInt(text), grouped = (count) => big(count).toLocaleString('en');
  const wonIn = won.map(big), goOn = [1n, ...on.map(big)];
  const wonUntil = [[0n, 0n]];
  wonIn.forEach((count, index) => {
    wonUntil.push(wonUntil[index].map((sum, player) => sum + (index % 2 === player ? count : 0n)));
  });
  const log = (count) => {
    const digits = `${count}`;
    return digits.length - 1 + Math.log10(+`${digits[0]}.${digits.slice(1, 16)}`);
  };
  const raised = (power) => `10${[...`${power}`].map((digit) => '⁰¹²³⁴⁵⁶⁷⁸⁹'[digit]).join('')}`;
  const short = (count) => {
    const digits = `${count}`;
    return digits.length < 8 ? grouped(count) : `${digits[0]}.${digits.slice(1, 3)} × ${raised(digits.length - 1)}`;
  };
  const universes = (count) => `${grouped(count)} universe${big(count) === 1n ? '' : 's'}`;
  const mover = (i) => (i + 1) % 2;
  const taken = (player, i) => Math.floor((i + 1 - player) / 2);
  const alone = (player, i) => players[player].spreads[taken(player, i)];
  const others = (player, i) => big(players[1 - player].short[taken(1 - player, i)]);
  const collect = (into, key, count) => into.set(key, (into.get(key) ?? 0n) + count);

  // The maps: for each of their cells [across, up] the universes in which the game goes on.
  const MAPS = {
    0: { words: 'Player 1: place and score', across: 'place', up: 'score' },
    1: { words: 'Player 2: place and score', across: 'place', up: 'score' },
    both: { words: 'Score against score', across: 'score of player 1', up: 'score of player 2' },
  };
  const cells = (map, i) => {
    if (map !== 'both') {
      return alone(+map, i).map(([score, place, count]) => [place, score, big(count) * others(+map, i)]);
    }
    const [first, second] = [0, 1].map((player) => {
      const scores = new Map();
      for (const [score, , count] of alone(player, i)) collect(scores, score, big(count));
      return [...scores];
    });
    return first.flatMap(([across, one]) => second.map(([up, two]) => [across, up, one * two]));
  };

  const PAWNS = [
    ['...kkkkk', '..kaaaaak', '..kabaaak', '..kaaaaak', '..kaaaaak', '...kaaak', '..kkaaakk', '...kaaak', '...kabak',
      '..kabaaak', '.kaaaaaaak', '.kkkkkkkkk', 'kaaaaaaaaak', 'kkkkkkkkkkk'],
    ['.....k', '....kak', '...kabak', '..kabaaak', '..kaaaaak', '...kaaak', '..kkaaakk', '...kaaak', '...kabak',
      '..kabaaak', '.kaaaaaaak', '.kkkkkkkkk', 'kaaaaaaaaak', 'kkkkkkkkkkk'],
  ];
  const colours = (player) => ({ k: 'var(--ink)', a: `var(--${COLOURS[player]})`, b: 'var(--panel)' });
  const pawnPicture = (player, scale) => kit.sprite(PAWNS[player], colours(player), { scale });
  // The order in which the pixels of a pawn fade.
  const DITHER = [0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5];
  const cloud = (player, density) => kit.sprite(PAWNS[player].map((row, y) => [...row].map((pixel, x) =>
    (DITHER[(y % 4) * 4 + (x % 4)] < density * 16 ? pixel : '.')).join('').padEnd(11, '.')), colours(player));

  // The track: place 1 at the top, then clockwise. Whole numbers keep the pixels crisp.
  const SIZE = 350, TILE = 66;
  const centre = (number) => {
    const angle = ((number - 1) / PLACES) * 2 * Math.PI;
    return [SIZE / 2 + Math.round(138 * Math.sin(angle)), SIZE / 2 - Math.round(138 * Math.cos(angle))];
  };
  const rect = (x, y, width, height, attributes) => svg('rect', { x, y, width, height, ...attributes });
  const text = (x, y, attributes, words) => svg('text', { x, y, 'text-anchor': 'middle', ...attributes }, words);
  const tiles = Array.from({ length: PLACES }, (_, index) => {
    const [x, y] = centre(index + 1).map((middle) => middle - TILE / 2), inside = svg('g');
    return { x, y, inside, shade: rect(x + 4, y + 4, TILE, TILE, { class: 'shade' }), element: svg('g', {},
      rect(x, y, TILE, TILE, { class: index % 2 ? 'tile even' : 'tile' }),
      text(x + TILE / 2, y + 15, {}, `${index + 1}`), inside) };
  });
  const die = (x) => svg('g', { class: 'die' },
    rect(x + 3, 152, 44, 44, { class: 'shade' }), rect(x, 149, 44, 44, { class: 'tile' }),
    [1, 2, 3].map((face) => text(x + 11 * face, 149 + 13 * face, {}, `${face}`)));
  const above = text(SIZE / 2, 137, { class: 'said' }), below = text(SIZE / 2, 214, { class: 'said' });
  const lower = text(SIZE / 2, 230, { class: 'said' });
  const track = svg('svg', { class: 'track-map', viewBox: `0 0 ${SIZE} ${SIZE}`, role: 'img' },
    svg('polygon', { points: tiles.map((_, index) => centre(index + 1).join(' ')).join(' '), class: 'ring' }),
    tiles.map(({ shade }) => shade), tiles.map(({ element }) => element),
    [102, 153, 204].map(die), above, below, lower);
  const shares = (player, i) => {
    const places = new Map();
    for (const [, place, count] of alone(player, i)) collect(places, place, big(count));
    const all = big(players[player].short[taken(player, i)]);
    return new Map([...places].map(([place, count]) => [place, Number((count * 100000n) / all) / 1000]));
  };
  const percent = (share) => (share < 1 ? '<1%' : `${Math.round(share)}%`);
  const drawTrack = (i) => {
    const both = goOn[i] > 0n ? [0, 1].map((player) => shares(player, i)) : [new Map(), new Map()];
    const most = both.map((places) => Math.max(...places.values()));
    tiles.forEach(({ x, y, inside }, index) => inside.replaceChildren(...both.flatMap((places, player) => {
      const share = places.get(index + 1);
      if (share === undefined) return [];
      const picture = cloud(player, Math.max(1 / 16, share / most[player])), left = x + (player ? 37 : 7);
      picture.setAttribute('x', left);
      picture.setAttribute('y', y + 20);
      return [picture, text(left + 11, y + 60, { class: `share ${COLOURS[player]}` }, percent(share))];
    })));
    above.textContent = i === 0 ? 'player 1 begins' : `player ${mover(i) + 1} rolled`;
    above.setAttribute('class', i === 0 ? 'said' : `said ${COLOURS[mover(i)]}`);
    below.textContent = goOn[i] > 0n ? short(goOn[i]) : 'all games';
    lower.textContent = goOn[i] > 1n ? 'universes' : goOn[i] > 0n ? 'universe' : 'are over';
    const sorted = (places) => [...places].sort(([one], [other]) => one - other);
    const spoken = both.map((places, player) => `player ${player + 1}: ${sorted(places)
      .map(([place, share]) => `place ${place} ${percent(share)}`).join(', ')}`);
    track.setAttribute('aria-label',
      goOn[i] > 0n ? `Where the pawns are. ${spoken.join('; ')}` : 'The track is empty: all games are over.');
  };

  // The map of the chosen kind.
  let kind = '0';
  const map = svg('svg', { class: 'map', role: 'img' });
  const scale = el('p', { class: 'dim scale' });
  const drawMap = (i) => {
    const { across, up, words } = MAPS[kind];
    const columns = kind === 'both' ? goal : PLACES, first = kind === 'both' ? 0 : 1;
    const wide = kind === 'both' ? 18 : 36, high = 18, left = 44, top = 10;
    const found = goOn[i] > 0n ? cells(kind, i) : [], logs = found.map(([, , count]) => log(count));
    const low = Math.min(...logs), span = Math.max(...logs) - low;
    const colour = kind === 'both' ? 'three' : COLOURS[kind];
    const height = goal * high, width = columns * wide;
    map.setAttribute('viewBox', `0 0 ${left + 378 + 6} ${top + height + 40}`);
    map.setAttribute('aria-label', `${words}: ${found.length} combinations occur. The table below has their figures.`);
    map.replaceChildren(rect(left, top, width, height, { class: 'ground' }),
      svg('path', { class: 'lines', d: [...Array(goal + 1).keys()].map((row) =>
        `M${left} ${top + row * high}h${width}`).join('') +
        [...Array(columns + 1).keys()].map((column) => `M${left + column * wide} ${top}v${height}`).join('') }),
      ...[0, 5, 10, 15, 20].map((score) => svg('text',
        { x: left - 6, y: top + height - score * high - 5, 'text-anchor': 'end' }, `${score}`)),
      ...[...Array(columns).keys()].filter((column) => kind !== 'both' || column % 5 === 0).map((column) =>
        text(left + (column + .5) * wide, top + height + 15, {}, `${column + first}`)),
      text(left + width / 2, top + height + 33, {}, across),
      svg('text', { transform: `translate(12 ${top + height / 2}) rotate(-90)`, 'text-anchor': 'middle' }, up),
      ...found.map(([column, score, count], index) => {
        const level = span > 0 ? (logs[index] - low) / span : 1, tall = 4 + Math.round(level * 5) * 2;
        const broad = kind === 'both' ? tall : 2 * tall + 2;
        const x = left + (column - first) * wide + (wide - broad) / 2, y = top + height - (score + 1) * high;
        return rect(x, y + (high - tall) / 2,
          broad, tall, { class: `cell ${colour}`, 'fill-opacity': (.45 + .55 * level).toFixed(2) });
      }).map((cell, index) => {
        const [column, score, count] = found[index];
        cell.append(svg('title', {}, `${across} ${column}, ${up} ${score}: ${universes(count)}`));
        return cell;
      }));
    const counts = found.map(([, , count]) => count).sort((one, other) => (one < other ? -1 : +(one > other)));
    scale.textContent = found.length === 0 ? 'No game goes on.' : counts[0] === counts.at(-1) ?
      `Every block stands for ${universes(counts[0])}.` :
      `The smallest block stands for ${short(counts[0])}, the largest for ${short(counts.at(-1))} universes ` +
      '(logarithmic).';
    figures.refresh(found.sort((one, other) => one[1] - other[1] || one[0] - other[0]).map(([column, score, count]) =>
      [`${across} ${column}`, `${up} ${score}`, grouped(count)]));
  };
  const figures = kit.table('This picture as a table', ['Across', 'Up', 'Universes'], []);

  // Universes by turn, on a logarithmic scale: those that go on, and those that the turn's player wins.
  const WIDE = 660, HIGH = 220, LEFT = 70, HEAD = 22;
  const TOP = Math.ceil(Math.max(...[...goOn, ...wonIn].filter(Boolean).map(log)));
  const rise = (count) => (count > 0n ? Math.max(3, Math.round((HIGH * log(count)) / TOP)) : 0);
  const step = Math.floor((WIDE - LEFT) / (end + 1)), half = Math.floor(step / 2) - 2;
  const scaleLines = [...Array(Math.floor(TOP / 3) + 1).keys()].map((index) => {
    const y = HEAD + HIGH - Math.round((HIGH * 3 * index) / TOP);
    return [rect(LEFT, y, WIDE - LEFT, 1, { class: 'rule' }),
      svg('text', { x: LEFT - 6, y: y + 5, 'text-anchor': 'end' }, index ? raised(3 * index) : '1')];
  });
  const bars = goOn.map((count, turn) => {
    const x = LEFT + turn * step + 1, column = (from, amount, colour) =>
      rect(from, HEAD + HIGH - rise(amount), half, rise(amount), { class: colour });
    return svg('g', {}, column(x, count, 'going'),
      turn > 0 ? column(x + half + 1, wonIn[turn - 1], COLOURS[mover(turn)]) : null,
      turn % 2 === 0 ? text(x + half, HEAD + HIGH + 26, { class: turn % 4 ? 'minor' : null }, `${turn}`) : null);
  });
  const now = rect(0, HEAD - 6, step, HIGH + 38, { class: 'now' });
  const growth = svg('svg', { class: 'growth', viewBox: `0 0 ${WIDE} ${HEAD + HIGH + 34}`, role: 'img',
    'aria-label': 'Universes by turn. The table below has the figures.' }, now, scaleLines, bars);

  // One turn: 27 universes, seven sums.
  const CUBE = 16;
  const branching = svg('svg', {
    class: 'branching', viewBox: `0 0 ${ways.length * 40} ${Math.max(...ways) * CUBE + 42}`, role: 'img',
    'aria-label': ways.map((count, index) => `sum ${index + least}: ${count}`).join(', '),
  },
  ways.map((count, index) => {
    const foot = Math.max(...ways) * CUBE + 18, x = index * 40 + 20;
    return svg('g', {}, [...Array(count).keys()].map((level) =>
      rect(x - 10, foot - (level + 1) * CUBE + 1, 20, CUBE - 3, { class: 'cube' })),
    text(x, foot - count * CUBE - 4, { class: 'many' }, `${count}`), text(x, foot + 18, {}, `${index + least}`));
  }));

  const flow = el('dl', { class: 'flow' }), share = COLOURS.map((colour) => el('div', { class: colour }));
  const shareWords = COLOURS.map((colour) => el('p', { class: colour }));
  const result = el('p', { class: 'result' });
  const wonBox = el('div', { class: 'box' }, el('h2', {}, 'Won so far'),
    shareWords[0], el('div', { class: 'shares' }, share), shareWords[1], result);
  const drawFigures = (i) => {
    const lines = i === 0 ? [['The game begins in', universes(1n)]] : [['Before this turn', universes(goOn[i - 1])],
      [`Times ${SPLIT}`, universes(goOn[i - 1] * BigInt(SPLIT))],
      [`Player ${mover(i) + 1} wins in`, universes(wonIn[i - 1])],
      ['The game goes on in', universes(goOn[i])]];
    flow.replaceChildren(...lines.map(([what, count]) => el('div', {}, el('dt', {}, what), el('dd', {}, count))));
    const both = wonUntil[i], all = both[0] + both[1];
    both.forEach((count, player) => {
      const part = all > 0n ? Number((count * 10000n) / all) / 100 : 0;
      share[player].style.width = `${part}%`;
      const words = all > 0n ? ` (${part.toFixed(1)} %)` : '';
      shareWords[player].textContent = `Player ${player + 1}: ${universes(count)}${words}`;
    });
    const most = big(wins[0]) > big(wins[1]) ? wins[0] : wins[1];
    result.replaceChildren(...(i < end ? ['The answer is the larger number at the end.'] :
      ['All games are over. The answer is ', el('b', { class: 'answer' }, most), '.']));
  };

  const name = (i) => {
    if (i === 0) return `Start: one universe, player 1 on place ${starts[0]}, player 2 on place ${starts[1]}.`;
    const wins = wonIn[i - 1] > 0n ? `wins in ${short(wonIn[i - 1])} of them` : 'wins in none of them';
    return `Turn ${i}: player ${mover(i) + 1} rolls three times. ` +
      `That makes ${short(goOn[i - 1] * BigInt(SPLIT))} universes. ` +
      `Player ${mover(i) + 1} ${wins}.${i === end ? ' No game goes on.' : ''}`;
  };

  let before = 0;
  const show = (i, { animated }) => {
    drawTrack(i);
    drawMap(i);
    drawFigures(i);
    now.setAttribute('x', LEFT + i * step - 1);
    bars.forEach((bar, turn) => bar.setAttribute('class', turn > i ? 'later' : 'past'));
    if (animated) kit.sound(i === end ? 'win' : 'card');
    if (i === end && before === end - 1) {
      const [one, two] = wins.map(big), better = one > two ? 0 : 1;
      kit.dialog({
        title: one === two ? 'Both players win equally often' : `Player ${better + 1} wins more often`,
        picture: pawnPicture(better, 6),
        text: [`Player 1 wins in ${universes(one)},`, `player 2 in ${universes(two)}.`],
        buttons: [{ label: 'Close' }, { label: 'Once more', on: () => steps.go(0) }],
      });
    }
    before = i;
  };

  const { board, panel } = kit.stage({
    title: 'Dirac dice: the quantum die',
    intro: 'Every roll of this die splits the universe into three. A turn takes three rolls, so one universe ' +
      `becomes ${SPLIT}. The pawns fade into clouds: the denser a pawn, the more universes have it there. A game ` +
      `ends when a player has ${goal}.`,
  });
  const steps = kit.steps({ count: end, show, name, delay: 1200 });
  const kinds = Object.entries(MAPS).map(([key, { words }]) => [key, words]);
  const legend = [['going', 'the game goes on'], ['one', 'player 1 wins'], ['two', 'player 2 wins']];
  board.append(
    el('div', { class: 'pair' }, el('div', {}, track, el('p', {}, COLOURS.map((colour, player) =>
      el('span', { class: `who ${colour}` }, pawnPicture(player, 2), `player ${player + 1}`))),
    el('p', { class: 'dim' }, 'The percentages are shares of the universes in which the game goes on.')),
    el('div', {}, kit.choice('Where the universes are', kinds, kind, (chosen) => {
      kind = chosen;
      drawMap(steps.at);
    }), map, scale, figures)),
    el('div', { class: 'box' }, el('h2', {}, 'Universes by turn'), growth,
      el('p', { class: 'legend' }, legend.map(([colour, words]) =>
        el('span', {}, el('i', { class: `patch ${colour}` }), words))),
      kit.table('All turns as a table', ['Turn', 'Player', 'Before', `Times ${SPLIT}`, 'Won', 'Goes on'],
        wonIn.map((count, index) =>
          [index + 1, index % 2 + 1,
            ...[goOn[index], goOn[index] * BigInt(SPLIT), count, goOn[index + 1]].map(grouped)]))));
  panel.append(steps.element, el('div', { class: 'box' }, el('h2', {}, 'This turn'), flow), wonBox,
    el('div', { class: 'box' }, el('h2', {}, 'What three rolls do'), branching,
      el('p', { class: 'dim' }, `Below are the sums, above in how many of the ${SPLIT} universes they come.`)));
})();

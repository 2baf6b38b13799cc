// Touch numbers, the bot: the conversation of a submission and the judge, replayed with the hands of both.
'use strict';
(() => {
  const { el, data } = kit;
  const SIDES = ['left', 'right'], MOVES = ['ll', 'lr', 'rl', 'rr'];
  const plural = (count, word) => `${count} ${word}${count === 1 ? '' : 's'}`;

  // Five rows of three pixels for each digit: one octal figure a row.
  const DIGITS = ['75557', '26227', '71747', '71717', '55711', '74717', '74757', '71111', '75757', '75717'];

  /** A hand of as many fingers as its digit says. A far one belongs to the player opposite, and points down. */
  const hand = (digit, look) => {
    const key = `${digit}${JSON.stringify(look)}`;
    if (!drawn.has(key)) drawn.set(key, drawHand(digit, look));
    return drawn.get(key).cloneNode(true);
  };
  const drawn = new Map();
  const drawHand = (digit, { right = false, far = false, colour, scale = 4 }) => {
    const width = 35, grid = Array.from({ length: 34 }, () => Array(width).fill('.'));
    const block = (x, y, across, down, pixel = 'h') => {
      for (let j = y; j < y + down; j++) grid[j].fill(pixel, x, x + across);
    };
    // Four fingers and a thumb, like anybody's. Who has to show more than five grows more fingers.
    const fingers = Math.max(4, digit - 1), pitch = [5, 5, 4, 4, 3][fingers - 4] ?? 5, palm = fingers * pitch - 1;
    const left = Math.floor((29 - palm) / 2);
    for (let i = 0; i < fingers; i++) {
      const x = left + i * pitch, up = fingers - i <= digit, aside = Math.abs(2 * i - fingers + 1) / fingers;
      const top = up ? 2 + Math.round(4 * aside * aside) : 10;
      block(x, top, pitch - 1, 15 - top, up ? 'h' : 's');
      if (pitch > 3) grid[top][x] = grid[top][x + pitch - 2] = '.';
    }
    block(left, 14, palm, 12);
    if (digit < 5) block(left + palm, 17, 2, 5, 's');
    else {
      block(left + palm, 16, 5, 5);
      block(left + palm + 2, 10, 4, 9);
    }
    block(left + 2, 26, palm - 4, 2, 's');
    block(left, 28, palm, 4, 'c');
    let [x, y] = [left + Math.floor(palm / 2) - 2, 15];
    if (right !== far) x = width - 6 - x;
    if (right) grid.forEach((row) => row.reverse());
    if (far) {
      grid.reverse().forEach((row) => row.reverse());
      y = 9;
    }
    const bare = (i, j) => (grid[j]?.[i] ?? '.') === '.';
    const rows = grid.map((row, j) => row.map((pixel, i) => {
      const around = [bare(i - 1, j), bare(i, j - 1), bare(i + 1, j), bare(i, j + 1)];
      if (pixel === '.') return around.every(Boolean) ? '.' : 'k';
      return pixel !== 'h' ? pixel : around[0] || around[1] ? 'l' : around[2] || around[3] ? 's' : 'h';
    }));
    [...DIGITS[digit]].forEach((line, j) => {
      for (let i = 0; i < 6; i++) {
        if (line >> (2 - (i >> 1)) & 1) rows[y + 2 * j][x + i] = rows[y + 2 * j + 1][x + i] = 'd';
      }
    });
    const mix = (share, other) => `color-mix(in srgb, ${colour} ${share}%, ${other})`;
    return kit.sprite(rows.map((row) => row.join('')), {
      h: colour, l: mix(72, '#fff'), s: mix(76, '#000'), c: mix(40, 'var(--panel)'), k: mix(30, '#000'),
      d: 'var(--on)',
    }, { scale });
  };

  // The hands of the submission, then those of the judge; and the values are those for the submission.
  const states = data.states.match(/.{4}/g).map((text) => [...text].map(Number));
  const moves = [...data.moves].map(Number), { drops, end } = data;
  const faulty = end !== null && !['finished', 'limit'].includes(end.why);
  const count = moves.length + (faulty ? 1 : 0);
  const isBots = (ply) => (ply % 2 === 0) === data.botFirst;
  const VALUES = { W: 'a win', D: 'a draw', L: 'a loss' };
  const value = (at) => {
    const left = data.plies[at], word = VALUES[data.values[at]];
    return data.values[at] === 'D' || left === 0 ? word : `${word} in ${plural(left, 'move')}`;
  };
  /** Bytes of the submission as text: whatever is not plain ASCII is written as a number. */
  const quote = (bytes) => bytes.map((byte) => (byte === 92 ? '\\\\' : byte >= 32 && byte < 127 ?
    String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, '0')}`)).join('');

  const what = (ply) => {
    const [mine, theirs] = [moves[ply] >> 1, moves[ply] & 1], own = isBots(ply) ? 0 : 2;
    const digits = [states[ply][own + mine], states[ply][2 - own + theirs]];
    return { digits, result: states[ply + 1][own + mine], mine, theirs };
  };
  const who = (ply) => (isBots(ply) ? 'the submission' : 'the judge');
  const kept = (ply) => MOVES.filter((_, move) => parseInt(data.keeping[ply], 16) >> move & 1).join(' or ');
  const dropWords = (ply) => `turned ${VALUES[data.values[ply]]} into ${VALUES[data.values[ply + 1]]}`;
  const FAULTS = {
    malformed: 'This line is no move.', illegal: 'This move needs a hand that shows 0.',
    long: 'This line is much longer than a move. The judge did not read the rest.',
    closed: 'The output of the submission ended instead of a move.',
    unreadable: 'The output of the submission could not be read.',
  };
  const endWords = () => {
    if (end === null) return `The record stops here, while ${who(moves.length)} was to move.`;
    if (faulty) return `${FAULTS[end.why]} The judge says LOSE: rejected.`;
    if (end.why === 'finished') {
      return end.accepted ? 'The submission has two fists. The judge says WIN: accepted.' :
        'The judge has two fists and says LOSE: rejected.';
    }
    return `Nobody has won after ${plural(moves.length, 'move')}. The judge says DRAW: ${end.accepted ?
      'accepted, because the submission could never have forced a win.' :
      `rejected, because the submission could have forced a win from move ${data.couldWin + 1} on.`}`;
  };
  const name = (at) => {
    const parts = [];
    if (at === 0) parts.push(`The start: ${data.botFirst ? 'the submission' : 'the judge'} begins.`);
    else if (at <= moves.length) {
      const { digits, result, mine, theirs } = what(at - 1);
      parts.push(`Move ${at}, ${who(at - 1)}: ${SIDES[mine]} ${digits[0]} touches ${SIDES[theirs]} ${digits[1]} and ` +
        `becomes ${result}.`);
      if (drops.includes(at - 1)) parts.push(`This ${dropWords(at - 1)}.`);
    }
    if (at === count) parts.push(endWords());
    return parts.join(' ');
  };

  const { board, panel } = kit.stage({
    title: 'Touch numbers: the bot',
    intro: 'A submission plays against the judge. Of the two letters of a move, the first is the own hand, left or ' +
      'right, the second the hand that it touches. Whoever has two fists wins.',
  });

  const makeHand = () => {
    const picture = el('span', { class: 'picture' }), figure = el('b'), caption = el('span', { class: 'caption' });
    return { box: el('div', { class: 'hand' }, picture, el('p', {}, figure, ' ', caption)), picture, figure, caption };
  };
  const hands = [0, 1, 2, 3].map(makeHand);
  hands.forEach(({ caption }, i) => { caption.textContent = SIDES[i % 2]; });
  const names = [el('h2', { class: 'one' }), el('h2', { class: 'two' })];
  const sum = el('p', { class: 'sum', 'aria-hidden': 'true' }), sent = el('p', { class: 'sent' });
  const mark = el('p', { class: 'mark bad' }), worth = el('p', { class: 'worth' });
  // Who sits opposite has the left hand on the reader's right.
  const arena = el('div', { class: 'arena' }, names[1], el('div', { class: 'pair' }, hands[3].box, hands[2].box),
    el('div', { class: 'middle' }, sum, sent, mark),
    el('div', { class: 'pair' }, hands[0].box, hands[1].box), names[0]);
  board.append(arena, worth);

  let values = false, animation = null;
  const draw = (at) => {
    states[Math.min(at, moves.length)].forEach((digit, i) => {
      const made = hands[i];
      if (made.digit === digit) return;
      const colour = digit === 0 ? 'var(--dim)' : i < 2 ? 'var(--one)' : 'var(--two)';
      made.picture.replaceChildren(hand(digit, { right: i % 2 === 1, far: i > 1, colour }));
      made.figure.textContent = made.digit = digit;
    });
    ['Submission', 'Judge'].forEach((text, i) => {
      const turn = at < count && isBots(at) === (i === 0);
      names[i].textContent = turn ? `${text}, to move` : text;
      names[i].classList.toggle('turn', turn);
    });
  };
  const show = (at, { animated }) => {
    clearTimeout(animation);
    const ply = at - 1, wrong = at > moves.length, drop = drops.includes(ply);
    sum.textContent = sent.textContent = mark.textContent = '';
    sum.className = `sum ${at > 0 && isBots(ply) ? 'one' : 'two'}`;
    arena.classList.toggle('thrown', drop || wrong);
    if (wrong) {
      sent.append('The submission sent ', end.line.length ? el('code', {}, quote(end.line)) : 'nothing');
      mark.textContent = `✗ ${FAULTS[end.why]}`;
    } else if (at === 0) {
      sent.append('The judge sent ', el('code', {}, data.botFirst ? 'first' : 'second'), ' and ',
        el('code', {}, states[0].join(' ')));
    } else {
      const { digits, result } = what(ply);
      sum.append(`${digits[0]} + ${digits[1]} = ${digits[0] + digits[1] > 9 ? '1' : ''}`, el('b', {}, result));
      sent.append(isBots(ply) ? 'The submission sent ' : 'The judge sent ', el('code', {}, MOVES[moves[ply]]));
      if (drop) mark.textContent = `✗ This ${dropWords(ply)}. Better: ${kept(ply)}.`;
    }
    worth.hidden = !values;
    worth.textContent = !values ? '' : at > 0 && !wrong ?
      `For the submission: ${value(at - 1)} before this move, ${value(at)} after it.` :
      `For the submission this position is ${value(Math.min(at, moves.length))}.`;
    for (const [i, row] of rows.entries()) row.classList.toggle('now', i === at - 1);
    const row = rows[at - 1] ?? rows[0];
    if (row) talk.scrollTop = row.offsetTop - talk.clientHeight / 2;
    if (!animated || at === 0 || wrong) {
      draw(at);
      return;
    }
    const { result, mine, theirs } = what(ply), own = isBots(ply) ? 0 : 2;
    kit.sound(at === count && end ? end.accepted ? 'win' : 'lose' : drop ? 'bad' : result === 0 ? 'take' : 'card');
    const from = hands[own + mine].picture, to = hands[2 - own + theirs].picture;
    const [one, two] = [from, to].map((picture) => picture.getBoundingClientRect());
    from.style.setProperty('--x', `${(two.x - one.x) * .8}px`);
    from.style.setProperty('--y', `${(two.y - one.y) * .55}px`);
    draw(at - 1);
    for (const [picture, motion] of [[from, 'touching'], [to, 'touched']]) {
      picture.classList.remove('touching', 'touched');
      picture.getBoundingClientRect();
      picture.classList.add(motion);
      picture.addEventListener('animationend', () => picture.classList.remove(motion), { once: true });
    }
    animation = setTimeout(() => draw(at), 260);
  };

  // The lines of both sides, as they were sent.
  const rows = [];
  const talkRow = (number, side, text, note) => el('li', { class: side },
    el('span', { class: 'number' }, number), el('span', { class: 'who' }, side === 'bot' ? 'submission' : 'judge'),
    el('code', {}, text), note);
  const told = el('ol', { class: 'talk' }, talkRow('', 'judge', data.botFirst ? 'first' : 'second', null),
    talkRow('', 'judge', states[0].join(' '), null));
  moves.forEach((move, ply) => {
    const drop = drops.includes(ply);
    const row = talkRow(`${ply + 1}`, isBots(ply) ? 'bot' : 'judge', MOVES[move],
      drop ? el('b', { class: 'bad' }, `✗ ${dropWords(ply)}`) : null);
    row.append(el('span', { class: 'value dim' }, `${data.values[ply + 1]}${data.values[ply + 1] === 'D' ? '' :
      data.plies[ply + 1]}`));
    rows.push(row);
  });
  if (faulty) {
    rows.push(talkRow(`${count}`, 'bot', end.line.length ? quote(end.line) : '(nothing)',
      el('b', { class: 'bad' }, `✗ ${FAULTS[end.why]}`)));
  }
  told.append(...rows, end ? talkRow('', 'judge', end.result, null) : '');
  const talk = el('div', { class: 'scroll lines', tabindex: 0, role: 'region', 'aria-label': 'All lines sent' }, told);

  const steps = kit.steps({ count, show, name, delay: 1000 });
  const thrown = drops.map((ply) => el('li', {}, kit.button(`Move ${ply + 1}, ${MOVES[moves[ply]]}`, () => {
    steps.stop();
    steps.go(ply + 1);
  }), ` ${dropWords(ply)}`));
  const STYLES = { best: 'always plays its best', random: 'plays at random', mixed: 'plays now well, now at random' };
  panel.append(steps.element,
    el('section', { class: `box ${end?.accepted ? 'accepted' : 'rejected'}` },
      el('h2', {}, end === null ? 'No result' : end.accepted ? '✓ Accepted' : '✗ Rejected'), el('p', {}, endWords()),
      drops.length ? [el('p', {}, 'What the submission gave away:'), el('ul', { class: 'drops' }, thrown)] :
        el('p', {}, end?.why === 'limit' && !end.accepted ? 'Its moves kept the win, but did not get nearer to it.' :
          moves.length ? 'No move of the submission gave anything away.' : 'There was no move.'),
      el('p', { class: 'dim' }, `The judge ${STYLES[data.style]}.`)),
    kit.toggle('Show what positions are worth', false, (on) => {
      values = on;
      talk.classList.toggle('values', on);
      steps.go(steps.at);
    }),
    el('section', { class: 'box' }, el('h2', {}, 'Lines sent'), talk,
      el('p', { class: 'dim legend' }, 'The right column is for the submission: W a win, D a draw, L a loss, and in ' +
        'how many moves of both sides.')));
})();

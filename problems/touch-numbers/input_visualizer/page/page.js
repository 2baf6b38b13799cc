// Touch numbers: a game against a bot that gives nothing away, or the whole strategy as a booklet to be printed.
'use strict';
(() => {
  const { el, data } = kit;
  const SIDES = ['left', 'right'];
  const digitsOf = (text) => [...text].map(Number);
  const plural = (count, word) => `${count.toLocaleString('en')} ${word}${count === 1 ? '' : 's'}`;

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

  const game = () => {
    // A position is the hands of the reader, those of the bot, and who is to move. A move is 2 × own hand + other hand.
    const { values, best } = data;
    const seen = ({ hands: [a, b, c, d], you }) => (you ? [a, b, c, d] : [c, d, a, b]);
    const index = (position) => Number(seen(position).join(''));
    const plies = (position) => (values[index(position)] === '-' ? null : values.charCodeAt(index(position)) - 97);
    /** 2 if the player to move wins, 1 for a draw, 0 for a loss. */
    const worth = (position) => (plies(position) === null ? 1 : plies(position) % 2 * 2);
    const after = (position, move) => {
      const [mine, theirs] = [move >> 1, move & 1], own = position.you ? 0 : 2;
      const hands = [...position.hands], added = hands[2 - own + theirs];
      if (!hands[own + mine] || !added) return null;
      hands[own + mine] = (hands[own + mine] + added) % 10;
      return { hands, you: !position.you };
    };
    const legal = (position) => [0, 1, 2, 3].filter((move) => after(position, move));
    const keeps = (position, move) => worth(after(position, move)) === 2 - worth(position);
    const winner = ({ hands: [a, b, c, d] }) => (a + b === 0 ? 'you' : c + d === 0 ? 'bot' : null);
    // Left and right change nothing, so positions that differ only in them are the same.
    const key = (position) => {
      const [a, b, c, d] = position.hands;
      return `${position.you}${[a, b].sort()}${[c, d].sort()}`;
    };

    const options = { first: 'you', start: '1111', values: false };
    let line;
    const begin = () => {
      const [a, b, c, d] = digitsOf(options.start), you = options.first === 'you';
      line = { positions: [{ hands: you ? [a, b, c, d] : [c, d, a, b], you }], moves: [], agreed: false, told: false };
      if (!you) botMoves();
    };
    const last = () => line.positions[line.moves.length];
    const play = (move) => {
      line.positions.push(after(last(), move));
      line.moves.push(move);
    };
    /** When the position with so many moves was there for the first time, if it was there before. */
    const before = (at) => {
      const now = key(line.positions[at]);
      const found = line.positions.slice(0, at).findIndex((position) => key(position) === now);
      return found < 0 ? null : found;
    };
    // It never gives anything away. In a draw it goes where the reader can go wrong, and rather to somewhere new.
    const botMoves = () => {
      const position = last(), known = new Set(line.positions.map(key));
      const good = legal(position).filter((move) => keeps(position, move));
      const wanted = good.filter((move) => parseInt(best[index(position)], 16) >> move & 1);
      const fresh = (moves) => moves.filter((move) => !known.has(key(after(position, move))));
      const draw = worth(position) === 1;
      const choice = [draw ? fresh(wanted) : wanted, fresh(good), wanted].find((some) => some.length);
      play(choice[Math.floor(Math.random() * choice.length)]);
    };
    const over = (at) => winner(line.positions[at]) ?? (line.agreed && at === line.moves.length ? 'nobody' : null);

    const { board, panel } = kit.stage({
      title: 'Touch numbers',
      intro: 'Touch a hand of the bot with one of yours: yours then shows the sum, without the tens. ' +
        'A fist, 0, can neither touch nor be touched. Whoever has two fists wins.',
    });

    let chosen = null, waiting = null, animation = null;
    const KEYS = { you: ['A', 'S'], bot: ['W', 'Q'] };
    const makeHand = (who, side) => {
      const picture = el('span', { class: 'picture' }), figure = el('b'), value = el('span', { class: 'value' });
      const key = KEYS[who][side], click = () => choose(who, side);
      const caption = el('span', { class: 'caption' }, el('span', { class: 'hidden' }, who === 'you' ? 'Your ' : 'The bot’s '),
        `${SIDES[side]} `, figure, el('kbd', { 'aria-hidden': 'true' }, key));
      const button = el('button', { type: 'button', class: `hand ${who}`, 'aria-keyshortcuts': key, on: { click } },
        picture, caption, value);
      return { button, picture, figure, value, digit: null };
    };
    const hands = { you: [makeHand('you', 0), makeHand('you', 1)], bot: [makeHand('bot', 0), makeHand('bot', 1)] };
    const sum = el('p', { class: 'sum', 'aria-hidden': 'true' }), hint = el('p', { class: 'hint' });
    const note = el('p', { class: 'note' });
    const names = { you: el('h2', { class: 'one' }), bot: el('h2', { class: 'two' }) };
    // Who sits opposite has the left hand on the reader's right.
    const arena = el('div', { class: 'arena' },
      names.bot, el('div', { class: 'pair' }, hands.bot[1].button, hands.bot[0].button),
      el('div', { class: 'middle' }, sum, hint),
      el('div', { class: 'pair' }, hands.you[0].button, hands.you[1].button), names.you);
    board.append(arena, note);

    const draw = (position, { ready, end }) => {
      for (const who of ['you', 'bot']) {
        const mover = (who === 'you') === position.you && !end;
        names[who].textContent = (who === 'you' ? 'You' : 'The bot') + (mover ? ', to move' : '');
        names[who].classList.toggle('turn', mover);
        for (const side of [0, 1]) {
          const made = hands[who][side], digit = position.hands[(who === 'you' ? 0 : 2) + side];
          if (made.digit !== digit) {
            const colour = digit === 0 ? 'var(--dim)' : who === 'you' ? 'var(--one)' : 'var(--two)';
            made.picture.replaceChildren(hand(digit, { right: side === 1, far: who === 'bot', colour }));
            made.digit = digit;
            made.figure.textContent = digit;
          }
          const usable = ready && digit > 0 && (who === 'you' || chosen !== null);
          const target = usable && who === 'bot';
          made.value.textContent = target && options.values ? worthWords(position, 2 * chosen + side) : '';
          made.button.setAttribute('aria-disabled', !usable);
          made.button.classList.toggle('target', target);
          if (who === 'you') made.button.setAttribute('aria-pressed', usable && chosen === side);
        }
      }
    };

    /** What a move is worth to who makes it, in words. */
    const worthWords = (position, move) => {
      const next = after(position, move), left = plies(next);
      return left === null ? 'draw' : `${left % 2 ? 'loss' : 'win'} in ${left + 1}`;
    };
    const moveWords = (position, move) => {
      const [mine, theirs] = [move >> 1, move & 1], own = position.you ? 0 : 2;
      const digits = [position.hands[own + mine], position.hands[2 - own + theirs]];
      return { digits, result: (digits[0] + digits[1]) % 10, mine: SIDES[mine], theirs: SIDES[theirs] };
    };
    const endWords = (end) => ({ you: 'You have won.', bot: 'The bot has won.', nobody: 'You agreed on a draw.' })[end];
    const name = (at) => {
      const position = line.positions[at], end = over(at), [a, b, c, d] = position.hands, seenAt = before(at);
      const parts = [];
      if (at === 0) parts.push(`The start: you have ${a} and ${b}, the bot has ${c} and ${d}.`);
      else {
        const { digits, result, mine, theirs } = moveWords(line.positions[at - 1], line.moves[at - 1]);
        const mover = position.you ? 'the bot' : 'you';
        parts.push(`Move ${at}, ${mover}: ${mine} ${digits[0]} touches ${theirs} ${digits[1]} and becomes ${result}.`);
      }
      if (end) parts.push(endWords(end));
      else if (seenAt !== null) parts.push('This position was there before.');
      if (!end) parts.push(position.you ? 'It is your move.' : 'The bot is to move.');
      return parts.join(' ');
    };

    const show = (at, { animated }) => {
      clearTimeout(waiting);
      clearTimeout(animation);
      chosen = null;
      const position = line.positions[at], end = over(at), move = line.moves[at - 1];
      const finish = () => {
        draw(position, { ready: position.you && !end, end });
        tell(at);
      };
      sum.textContent = '';
      if (move !== undefined) {
        const { digits, result } = moveWords(line.positions[at - 1], move);
        sum.textContent = `${digits[0]} + ${digits[1]} = ${digits[0] + digits[1] > 9 ? '1' : ''}`;
        sum.append(el('b', {}, result));
        sum.className = `sum ${position.you ? 'two' : 'one'}`;
        if (animated) {
          kit.sound(result === 0 ? 'take' : 'card');
          const mover = position.you ? 'bot' : 'you', other = position.you ? 'you' : 'bot';
          const from = hands[mover][move >> 1].picture, to = hands[other][move & 1].picture;
          const [one, two] = [from, to].map((picture) => picture.getBoundingClientRect());
          from.style.setProperty('--x', `${(two.x - one.x) * .8}px`);
          from.style.setProperty('--y', `${(two.y - one.y) * .55}px`);
          draw(line.positions[at - 1], { ready: false, end: null });
          for (const [picture, motion] of [[from, 'touching'], [to, 'touched']]) {
            picture.classList.remove('touching', 'touched');
            picture.getBoundingClientRect();
            picture.classList.add(motion);
            picture.addEventListener('animationend', () => picture.classList.remove(motion), { once: true });
          }
          animation = setTimeout(finish, 260);
          return;
        }
      }
      finish();
    };

    /** What stands beside the hands: hints, a repetition, what moves are worth; and the end of the game once. */
    const tell = (at) => {
      const position = line.positions[at], end = over(at), seenAt = before(at);
      hint.textContent = end ? endWords(end) : !position.you ? 'The bot is to move.' :
        chosen === null ? 'Choose one of your hands.' : 'Now a hand of the bot.';
      note.textContent = '';
      if (!end && seenAt !== null) {
        note.textContent = `This position was there before, ${seenAt ? `after move ${seenAt}` : 'at the start'} ` +
          '(left and right change nothing). Such a game can go on for ever: you may agree on a draw.';
      } else if (at < line.moves.length && position.you) {
        note.textContent = 'This is an earlier position. A move from here begins a new line.';
      }
      agree.setAttribute('aria-disabled', Boolean(end) || !position.you || at < line.moves.length);
      agree.classList.toggle('advised', !end && seenAt !== null && position.you && at === line.moves.length);
      worths.hidden = !options.values;
      arena.classList.toggle('values', options.values);
      if (options.values) showWorths(position, end);
      moves.refresh(rows());
      if (end && at === line.moves.length && !line.told) {
        line.told = true;
        announce(end);
      }
    };

    const gaveAway = () => line.positions.findIndex((position, at) =>
      position.you && at < line.moves.length && !keeps(position, line.moves[at]));
    const announce = (end) => {
      kit.sound({ you: 'win', bot: 'lose', nobody: 'take' }[end]);
      const slip = gaveAway(), text = [], buttons = [{ label: 'New game', on: restart }, { label: 'Look at the game' }];
      const fists = (who) => [false, true].map((right) => hand(0, { right, colour: `var(--${who})`, scale: 3 }));
      if (end === 'you') text.push(`Two fists after ${plural(line.moves.length, 'move')}: you have beaten the bot.`);
      if (end === 'bot') text.push(`The bot has two fists after ${plural(line.moves.length, 'move')}.`);
      if (end === 'nobody') text.push('Nobody gave anything away for good.');
      if (slip >= 0) {
        const from = ['a loss', 'a draw', 'a win'], position = line.positions[slip];
        text.push(`Your move ${slip + 1} turned ${from[worth(position)]} into ` +
          `${from[2 - worth(after(position, line.moves[slip]))]}.`);
        buttons.splice(1, 0, { label: 'Show that move', on: () => steps.go(slip) });
      } else if (end === 'bot') text.push('The start was lost already: no move could have saved you.');
      kit.dialog({
        title: { you: 'You win!', bot: 'The bot wins', nobody: 'A draw' }[end], text, buttons,
        picture: el('div', { class: 'fists' }, end === 'nobody' ?
          [hand(5, { colour: 'var(--one)', scale: 3 }), hand(5, { right: true, colour: 'var(--two)', scale: 3 })] :
          fists(end === 'you' ? 'one' : 'two')),
      });
    };

    const choose = (who, side) => {
      const at = steps.at, position = line.positions[at];
      const button = hands[who][side].button;
      if (button.getAttribute('aria-disabled') === 'true') {
        const usable = position.you && !over(at);
        if (usable) {
          hint.textContent = hands[who][side].digit === 0 ? 'A hand that shows 0 is out of the game.' :
            'First choose one of your own hands.';
          kit.say(hint.textContent);
        }
        kit.sound('bad');
        return;
      }
      steps.stop();
      if (who === 'you') {
        chosen = chosen === side ? null : side;
        draw(position, { ready: true, end: null });
        tell(at);
        kit.say(hint.textContent);
        return;
      }
      const move = 2 * chosen + side;
      line.positions.length = at + 1;
      line.moves.length = at;
      Object.assign(line, { agreed: false, told: false });
      play(move);
      if (!winner(last())) botMoves();
      steps.count = line.moves.length;
      advance(at + 1);
    };
    // The answer of the bot is there at once, and shown a little later.
    const advance = (at) => {
      steps.go(at, true);
      if (at < line.moves.length) {
        if (kit.still) steps.go(at + 1);
        else waiting = setTimeout(() => steps.go(at + 1, true), 1100);
      }
    };
    const restart = () => {
      begin();
      steps.stop();
      steps.count = line.moves.length;
      steps.go(0);
      if (line.moves.length) advance(1);
    };

    const agree = kit.button('Agree on a draw', () => {
      const at = steps.at;
      if (agree.getAttribute('aria-disabled') === 'true') return;
      if (worth(line.positions[at]) === 0) {
        note.textContent = 'The bot does not agree to a draw: it can win from here.';
        kit.say(note.textContent);
        kit.sound('bad');
        return;
      }
      line.agreed = true;
      steps.go(at);
    });

    const worths = el('section', { class: 'box worths' });
    const showWorths = (position, end) => {
      const who = position.you ? 'you' : 'the bot', left = plies(position);
      const value = end ? endWords(end) : left === null ? 'Neither can force a win.' :
        `${position.you === (left % 2 === 1) ? 'You win' : 'The bot wins'} in ${plural(left, 'move')} at best.`;
      const mark = (move) => (keeps(position, move) ? el('span', { class: 'good' }, '✓ keeps the value') :
        el('span', { class: 'bad' }, '✗ gives it away'));
      kit.refill(worths, el('h2', {}, 'What it is worth'), el('p', {}, value), end ? null : el('ul', {},
        legal(position).map((move) => {
          const { digits, mine, theirs } = moveWords(position, move);
          return el('li', {}, el('span', {}, `${mine} ${digits[0]} touches ${theirs} ${digits[1]}`),
            el('b', {}, worthWords(position, move)), mark(move));
        })), el('p', { class: 'dim' }, `Seen by ${who}. The moves of both players are counted.`));
    };
    const rows = () => line.moves.map((move, at) => {
      const position = line.positions[at], { digits, result, mine, theirs } = moveWords(position, move);
      const [a, b, c, d] = line.positions[at + 1].hands;
      const what = `${mine} ${digits[0]} touches ${theirs} ${digits[1]}: ${result}`;
      return [`${at + 1}`, position.you ? 'you' : 'bot', what, `${a} ${b} against ${c} ${d}`];
    });
    const moves = kit.table('The moves as a list', ['Move', 'Who', 'What', 'Your hands, the bot’s'], []);

    begin();
    const steps = kit.steps({ count: line.moves.length, show, name, delay: 1100 });

    const against = (text) => text.replace(/(.)(.)(.)(.)/, '$1 $2 against $3 $4');
    const listed = data.starts.match(/.{4}/g), offered = [...new Set(['1111', ...listed])];
    const own = el('input', { type: 'text', inputmode: 'numeric', maxlength: 7, autocomplete: 'off' });
    const ownLabel = el('label', { class: 'choice' }, el('span', {}, 'Four digits, such as 2 3 4 1'), own);
    const wrong = el('p', { class: 'bad', role: 'alert' });
    ownLabel.hidden = true;
    const first = kit.choice('Who begins', [['you', 'You'], ['bot', 'The bot']], 'you', () => {});
    const start = kit.choice('Hands of whoever begins, then of the other',
      [...offered.map((text) => [text, against(text)]), ['own', 'Four digits of your own …']], '1111',
      (value) => { ownLabel.hidden = value !== 'own'; });
    const submit = (event) => {
      event.preventDefault();
      const text = start.input.value === 'own' ? own.value.replace(/[\s,]/g, '') : start.input.value;
      const right = /^(?!00)\d\d(?!00)\d\d$/.test(text);
      wrong.textContent = right ? '' : 'Four digits are needed, and no player may begin with 0 and 0.';
      if (!right) {
        own.focus();
        return;
      }
      Object.assign(options, { first: first.input.value, start: text });
      restart();
    };
    const listedWords = data.positions > listed.length ?
      `The list has ${plural(listed.length, 'different position')} of the ${data.positions.toLocaleString('en')} of ` +
        'this test case.' : 'The list has the positions of this test case.';
    panel.append(steps.element,
      el('div', { class: 'choices' }, agree,
        kit.toggle('Show what each move is worth', false, (value) => { options.values = value; refresh(); })),
      worths,
      el('form', { class: 'box', on: { submit } }, el('h2', {}, 'New game'), first, start, ownLabel, wrong,
        el('p', { class: 'dim' }, listedWords), el('button', { class: 'button' }, 'Start this game')),
      el('details', { class: 'keys' }, el('summary', {}, 'Keys for the hands'),
        el('dl', {}, [['A S', 'your left and your right hand'], ['Q W', 'the hands of the bot above them'],
          ['Esc', 'choose again']].map(([keys, does]) => el('div', {}, el('dt', {}, keys), el('dd', {}, does))))),
      moves);
    const refresh = () => {
      const at = steps.at, position = line.positions[at], end = over(at);
      draw(position, { ready: position.you && !end, end });
      tell(at);
    };
    worths.hidden = true;

    const pressed = { a: ['you', 0], s: ['you', 1], q: ['bot', 1], w: ['bot', 0] };
    document.addEventListener('keydown', (event) => {
      if (event.ctrlKey || event.altKey || event.metaKey || document.querySelector('dialog[open]')) return;
      if (event.target.closest('input:not([type=checkbox], [type=range]), select, textarea')) return;
      if (event.key === 'Escape' && chosen !== null) choose('you', chosen);
      const wanted = pressed[event.key.toLowerCase()];
      if (!wanted) return;
      event.preventDefault();
      choose(...wanted);
    });
  };

  const booklet = () => {
    // Columns of a page and lines of a column, so that every page of the booklet is a page of A4.
    const SHAPES = { won: [5, 66], lost: [5, 24], drawn: [10, 66] };
    const page = document.getElementById('page');
    const groups = data.groups.map(([letter, text]) => ({
      plies: letter === '-' ? null : letter.charCodeAt(0) - 97,
      entries: text.match(/.{6}/g).map((entry) => {
        const [a, b, c, d] = entry, play = Number(entry[4]);
        return { own: `${a} ${b}`, other: `${c} ${d}`, move: `${[a, b][play >> 1]}+${[c, d][play & 1]}`,
          only: entry[5] === '!' };
      }),
    })).sort((one, two) => (one.plies ?? 99) - (two.plies ?? 99));
    const count = (list) => list.reduce((sum, group) => sum + group.entries.length, 0);
    const won = groups.filter(({ plies }) => plies % 2 === 1);
    const lost = groups.filter(({ plies }) => plies !== null && plies % 2 === 0);
    const drawn = groups.filter(({ plies }) => plies === null);
    const title = ({ plies }) => (plies === null ? 'A draw' : `${plies % 2 ? 'Win' : 'Loss'} in ${plies}`);
    const anchor = ({ plies }) => (plies === null ? 'draw' : `in-${plies}`);

    const sheets = [];
    const sheet = (name, ...content) => {
      const number = sheets.length + 1, foot = el('p', { class: 'foot' });
      const made = el('section', { class: `sheet ${name}`, 'aria-label': `Page ${number}`, id: `page-${number}` },
        el('div', { class: 'inside' }, content), foot);
      sheets.push(Object.assign(made, { foot }));
      return number;
    };
    // Blocks are a heading and its lines. A block that goes on in the next column has its heading there again.
    const columns = (name, blocks, heading, below = () => null) => {
      const [across, length] = SHAPES[name];
      let column = null, filled = length, all = [];
      const pages = new Map();
      const flush = () => {
        if (!all.length) return;
        const number = sheet(name, heading(), el('div', { class: 'columns' }, all.map(({ box }) => box)), below());
        for (const { titles } of all) for (const block of titles) if (!pages.has(block)) pages.set(block, number);
        all = [];
      };
      const next = () => {
        if (all.length === across) flush();
        column = { box: el('div', { class: 'column' }), titles: [] };
        all.push(column);
        filled = 0;
      };
      for (const block of blocks) {
        let list = null;
        block.lines.forEach((text, i) => {
          // A heading stays with at least two of its lines.
          if (filled + (i === 0 ? 4 : 1) > length) {
            next();
            list = null;
          }
          if (!list) {
            list = el('ul');
            column.box.append(el('h3', { id: i === 0 ? block.id : null }, block.title, i === 0 ? '' : '…'), list);
            column.titles.push(block);
            filled += 2;
          }
          list.append(text);
          filled += 1;
        });
      }
      flush();
      return pages;
    };
    const entry = (position, { move, only }) => el('li', {}, `${position}  `, el('b', {}, move), only ? '!' : '');
    const decided = (list) => list.map((group) => ({
      group, id: anchor(group), title: title(group),
      lines: group.entries.map((one) => entry(`${one.own} · ${one.other}`, one)),
    }));

    const cover = sheet('cover'), index = sheet('index');
    const pagesOf = new Map();
    const add = (pages) => pages.forEach((number, block) => { if (block.group) pagesOf.set(block.group, number); });
    const start = (text) => el('h2', {}, text);
    // Both players follow the booklet from the first of its longest wins to the end.
    const example = () => {
      const all = new Map(groups.flatMap((group) =>
        group.entries.map((one) => [`${one.own} · ${one.other}`, { group, ...one }])));
      const [longest] = won.at(-1).entries, rows = [];
      let now = `${longest.own} · ${longest.other}`;
      for (let found = all.get(now); found; found = all.get(now)) {
        const [mine, theirs] = digitsOf(found.move.replace('+', ''));
        const hands = digitsOf(found.own.replace(' ', ''));
        hands[hands.indexOf(mine)] = (mine + theirs) % 10;
        rows.push([`${rows.length + 1}`, rows.length % 2 ? 'second' : 'first', now, found.move, title(found.group)]);
        now = `${found.other} · ${hands.sort().join(' ')}`;
      }
      return el('section', { class: 'example' },
        el('h2', {}, `An example: the longest win, ${plural(rows.length, 'move')}`),
        el('p', {}, 'Both players follow this booklet. Each position is seen by the player whose move it is.'),
        el('table', {}, el('thead', {}, el('tr', {}, ['Move', 'Player', 'Position', 'Touch', 'Found in'].map((text) =>
          el('th', { scope: 'col' }, text)))),
        el('tbody', {}, rows.map(([number, ...rest]) => el('tr', {}, el('th', { scope: 'row' }, number),
          rest.map((text) => el('td', {}, text)))))),
        el('p', {}, 'After the last move the first player has two fists.'));
    };
    add(columns('won', decided(won), () => start('You win')));
    add(columns('lost', decided(lost), () => [start('You lose'),
      el('p', {}, 'The other can force a win. These moves hold out longest: hope for a mistake.')], example));
    const hands = [...new Set(drawn.flatMap(({ entries }) => entries.map(({ own }) => own)))];
    const drawBlocks = hands.map((own) => ({
      title: `You ${own}`, id: `draw-${own.replace(' ', '')}`,
      lines: drawn[0].entries.filter((one) => one.own === own).map((one) => entry(one.other, one)),
    }));
    const drawPages = columns('drawn', drawBlocks,
      () => start('A draw: under your hands, those of the other and your move'));
    pagesOf.set(drawn[0], drawPages.get(drawBlocks[0]));

    const total = count(groups);
    const first = drawn[0].entries.find(({ own, other }) => own === '1 1' && other === '1 1');
    const contents = el('table', {}, el('thead', {}, el('tr', {}, ['Part', 'Positions', 'Page'].map((text) =>
      el('th', { scope: 'col' }, text)))), el('tbody', {},
      el('tr', {}, el('th', { scope: 'row' }, el('a', { href: `#page-${index}` }, 'Index of all positions')),
        el('td', {}, ''), el('td', {}, index)),
      [...won, ...lost, ...drawn].map((group) => el('tr', {},
        el('th', { scope: 'row' },
          el('a', { href: `#${group.plies === null ? drawBlocks[0].id : anchor(group)}` }, title(group))),
        el('td', {}, group.entries.length.toLocaleString('en')), el('td', {}, pagesOf.get(group))))));
    const pictures = el('div', { class: 'fists' }, [1, 4, 6, 9].map((digit, i) =>
      hand(digit, { right: i % 2 === 1, colour: i < 2 ? 'var(--one)' : 'var(--two)', scale: 3 })));
    const print = kit.button('Print', () => window.print());
    sheets[cover - 1].firstChild.append(pictures,
      el('h1', {}, 'Touch numbers: the whole strategy'),
      el('p', { class: 'lead' }, `${plural(total, 'position')} on ${plural(sheets.length, 'page')}: everything ` +
        'that can happen after 1 1 against 1 1, and what to do about it.'),
      el('div', { class: 'controls' }, print),
      el('div', { class: 'two-parts' },
        el('section', {}, el('h2', {}, 'How to read this'),
          el('ul', {},
            el('li', {}, el('b', {}, '1 2 · 3 4'), ' is a position: first your two hands, then those of the other. ' +
              'You are to move. The smaller hand comes first, because left and right change nothing.'),
            el('li', {}, el('b', {}, '1+3'), ' is your move: your hand that shows 1 touches the hand that shows 3.'),
            el('li', {}, el('b', {}, '!'), ' means: take care, every other move gives something away.'),
            el('li', {}, `Find your position in the index on page ${index}: the row has your hands, the column those ` +
              'of the other. An odd number says that you win, an even number that you lose, in so many moves of both ' +
              'players together. Look in the part of that number. A dot is a draw: look there under your hands.'),
            el('li', {}, 'Who follows this booklet never loses from a position that is not lost.'))),
        el('section', {}, el('h2', {}, 'Contents'), contents)),
      el('p', { class: 'dim' }, `The start, 1 1 · 1 1, is a draw: begin with ${first.move}. ` +
        `If left and right were told apart, there would be ${plural(data.toldApart, 'position')}. ` +
        'Positions in which somebody has already won are not listed.'));

    // The index has a row for the hands of the reader and a column for those of the other.
    const pairs = [...new Set(groups.flatMap(({ entries }) =>
      entries.flatMap(({ own, other }) => [own, other])))].sort();
    const cells = new Map(groups.flatMap(({ plies, entries }) =>
      entries.map(({ own, other }) => [`${own}${other}`, plies ?? '·'])));
    const edge = (i) => (i > 0 && pairs[i][0] !== pairs[i - 1][0] ? 'edge' : null);
    const kind = (cell) => (cell === undefined ? 'none' : cell === '·' ? null : cell % 2 ? 'win' : 'loss');
    const stacked = (pair) => [pair[0], el('br'), pair[2]];
    sheets[index - 1].firstChild.append(el('h2', {}, 'Index'),
      el('p', {}, 'Row: your hands. Column: the other’s. Odd: you win in so many moves. ',
        el('span', { class: 'loss' }, 'Even'), ': you lose. Dot: a draw. Grey: cannot happen.'),
      el('div', { class: 'wide', tabindex: 0, role: 'region', 'aria-label': 'Index of all positions' },
        el('table', {}, el('thead', {}, el('tr', {}, el('td'), pairs.map((pair, i) =>
          el('th', { scope: 'col', class: edge(i) }, stacked(pair))))),
        el('tbody', {}, pairs.map((own, row) => el('tr', { class: edge(row) }, el('th', { scope: 'row' }, own),
          pairs.map((other, i) => {
            const cell = cells.get(`${own}${other}`);
            return el('td', { class: [kind(cell), edge(i)].filter(Boolean).join(' ') || null }, cell ?? '');
          })))))));
    sheets.forEach((made, i) => { made.foot.textContent = `Touch numbers · page ${i + 1} of ${sheets.length}`; });
    page.classList.add('booklet');
    page.append(...sheets);
  };

  if (data.page === 'booklet') booklet();
  else game();
})();

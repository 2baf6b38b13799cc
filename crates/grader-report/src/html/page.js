'use strict';
(() => {
  const dialog = document.getElementById('case');
  const filter = document.getElementById('filter'), only = document.getElementById('only');
  const [group, exercise, result] = ['group', 'exercise', 'result'].map((id) => document.getElementById(id));
  let apply = () => {};
  const NAMES = {A: 'accepted', W: 'wrong answer', T: 'time limit exceeded', M: 'memory limit exceeded',
    O: 'output limit exceeded', R: 'run-time error', C: 'compile error', '!': 'judge error', '?': 'not judged',
    '·': 'not run'};
  const seconds = (millis) => (millis < 0 ? 'more than ' : '') + (Math.abs(millis) / 1000).toFixed(3) + ' s';
  const element = (name, text) => Object.assign(document.createElement(name), {textContent: text});

  const explain = (submission, test, letter) => {
    const why = document.getElementById('case-why');
    why.replaceChildren();
    const known = document.getElementById(`d${submission}-${test}`) ||
      (letter === '·' && document.getElementById(`d${submission}-s`));
    if (known) {
      why.append(...[...known.children].slice(1).map((child) => child.cloneNode(true)));
    } else if (letter === '·') {
      why.append(element('p', 'This test was not run: the submission had failed before, or the run is not over. ' +
        'The option --all-tests runs every test.'));
    } else if (letter === '?') {
      why.append(element('p', 'This test has no answer. Only the first outputs of each submission are shown here. ' +
        'The setting report_failures in grader.toml raises their number.'));
    } else if (letter !== 'A') {
      why.append(element('p', 'Only the first failures of each submission are explained here. ' +
        'The setting report_failures in grader.toml raises their number.'));
    }
  };

  // Failures one after the other: on the page, or in the dialog while it is open.
  document.documentElement.className = 'js';
  const bar = document.querySelector('.bar');
  const failures = () => [...document.querySelectorAll('main details.why')];
  let shown = document.querySelector('main details.why[open]');
  const tell = () => {
    const all = failures(), at = all.indexOf(shown) + 1;
    for (const steps of document.querySelectorAll('.steps')) {
      steps.hidden = all.length === 0;
      steps.querySelector('.at').textContent = at ? `${steps.dataset.what} ${at} of ${all.length}` : `${all.length} explained`;
    }
  };
  const step = (by) => {
    const all = failures(), at = all.indexOf(shown);
    if (all.length === 0) return;
    const next = all[at < 0 && by < 0 ? all.length - 1 : (at + by + all.length) % all.length];
    if (shown && shown !== next) shown.open = false;
    shown = next;
    tell();
    if (dialog.open) {
      const [submission, test] = next.id.slice(1).split('-');
      const row = document.getElementById(`r${submission}`), table = row.closest('table');
      table.show(row.cells[Number(table.dataset.first) + (test === 's' ? 0 : Number(test))]);
      return;
    }
    next.closest('.whys').open = true;
    next.open = true;
    next.scrollIntoView({block: 'start'});
    next.firstElementChild.focus({preventScroll: true});
  };
  document.addEventListener('toggle', ({target}) => {
    if (target.open && target.matches('main details.why')) { shown = target; tell(); }
  }, true);
  document.addEventListener('keydown', (event) => {
    const by = {n: 1, p: -1}[event.key];
    if (!by || event.ctrlKey || event.altKey || event.metaKey || event.target.closest?.('input')) return;
    step(by);
    event.preventDefault();
  });
  document.addEventListener('click', async (event) => {
    const button = event.target.closest('button');
    if (button?.dataset.step) step(Number(button.dataset.step));
    if (!button?.matches('.copy')) return;
    const whole = button.closest('.text').querySelector('.whole');
    const text = whole.querySelector('pre').textContent;
    const copied = await navigator.clipboard?.writeText(`${text}\n`).then(() => true, () => false);
    if (!copied) {
      // Not every browser lets a page from a file copy. Then the text is selected for the reader.
      whole.hidden = false;
      whole.open = true;
      getSelection().selectAllChildren(whole.querySelector('pre'));
    }
    button.textContent = copied ? 'copied' : 'selected';
    setTimeout(() => { button.textContent = 'copy'; }, 1500);
  });
  tell();
  // Nothing that is scrolled to lies below the bar. What scrolls sideways shows on which side there is more.
  const edge = (area) => area.classList.toggle('more', area.scrollLeft + area.clientWidth < area.scrollWidth - 2);
  const sizes = new ResizeObserver((entries) => entries.forEach(({target}) => {
    if (target === bar) document.documentElement.style.scrollPaddingTop = `${bar.offsetHeight + 8}px`;
    else edge(target);
  }));
  document.querySelectorAll('.bar, .scroll').forEach((area) => sizes.observe(area));
  document.addEventListener('scroll', ({target}) => {
    if (target !== document && target.matches('.scroll')) edge(target);
  }, {capture: true, passive: true});

  // What is scrolled to must not be below the names of submissions and tests.
  const uncover = (table) => {
    const {style} = table.closest('.scroll');
    const {offsetHeight: height} = table.tHead, {offsetWidth: width} = table.tHead.rows[0].cells[0];
    style.scrollPadding ||= `${height + 2}px 0 0 ${width + 2}px`;
  };
  document.addEventListener('click', (event) => {
    const link = event.target.closest('a[href^="#r"]');
    const row = link && document.querySelector(link.hash);
    if (row?.hidden || row?.closest('.problem').hidden) { filter.form.reset(); apply(); }
    if (row) uncover(row.closest('table'));
  });

  // Heat maps: one tab stop each, arrow keys inside, Enter opens a case.
  for (const table of document.querySelectorAll('table.grid')) {
    const first = Number(table.dataset.first);
    const figures = JSON.parse(document.getElementById(table.dataset.figures).textContent);
    table.figures = figures;
    // Rows keep their figures when they are sorted.
    [...table.tBodies[0].rows].forEach((row, at) => { row.at = at; });
    let current = null;

    const focus = (cell, now) => {
      if (!cell || cell.cellIndex < first) return;
      if (current) current.tabIndex = -1;
      current = cell;
      cell.tabIndex = 0;
      if (now) { uncover(table); cell.focus(); }
    };
    // The stop is always in a row that is there and shown.
    table.settle = () => {
      if (current?.isConnected && !current.parentElement.hidden) return;
      focus([...table.tBodies[0].rows].find((row) => !row.hidden)?.cells[first], false);
    };
    table.replace = (old, row) => {
      const at = old.contains(current) ? current.cellIndex : -1, now = old.contains(document.activeElement);
      row.at = old.at;
      old.replaceWith(row);
      focus(row.cells[at], now);
    };
    table.setAttribute('role', 'grid');
    // The map itself is the stop.
    table.closest('.scroll').removeAttribute('tabindex');
    table.settle();

    table.show = (cell) => {
      const row = cell.parentElement, test = cell.cellIndex - first;
      const letter = cell.textContent.trim(), submission = row.id.slice(1);
      const [millis, kib] = (figures[row.at] || []).slice(2 * test, 2 * test + 2);
      const name = row.cells[0].querySelector('code').textContent;
      document.getElementById('case-title').textContent =
        `${name} · ${table.tHead.rows[0].cells[cell.cellIndex].textContent}`;
      const measured = 'AWTMOR?'.includes(letter) ? `, ${seconds(millis)}, ${(kib / 1024).toFixed(1)} MiB` : '';
      document.getElementById('case-facts').textContent = NAMES[letter] + measured;
      explain(submission, test, letter);
      const known = document.getElementById(`d${submission}-${test}`);
      if (known) { shown = known; tell(); }
    };
    const open = (cell) => { table.show(cell); dialog.showModal(); };
    table.addEventListener('click', (event) => {
      const cell = event.target.closest('td');
      if (cell && cell.cellIndex >= first) { focus(cell, true); open(cell); }
    });
    const beside = (row, step) => {
      do row = step < 0 ? row.previousElementSibling : row.nextElementSibling; while (row && row.hidden);
      return row;
    };
    table.addEventListener('keydown', (event) => {
      const cell = event.target.closest('td');
      if (!cell || event.ctrlKey || event.altKey || event.metaKey) return;
      const row = cell.parentElement, at = cell.cellIndex;
      const to = {
        ArrowLeft: () => cell.previousElementSibling,
        ArrowRight: () => cell.nextElementSibling,
        ArrowUp: () => beside(row, -1)?.cells[at],
        ArrowDown: () => beside(row, 1)?.cells[at],
        Home: () => row.cells[first],
        End: () => row.cells[row.cells.length - 1],
      }[event.key];
      if (to) { focus(to(), true); event.preventDefault(); }
      if (event.key === 'Enter' || event.key === ' ') { open(cell); event.preventDefault(); }
    });
  }

  // Tables sorted by any column but the tests: first upwards, figures downwards.
  const UNITS = {KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30};
  const order = new Intl.Collator('en', {numeric: true});
  const text = (cell) => cell.dataset.value ?? cell.textContent;
  const amount = (cell) => {
    const found = /(-?[\d.]+) ?([KMG]iB)?/.exec(text(cell));
    return found ? found[1] * (UNITS[found[2]] ?? 1) : -Infinity;
  };
  for (const table of document.querySelectorAll('table.sorted')) {
    const heads = [...table.tHead.rows[0].cells].filter((head) => !head.matches('.test'));
    const sort = (head) => {
      const at = head.cellIndex, rows = [...table.tBodies[0].rows];
      const isFigure = rows.some((row) => row.cells[at]?.matches('.figure, [data-value]'));
      const up = head.ariaSort ? head.ariaSort === 'descending' : !isFigure;
      const key = isFigure ? amount : text, sign = up ? 1 : -1;
      const compare = isFigure ? (a, b) => (a === b ? 0 : a - b) : order.compare;
      const keyed = rows.map((row) => [key(row.cells[at]), row]);
      keyed.sort(([a], [b]) => sign * compare(a, b));
      table.tBodies[0].append(...keyed.map(([, row]) => row));
      heads.forEach((other) => { other.ariaSort = other === head ? (up ? 'ascending' : 'descending') : null; });
    };
    for (const head of heads) {
      const button = Object.assign(element('button', head.textContent), {type: 'button', className: 'sort'});
      button.addEventListener('click', () => sort(head));
      head.replaceChildren(button);
    }
  }

  // The filter.
  if (filter) {
    const texts = new WeakMap();
    const named = (row) => (row.id ? row.cells[0].textContent + ' ' + row.cells[1].textContent : row.textContent);
    const said = (row) => {
      if (!texts.has(row)) texts.set(row, named(row).toLowerCase());
      return texts.get(row);
    };
    // In the table of the class a row has a result for each exercise, in a map only one.
    const results = (row) => {
      if (row.id) return [row.cells[1].firstChild.textContent];
      const cells = [...row.querySelectorAll('[data-result]')].map((cell) => cell.dataset.result);
      return exercise?.value ? [cells[exercise.value]] : cells;
    };
    const hasResult = (row) => !result?.value || row.closest('.help') || results(row).includes(result.value);
    const ofProblem = (row) => [...row.querySelectorAll('.of-problem')];
    const average = (rows, at) => {
      const values = rows.map((row) => ofProblem(row)[at].dataset.value ?? '0').filter((value) => value !== '');
      return values.length ? Math.round(values.reduce((sum, value) => sum + Number(value), 0) / values.length * 100) / 100 : '';
    };
    // What one exercise is about, and the averages of the students who are shown.
    const settleClass = (table) => {
      const shown = [...table.tBodies[0].rows].filter((row) => !row.hidden);
      ofProblem(table.tFoot.rows[0]).forEach((cell, at) => { cell.textContent = average(shown, at); });
      for (const row of table.rows) {
        ofProblem(row).slice(0, -1).forEach((cell, at) => { cell.hidden = Boolean(exercise?.value) && at !== Number(exercise.value); });
      }
    };
    apply = () => {
      const rows = document.querySelectorAll('table.filtered tbody tr');
      const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
      let count = 0;
      for (const row of rows) {
        const fits = words.every((word) => said(row).includes(word)) && hasResult(row) &&
          (!only.checked || row.matches(only.dataset.look)) && (!group?.value || (row.dataset.group ?? '–') === group.value);
        if (row.hidden === fits) row.hidden = !fits;
        count += fits;
      }
      document.getElementById('shown').textContent = count < rows.length ? `${count} of ${rows.length} rows` : '';
      document.querySelectorAll('section.problem').forEach((section, at) => {
        section.hidden = Boolean(exercise?.value) && at !== Number(exercise.value);
      });
      document.querySelectorAll('table.class').forEach(settleClass);
      for (const table of document.querySelectorAll('table.grid')) table.settle();
    };
    filter.form.hidden = false;
    // A page that loaded itself again keeps its filter.
    const kept = history.state;
    if (kept) { filter.value = kept.filter; only.checked = kept.only; apply(); }
    filter.addEventListener('input', apply);
    // Before the first letter.
    filter.addEventListener('focus', () => document.querySelectorAll('table.filtered tbody tr').forEach(said));
    for (const choice of [only, group, exercise, result]) choice?.addEventListener('change', apply);
    filter.form.addEventListener('submit', (event) => event.preventDefault());
  }

  // Paper shows everything but what can only be unfolded.
  let opened = [];
  addEventListener('beforeprint', () => {
    opened = [...document.querySelectorAll('details:not([open], .whole)')];
    opened.forEach((details) => { details.open = true; });
  });
  addEventListener('afterprint', () => opened.forEach((details) => { details.open = false; }));

  // A page from grader's own server: what changes is asked for until the server is gone.
  const {version} = document.body.dataset;
  if (version === undefined) return;
  const progress = document.getElementById('progress');
  const fragment = (html) => {
    const template = document.createElement('template');
    template.innerHTML = html;
    return template.content;
  };
  // Loads the page again: not below a reader's dialog, and not when the server is gone.
  const again = async () => {
    if (dialog.open) { dialog.addEventListener('close', again, {once: true}); return; }
    if (filter) history.replaceState({filter: filter.value, only: only.checked}, '');
    const answer = await fetch('', {method: 'HEAD'}).catch(() => null);
    if (answer?.ok) location.reload();
  };
  const change = ({submission, test, name, letter, class: shape, figures, row, whys, reload}) => {
    if (reload) { again(); return; }
    const old = document.getElementById(`r${submission}`), table = old?.closest('table');
    if (!table) return;
    if (row !== undefined) {
      const body = fragment(`<table><tbody>${row}</tbody></table>`).querySelector('tr');
      table.replace(old, body);
      const list = document.getElementById(table.dataset.figures.replace('f', 'w')), around = list.parentElement;
      list.append(fragment(whys));
      around.hidden = list.children.length === 0;
      around.querySelector('.count').textContent = list.children.length;
      return;
    }
    const cell = old.cells[Number(table.dataset.first) + test];
    cell.textContent = letter;
    cell.className = shape;
    if (old.className === 'waiting') old.cells[1].textContent = 'running';
    (table.figures[old.at] ??= []).splice(2 * test, 2, ...figures);
    table.tHead.rows[0].cells[cell.cellIndex].firstElementChild.textContent = name;
  };
  const pause = (millis) => new Promise((resolve) => { setTimeout(resolve, millis); });
  const follow = async (since) => {
    for (;;) {
      try {
        const answer = await fetch(`changes?since=${since}`, {cache: 'no-store'});
        if (answer.status === 200) {
          const news = await answer.json();
          since = news.version;
          news.changes.forEach(change);
          apply();
          progress.textContent = news.progress;
          if (progress.dataset.goesOn) document.querySelector('h1').className = news.mood;
          tell();
        } else if (answer.status !== 204) {
          throw new Error(`status ${answer.status}`);
        }
      } catch {
        progress.textContent = 'grader has ended: this page no longer changes.';
        if (progress.dataset.goesOn) document.querySelector('h1').textContent = 'the run ended before this page was whole';
        return;
      }
      await pause(150);
    }
  };
  follow(Number(version));
})();

// Makes and opens the pages of this repository's games.

import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { Workspace, once, open } from './grader.mjs';

const ROOT = path.join(path.dirname(fileURLToPath(import.meta.url)), '../..');

const games = once(() => new Workspace());

/** A workspace with this problem of the repository. */
export function withProblem(problem) {
  const workspace = games();
  for (const folder of [`problems/${problem}`, `testcases/${problem}`]) {
    if (!fs.existsSync(workspace.path(folder))) {
      fs.cpSync(path.join(ROOT, folder), workspace.path(folder), { recursive: true });
    }
  }
  return workspace;
}

/**
 * Makes the page of a test case of a problem and returns its address.
 * `input`: the text of a deal of one's own instead of the case. `args`: arguments of the visualiser.
 */
export function makePage(problem, { test, input, args = [] } = {}) {
  const workspace = withProblem(problem);
  const own = input !== undefined;
  if (own) workspace.file('own.txt', input);
  const out = fs.mkdtempSync(path.join(workspace.dir, 'pages-'));
  const words = args.length > 0 ? ['--', ...args] : [];
  workspace.grader(['visualize', problem, ...(own ? ['--input', 'own.txt'] : [test]), '--out', out, ...words]);
  return workspace.url(path.relative(workspace.dir, path.join(out, `${own ? 'own' : test}.html`)));
}

/** Opens the page of a case. */
export const openGame = (problem, what, options) => open(makePage(problem, what), options);

// Node's test runner. This file is three things: the interactor; what it loads into the process of the tests before them; and
// their reporter.

function options_for(names) {
  const reporter = ["--test-reporter", __filename, "--test-reporter-destination", "stdout"];
  return ["--require", __filename, ...reporter, "--test-name-pattern", `^${escaped(names.at(-1))}$`, path.join(__dirname, TESTS)];
}

/** Puts stand-ins where tests load modules of the solution. */
function prepare() {
  const solution = new Solution();
  const modules = new Map();
  const module = (request) => {
    if (!modules.has(request)) modules.set(request, solution.module(request));
    return modules.get(request);
  };
  const load = Module._load;
  Module._load = function (request, parent, ...rest) {
    const own = parent?.filename && of_solution(request, parent.filename);
    return !own ? load.call(this, request, parent, ...rest) : module(own);
  };
  const key = `grader ${process.pid}`;
  globalThis[Symbol.for(key)] = module;
  const texts = {};
  for (const [request, wanted] of imported_by_tests()) {
    texts[request] = stand_in_text(`globalThis[Symbol.for(${stringify(key)})](${stringify(request)})`, module(request), wanted);
  }
  const hooks = `
    import path from "node:path";
    import { fileURLToPath } from "node:url";
    const TEXTS = ${stringify(texts)}, HERE = ${stringify(__dirname)};
    export async function resolve(request, context, next) {
      if (/^\\.\\.?\\//.test(request) && context.parentURL?.startsWith("file:")) {
        const file = path.resolve(path.dirname(fileURLToPath(context.parentURL)), request);
        const name = path.relative(HERE, file).replace(/^(\\.\\.\\/)+/, "");
        if (Object.hasOwn(TEXTS, name)) return { url: "grader:" + name, format: "module", shortCircuit: true };
      }
      return next(request, context);
    }
    export async function load(url, context, next) {
      if (!url.startsWith("grader:")) return next(url, context);
      return { format: "module", source: TEXTS[url.slice(7)], shortCircuit: true };
    }`;
  if (Object.keys(texts).length > 0) Module.register(`data:text/javascript,${encodeURIComponent(hooks)}`);
  return solution;
}

/** The reporter: says what came of the test. */
async function* report(solution, events) {
  const wanted = parse(process.env.GRADER_TEST);
  const names = [];
  for await (const { type, data } of events) {
    if (type === "test:start") names.splice(data.nesting, Infinity, data.name);
    if ((type !== "test:pass" && type !== "test:fail") || data.details.type === "suite") continue;
    const of = [...names.slice(0, data.nesting), data.name];
    if (of.length !== wanted.length || of.some((name, at) => name !== wanted[at])) continue;
    if (!solution.has_found) end({ fault: "the tests import nothing of the solution: name its file as ./stats.js" });
    if (data.skip !== undefined || data.todo !== undefined) end({ fault: "the test was skipped, or is still to do" });
    if (type === "test:pass") {
      tell({ passed: true });
      continue;
    }
    fail(data.details.error, solution);
  }
}

if (require.main === module) {
  interact();
} else if (isMainThread) {
  const solution = prepare();
  // What the solution throws into the top of a file of tests.
  process.on("uncaughtExceptionMonitor", (error) => {
    if (!solution.raised.has(error)) return;
    solution.crash(solution.raised.get(error));
    end({ wrong: why(error, undefined) });
  });
  module.exports = (events) => report(solution, events);
}

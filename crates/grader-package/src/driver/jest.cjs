// Jest. This file is four things: the interactor; in Jest's own realm, its environment and its resolver of modules; in that of the
// tests, what loads the stand-ins.
const os = require("node:os");

// What the environment shares with the tests: its process, the solution, and what loads the stand-ins.
let shared = globalThis[KEY];

/** Where Jest is installed; none if it is not. */
function installed() {
  const folders = [path.join(path.dirname(process.execPath), "..", "lib"), "/usr/local/lib", "/usr/lib"].map((folder) => path.join(folder, "node_modules"));
  return [...folders, "/usr/share/nodejs"].map((folder) => path.join(folder, "jest", "package.json"))
    .find((file) => fs.statSync(file, { throwIfNoEntry: false })?.isFile());
}

function options_for(names) {
  const jest = installed();
  if (jest === undefined) {
    write(2, "Jest is not installed: npm install --global jest\n");
    process.exit(FAULT);
  }
  process.env.GRADER_JEST = jest;
  const made = fs.mkdtempSync(path.join(os.tmpdir(), "stand-ins"));
  process.env.GRADER_STAND_INS = made;
  const reporter = path.join(made, "reporter.cjs");
  fs.writeFileSync(reporter, `module.exports = require(${stringify(__filename)}).Reporter;`);
  const config = {
    rootDir: __dirname,
    testEnvironment: __filename,
    resolver: __filename,
    setupFiles: [__filename],
    transform: {},
    moduleFileExtensions: ["js", "mjs", "cjs", "json"],
    cacheDirectory: made,
    reporters: [reporter],
    haste: { forceNodeFilesystemAPI: true },
  };
  const runner = path.join(path.dirname(jest), "bin", "jest.js");
  return ["--experimental-vm-modules", runner, "--config", stringify(config), "--runInBand", "--no-watchman", "--no-cache", "--ci",
    "--testNamePattern", `^${names.map(pattern).join(" ")}$`, "--runTestsByPath", path.join(__dirname, TESTS)];
}

/** A name as a regular expression. That of `test.each` has places for values. */
function pattern(name) {
  return typeof name === "string" ? escaped(name) : name.each.split(/%[psdifjo#$]|\$[\w#.]+/).map(escaped).join("[^]*").replaceAll("%%", "%");
}

/** The class of the environment, which sees what comes of each test. */
function environment() {
  const known = Module.createRequire(process.env.GRADER_JEST)("jest-environment-node");
  const wanted = parse(process.env.GRADER_TEST).map((name) => new RegExp(`^${pattern(name)}$`));
  return class extends (known.TestEnvironment ?? known) {
    constructor(...given) {
      super(...given);
      shared = { process, solution: undefined };
      this.global[KEY] = shared;
    }

    handleTestEvent(event, state) {
      // The rows of `test.each` that come later call the solution too.
      const errors = event.name === "test_fn_failure" ? [event.error] : event.name === "test_done" ? event.test.errors : [];
      for (const error of errors.flat()) if (error && !CALLS.has(error)) CALLS.set(error, shared.solution?.last);
      if (event.name !== "run_finish") return;
      const found = [];
      const visit = (block, names) => {
        for (const child of block.children) {
          const path = [...names, child.name];
          if (child.type === "describeBlock") visit(child, path);
          else if (path.length === wanted.length && wanted.every((name, at) => name.test(path[at]))) found.push(child);
        }
      };
      visit(state.rootDescribeBlock, []);
      report(found, state.unhandledErrors);
    }
  };
}

/** Says what came of a test and all its rows. */
function report(found, others) {
  if (found.length === 0) return;
  if (!shared.solution?.has_found) end({ fault: "the tests import nothing of the solution: name its file as ./stats.js" });
  if (found.some((test) => test.status !== "done")) end({ fault: "the test was skipped, or is still to do" });
  const errors = [...found.flatMap((test) => test.errors), ...others];
  if (errors.length === 0) return tell({ passed: true });
  // Each comes with one that has the place.
  const [error, place] = [errors[0]].flat();
  fail(error ?? place, shared.solution);
}

/** The file of a module, which is a stand-in if the tests load one of the solution. */
function resolve(request, options) {
  const is_of_tests = !path.relative(__dirname, options.basedir).startsWith("..") && !options.basedir.includes("node_modules");
  const name = is_of_tests ? of_solution(request, path.join(options.basedir, TESTS)) : undefined;
  if (name === undefined) return options.defaultResolver(request, options);
  const is_import = options.conditions?.includes("import");
  const file = path.join(process.env.GRADER_STAND_INS, `${encodeURIComponent(name)}.${is_import ? "mjs" : "cjs"}`);
  const it = `globalThis[Symbol.for("grader")].load(${stringify(name)})`;
  const text = is_import ? stand_in_text(it, shared.load(name), imported_by_tests().get(name) ?? []) : `module.exports = ${it};`;
  fs.writeFileSync(file, text);
  return file;
}

/** A reporter: why the file of the tests could not be run. */
class Reporter {
  onTestFileResult(_, result) {
    if (!result.testExecError) return;
    // What the solution threw into the top of the file.
    const number = [...(shared?.solution?.raised.values() ?? [])].at(-1);
    if (number !== undefined) {
      shared.solution.crash(number);
      end({ wrong: String(result.testExecError.message) });
    }
    const { message, stack } = result.testExecError;
    const place = new RegExp(`${escaped(TESTS)}:\\d+`).exec(String(stack))?.[0] ?? TESTS;
    write(2, `${place}: ${message}\n`);
  }
  onTestResult(...given) { this.onTestFileResult(...given); }
  getLastError() {}
}

if (shared !== undefined) {
  shared.solution ??= new Solution();
  const modules = new Map();
  shared.load ??= (request) => {
    if (!modules.has(request)) modules.set(request, shared.solution.module(request));
    return modules.get(request);
  };
} else if (require.main === module) {
  interact();
} else {
  module.exports = { __esModule: true, default: environment(), sync: resolve, Reporter };
}

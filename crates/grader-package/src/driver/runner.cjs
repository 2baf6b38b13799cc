// Runs one unit test of a teacher in JavaScript as an interactor: runner TEST ANSWER FEEDBACK. TEST has the names of the test
// and of its suites. The test, its runner and everything that is expected are here; the solution is in another process and sends
// values. A module beside the tests that is not here is one of the solution: what it exports are stand-ins.
//
// node.cjs or jest.cjs follows: how that runner starts, where it loads the stand-ins, and what it says of the test.
const { spawnSync } = require("node:child_process");
const Module = require("node:module");
const { isMainThread } = require("node:worker_threads");

const ACCEPT = 42, REJECT = 43, FAULT = 1;
// How long the tests may take on the clock, in milliseconds. grader ends a slow solution itself.
const LONGEST_RUN = 60_000;
// What is shown of a text.
const SHOWN = 200;
const ENDED = "the program ended before the last assertion";
const ODD = "the program wrote something else than a value";
const TESTS = "@TESTS@";
// Descriptors in the process of the tests: where it writes what came of them, and the two of the solution.
const RESULTS = 3, ANSWERS = 4, ASKS = 5;
// Functions that make objects, by their names in the tests, which the solution does not choose.
const MAKER = /^(?:[A-Z]|(?:build|create|make|new)(?![a-z]))/;
// Methods of arrays, sets and texts that say what is in them. An object that a function returns in place of one has none of them.
const SEARCHES = ["endsWith", "every", "filter", "find", "findIndex", "findLast", "findLastIndex", "has", "includes", "indexOf", "lastIndexOf", "some", "startsWith"];
// By this name a runner with realms of its own shares things with the tests.
const KEY = Symbol.for("grader");

// The last call before each error of the tests, if its runner goes on after it.
const CALLS = new Map();

function interact() {
  const [, , input, , feedback] = process.argv;
  const names = parse(fs.readFileSync(input, "utf8"));
  const made = spawnSync(process.execPath, ["--no-warnings", ...options_for(names)], {
    stdio: ["ignore", 2, 2, "pipe", 0, 1],
    env: { ...process.env, GRADER_TEST: stringify(names), NODE_OPTIONS: "" },
    timeout: LONGEST_RUN,
    killSignal: "SIGKILL",
  });
  const told = String(made.output?.[RESULTS] ?? "").split("\n").filter(Boolean).map((line) => parse(line));
  const of = (kind) => told.find((one) => kind in one)?.[kind];
  const fault = of("fault") ?? (made.error && made.error.code !== "ETIMEDOUT" ? String(made.error) : undefined);
  if (fault !== undefined) {
    write(2, `${fault}\n`);
    process.exit(FAULT);
  }
  const reject = (words) => {
    const text = words.trim().slice(0, 4 * SHOWN);
    const line = text.split("\n").map((part) => part.trim()).filter(Boolean).join("; ").replaceAll(":; ", ": ");
    fs.writeFileSync(path.join(feedback, "judgemessage.txt"), `${line}\n`);
    fs.writeFileSync(path.join(feedback, "teammessage.txt"), `${text}\n`);
    process.exit(REJECT);
  };
  const results = told.filter((one) => "passed" in one);
  // What comes after the result is of another test with the last name.
  if (results.length === 0 && of("wrong") !== undefined) reject(of("wrong"));
  if (results.length === 0 && made.signal) reject("the test cannot be finished with the values that the program returned");
  if (results.length !== 1) {
    write(2, `${results.length} tests are called \`${names.map((name) => name.each ?? name).join(" > ")}\` and ran to their end, not 1\n`);
    process.exit(FAULT);
  }
  if (results[0].passed) process.exit(ACCEPT);
  reject(results[0].why);
}

/** A text as a regular expression. */
function escaped(text) {
  return text.replace(/[\\^$.*+?()[\]{}|\/]/g, "\\$&");
}

/** The keys of an object of the solution, each with whether it is enumerable. */
function keys_in(value) {
  const keys = new Map(value.map(([key, is_enumerable]) => [String(key), is_enumerable === true]));
  return [...keys];
}

function tell(one) {
  new Lines(-1, RESULTS).say(one);
}

/** Ends the process of the tests at once, so that no test can catch it. */
function end(one) {
  tell(one);
  (globalThis[KEY]?.process ?? process).reallyExit(1);
}

/** The process of the solution. */
class Solution {
  constructor() {
    this.lines = new Lines(ANSWERS, ASKS);
    // One stand-in for each object, so that they are equal to themselves, and the errors that it raised.
    this.things = new Map();
    this.numbers = new Map();
    this.raised = new Map();
    // Functions of the tests by their numbers: a map, since what arrives may be no number.
    this.callbacks = new Map();
    // The numbers of modules, of functions that make objects, of other functions, and of what the tests have made.
    this.modules = new Set();
    this.makers = new Set();
    this.others = new Set();
    // The names of functions in their modules.
    this.names = new Map();
    this.made = new Set();
    // What objects were as numbers and texts, until the next call changes them. No object is a small and a large number at once.
    this.primitives = new Map();
    this.is_converting = false;
    // The last call: its function, its arguments, and what it returned.
    this.last = undefined;
    this.has_found = false;
  }

  ask(...what) {
    let written;
    try {
      this.lines.say(what);
      for (;;) {
        const line = this.lines.next();
        if (line === undefined) end({ wrong: ENDED });
        const answer = parse(line);
        for (const [method, given] of answer.printed ?? []) {
          if (["log", "info", "debug", "warn", "error"].includes(method)) console[method](...this.decode(given));
        }
        if (!("callback" in answer)) {
          written = answer;
          break;
        }
        this.lines.say(this.called_back(answer));
      }
      if ("error" in written) written.raised = this.error(written.error);
      else if ("rejected" in written) written.raised = this.error(written.rejected);
      else if ("promise" in written) written.made = this.decode(written.promise);
      else written.made = what[0] === "keys" ? keys_in(written.value) : this.decode(written.value);
      if ("left" in written) written.left_over = this.decode(written.left);
    } catch (error) {
      if (error.code === "EPIPE") end({ wrong: ENDED });
      end({ wrong: error instanceof RangeError && /MiB$/.test(error.message) ? `the program returned ${error.message}` : ODD });
    }
    return written;
  }

  /** The value of an answer. Throws what the solution threw. */
  value(written) {
    if ("rejected" in written) return Promise.reject(written.raised);
    if ("promise" in written) return Promise.resolve(written.made);
    if ("error" in written) throw written.raised;
    return written.made;
  }

  called_back({ callback, self, given }) {
    try {
      return { value: this.encode(Reflect.apply(this.callbacks.get(callback), this.decode(self), this.decode(given))) };
    } catch (error) {
      return { error: this.encode(this.raised.has(error) ? error : { name: String(error?.name), message: String(error?.message) }) };
    }
  }

  encode(value) {
    return encode(value, (one, inner) => {
      if (this.numbers.has(one)) return { h: this.numbers.get(one) };
      if (this.raised.has(one)) return { h: this.raised.get(one) };
      if (typeof one === "function") {
        const name = Object.getOwnPropertyNames(globalThis).find((name) => globalThis[name] === one);
        if (name !== undefined) return { g: name };
        const [known] = [...this.callbacks].find(([, callback]) => callback === one) ?? [this.callbacks.size];
        this.callbacks.set(known, one);
        return { c: known };
      }
      // An object of the tests with functions: they are called back.
      if (inner && Object.values(getOwnPropertyDescriptors(one)).every((field) => "value" in field)) {
        return { o: Object.entries(one).map(([key, item]) => [key, inner(item)]) };
      }
      // A copy that the runner has made of one of the solution's objects, to show it.
      if (this.numbers.has(getPrototypeOf(one))) throw new TypeError("the program returned an object that cannot be copied");
      const kind = one?.constructor?.name ?? typeof one;
      end({ fault: `the test gives the solution a value of the type \`${kind}\`, which cannot leave the test` });
    });
  }

  decode(written) {
    return decode(written, (name, value) => {
      if (name === "c" && this.callbacks.has(value)) return this.callbacks.get(value);
      if (name === "h" && typeof value[0] === "number") return this.thing(value[0], value[1] === true);
      throw new TypeError(name);
    });
  }

  thing(number, is_function) {
    for (const [error, of] of this.raised) if (of === number) return error;
    if (!this.things.has(number)) {
      const made = stand_in(this, number, is_function);
      this.things.set(number, made);
      this.numbers.set(made, number);
    }
    return this.things.get(number);
  }

  error(raised) {
    for (const [error, of] of this.raised) if (of === raised.number) return error;
    if ("thrown" in raised) {
      const value = this.decode(raised.thrown);
      this.raised_value = [value, raised.number];
      return value;
    }
    const Base = ERRORS.find((kind) => kind.name === raised.names.find((name) => ERRORS.some((kind) => kind.name === name))) ?? Error;
    const error = new Base(String(raised.message));
    const own = raised.own.filter(([key]) => !HIDDEN.includes(key)).map(([key, value]) => [key, this.decode(value)]);
    for (const [key, value] of [["name", raised.name], ...own]) {
      defineProperty(error, key, { value, writable: true, enumerable: key !== "name", configurable: true });
    }
    this.raised.set(error, Number(raised.number));
    return error;
  }

  call(number, self, given, is_new) {
    const target = { h: number };
    const answer = is_new
      ? this.ask("new", target, null, this.encode(given))
      : this.ask("call", target, this.encode(self === globalThis ? undefined : self), this.encode(given));
    if (!("raised" in answer)) this.last = [number, given, answer.made];
    if (!this.is_converting) this.primitives.clear();
    // No function returns its module, but one that wants its trust.
    this.modules.delete(this.numbers.get(answer.made));
    const is_made = (one) => this.made.has(this.numbers.get(one));
    if (is_new || (this.makers.has(number) && !this.others.has(number)) || this.made.has(number) || is_made(self) || given.some(is_made)) {
      this.mark_made(answer.made);
    }
    if ("left_over" in answer) restore(given, answer.left_over);
    return this.value(answer);
  }

  /** The tests have made this, if it is an object of the solution. */
  mark_made(value) {
    if (this.numbers.has(value)) this.made.add(this.numbers.get(value));
  }

  /** What the tests get from an object. */
  got(number, key, value) {
    const found = this.numbers.get(value);
    if (this.made.has(number)) this.mark_made(value);
    if (found !== undefined && this.modules.has(number)) {
      (MAKER.test(String(key)) ? this.makers : this.others).add(found);
      this.names.set(found, String(key));
      if (key === "default" && typeof value === "object") this.modules.add(found);
    }
    return value;
  }

  /** An object as a number or a text. */
  primitive(number, thing, hint) {
    const known = this.primitives.get(number) ?? {};
    this.primitives.set(number, known);
    if (!Object.hasOwn(known, hint)) {
      this.is_converting = true;
      try {
        known[hint] = this.converted(number, thing, hint);
      } finally {
        this.is_converting = false;
      }
    }
    return known[hint];
  }

  converted(number, thing, hint) {
    const own = this.value(this.ask("get", { h: number }, this.encode(Symbol.toPrimitive)));
    const ways = own === undefined || own === null ? (hint === "string" ? ["toString", "valueOf"] : ["valueOf", "toString"]).map((name) => thing[name]) : [own];
    for (const way of ways.filter((way) => typeof way === "function")) {
      const value = Reflect.apply(way, thing, way === own ? [hint] : []);
      if (value === null || !["object", "function"].includes(typeof value)) return value;
    }
    throw new TypeError("Cannot convert object to primitive value");
  }

  module(request) {
    const answer = this.ask("module", request);
    if ("error" in answer) {
      // No test passes without the module.
      this.crash(answer.error.number);
      end({ wrong: `the program cannot be loaded: ${answer.error.message ?? "it threw"}` });
    }
    if (!this.numbers.has(answer.made)) end({ wrong: ODD });
    this.has_found = true;
    this.modules.add(this.numbers.get(answer.made));
    return answer.made;
  }

  /** Lets the solution's process end by what it threw, so that its user sees it. */
  crash(number) {
    this.lines.say(["raise", number]);
    while (this.lines.next() !== undefined);
  }
}

/** Stands for an object of the solution. What is read of it comes from the solution's process. */
function stand_in(solution, number, is_function) {
  const target = { h: number };
  const ask = (...what) => solution.value(solution.ask(...what));
  // A bound function can be made an object with `new`, and has no properties that a proxy must show.
  const own = is_function ? function () {}.bind() : {};
  // What is shown in messages. node does not ask a proxy.
  defineProperty(own, util.inspect.custom, { value: () => String(ask("shown", target)), configurable: true });
  const key_of = (key) => solution.encode(key);
  const is_trusted = () => solution.modules.has(number) || solution.made.has(number);
  const is_ours = (key) => typeof key === "symbol" && !Object.getOwnPropertyNames(Symbol).some((name) => Symbol[name] === key);
  return new Proxy(own, {
    get(_, key) {
      if (key === util.inspect.custom) return own[key];
      if (is_ours(key) || HIDDEN.includes(key)) return undefined;
      if (SEARCHES.includes(key) && !is_trusted()) return undefined;
      if (key === Symbol.toPrimitive) return (hint) => solution.primitive(number, solution.things.get(number), hint);
      if (key === Symbol.hasInstance) return (value) => ask("of", target, solution.encode(value)) === true;
      return solution.got(number, key, ask("get", target, key_of(key)));
    },
    set(_, key, value) {
      solution.primitives.clear();
      return ask("set", target, key_of(key), solution.encode(value)) === true;
    },
    deleteProperty: (_, key) => ask("delete", target, key_of(key)) === true,
    // What has a value is there: Jest compares no property that is not.
    has: (_, key) => !is_ours(key) && (ask("has", target, key_of(key)) === true || ask("get", target, key_of(key)) !== undefined),
    apply: (_, self, given) => solution.call(number, self, given, false),
    construct: (_, given) => solution.call(number, undefined, given, true),
    ownKeys: () => ask("keys", target).map(([key]) => String(key)),
    getOwnPropertyDescriptor(_, key) {
      const found = typeof key === "string" && ask("keys", target).find(([name]) => name === key);
      return found ? { value: ask("get", target, key), writable: true, enumerable: found[1] === true, configurable: true } : undefined;
    },
    getPrototypeOf() {
      const kind = ask("kind", target);
      return typeof kind === "string" ? KINDS.find((known) => known.name === kind)?.prototype ?? null : kind;
    },
    defineProperty: () => false,
  });
}

/** Makes arguments equal to what the solution left of them. */
function restore(old, left) {
  if (isArray(old) && isArray(left)) {
    const kept = left.map((item, at) => (at < old.length ? restore(old[at], item) : item));
    old.splice(0, old.length, ...kept);
  } else if (isMap(old) && isMap(left)) {
    old.clear();
    left.forEach((value, key) => old.set(key, value));
  } else if (isSet(old) && isSet(left)) {
    old.clear();
    left.forEach((value) => old.add(value));
  } else if (ArrayBuffer.isView(old) && ArrayBuffer.isView(left)) {
    old.set(left);
  } else if (typeof old === "object" && old !== null && getPrototypeOf(old) === Object.prototype && typeof left === "object" && left !== null) {
    for (const key of Object.keys(old)) if (!Object.hasOwn(left, key)) delete old[key];
    for (const [key, value] of Object.entries(left)) {
      defineProperty(old, key, { value: restore(old[key], value), writable: true, enumerable: true, configurable: true });
    }
  } else {
    return left;
  }
  return old;
}

/** A module of the solution as the tests name it, from the top of the program; none if it is one of the tests. */
function of_solution(request, from) {
  if (!/^\.\.?\//.test(request)) return undefined;
  const file = path.resolve(path.dirname(from), request);
  const here = path.relative(__dirname, file);
  const is_here = !here.startsWith("..") && ["", ".js", ".cjs", ".mjs", ".json", "/index.js"].some((ending) => fs.statSync(file + ending, { throwIfNoEntry: false })?.isFile());
  return is_here ? undefined : here.replace(/^(\.\.\/)+/, "");
}

/** The names that the files of the teacher import from modules of the solution, by module. */
function imported_by_tests() {
  const found = new Map();
  for (const name of fs.readdirSync(__dirname, { recursive: true }).filter((name) => /\.m?js$/.test(name))) {
    const file = path.join(__dirname, name);
    for (const [, clause, request] of fs.readFileSync(file, "utf8").matchAll(/import\s+([^"'`;]*?)\s*from\s*["']([^"']+)["']/g)) {
      const module = of_solution(request, file);
      if (module === undefined) continue;
      const names = (/\{([^}]*)\}/.exec(clause)?.[1] ?? "").split(",").map((one) => one.trim().split(/\s/)[0]).filter((one) => /^[\w$]+$/.test(one));
      found.set(module, [...(found.get(module) ?? []), ...names]);
    }
  }
  return found;
}

/** The text of a module that exports what a module of the solution has, and what the tests import: `it` is an expression. */
function stand_in_text(it, module, wanted) {
  const exported = Reflect.ownKeys(module).filter((name) => typeof name === "string" && /^[A-Za-z_$][\w$]*$/.test(name));
  const names = [...new Set([...wanted, ...exported])].filter((name) => name !== "default" && name !== "module.exports");
  const lines = names.map((name, at) => `const v${at} = it.${name}; export { v${at} as ${name} };`);
  return [`const it = ${it}; export default it.default ?? it;`, ...lines].join("\n");
}

/** Why a test failed: what was expected, and the call before it. */
function why(error, solution) {
  const cause = error?.cause ?? error;
  let words = String(cause?.message ?? cause).replace(/\u001b\[[0-9;]*m/g, "");
  // Jest adds lines of the tests around the place, and of grader: `> 4 | test.each(…)`.
  words = words.split("\n").filter((line) => !/^\s*(?:> *)?(?:\d+ )?\|/.test(line) && !/^\s+at /.test(line)).join("\n").trimEnd();
  if (cause?.name && !["AssertionError", "Error"].includes(cause.name)) words = `${cause.name}: ${words}`;
  const place = /\((?:file:\/\/)?([^()]*):(\d+):\d+\)|at (?:async )?(?:file:\/\/)?(\/[^()\s]*):(\d+):\d+/g;
  for (const [, file, line, file_bare, line_bare] of String(cause?.stack ?? "").matchAll(place)) {
    if (path.basename(file ?? file_bare) !== TESTS) continue;
    const text = fs.readFileSync(path.join(__dirname, TESTS), "utf8").split("\n")[Number(line ?? line_bare) - 1];
    words = `${(text ?? "").replace(/\s*\/\/\s*points?:.*$/, "").trim().slice(0, SHOWN)}: ${words}`;
    break;
  }
  const call = last_call(error, solution);
  if (call !== undefined) words = words.trim() + (words.trim().includes("\n") ? "\n" : "; ") + call;
  return words.slice(0, 8 * SHOWN);
}

/** The last call before an error; none if it is not known. */
function last_call(error, solution) {
  const last = CALLS.has(error) ? CALLS.get(error) : solution?.last;
  // A call that threw is not the last one that returned.
  if (last === undefined || solution.raised.has(error?.cause ?? error)) return undefined;
  const [number, given, value] = last;
  const shown = (one) => util.inspect(one, { breakLength: Infinity }).slice(0, SHOWN);
  try {
    const name = solution.names.get(number) ?? solution.value(solution.ask("get", { h: number }, "name"));
    return `${String(name || "a call").slice(0, SHOWN)}(${given.map(shown).join(", ")}) returned ${shown(value)}`;
  } catch {
    // Objects of the solution may refuse to be shown.
    return undefined;
  }
}

/** Says that the test failed by this error. The solution's process ends by what it threw itself. */
function fail(error, solution) {
  const text = why(error, solution);
  const cause = error?.cause ?? error;
  const number = solution.raised.get(cause) ?? (solution.raised_value?.[0] === cause ? solution.raised_value[1] : undefined);
  if (number !== undefined) solution.crash(number);
  tell({ passed: false, why: text });
}


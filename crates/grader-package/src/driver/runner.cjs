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
    this.shared = new Shared(1);
    // How many calls wait for each other: a function of the tests may call the solution that called it.
    this.depth = 0;
    // Functions of the tests, and objects with functions, by their numbers: a map, since what arrives may be no number.
    this.callbacks = new Map();
    this.callback_numbers = new Map();
    // Those whose fields are being written.
    this.open = new Set();
    // The numbers of modules, of functions that make objects, of other functions, and of what the tests have made.
    this.modules = new Set();
    this.makers = new Set();
    this.others = new Set();
    // The names of functions in their modules.
    this.names = new Map();
    this.made = new Set();
    // What objects were as numbers and texts, until the next call changes them. No object is a small and a large number at once.
    this.primitives = new Map();
    // Their lengths and, if they extend arrays, their elements, also until then: nothing is short and long at once.
    this.lengths = new Map();
    this.rows = new Map();
    this.is_converting = false;
    // The last call: its function, its arguments, and what it returned.
    this.last = undefined;
    this.has_found = false;
  }

  /** A message with the contents of what it names. */
  message(message, is_inside) {
    try {
      return { ...message, contents: this.shared.contents((one) => this.encoded(one), is_inside) };
    } catch (error) {
      throw this.checked(error);
    }
  }

  ask(...what) {
    const message = this.message({ ask: what }, this.depth > 0);
    let written;
    this.depth++;
    try {
      this.lines.say(message);
      for (;;) {
        const line = this.lines.next();
        if (line === undefined) end({ wrong: ENDED });
        written = parse(line);
        for (const [method, contents, given] of written.printed ?? []) {
          if (["log", "info", "debug", "warn", "error"].includes(method)) console[method](...this.copies(contents, given));
        }
        this.shared.read(written.contents, (one) => this.decode(one));
        if (!("callback" in written)) break;
        this.lines.say(this.called_back(written));
      }
      if ("error" in written) written.raised = this.error(written.error);
      else if ("rejected" in written) written.raised = this.error(written.rejected);
      else if ("promise" in written) written.made = this.decode(written.promise);
      else if (what[0] === "keys") written.made = keys_in(written.value);
      else if (what[0] === "row") written.made = written.value.map((one) => this.decode(one));
      else written.made = this.decode(written.value);
    } catch (error) {
      if (error.code === "EPIPE") end({ wrong: ENDED });
      end({ wrong: error instanceof RangeError && /MiB$/.test(error.message) ? `the program returned ${error.message}` : ODD });
    }
    this.depth--;
    if (this.depth === 0) this.shared.trim();
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
      const value = Reflect.apply(this.callbacks.get(callback), this.decode(self), given.map((one) => this.decode(one)));
      return this.message({ value: this.encode(value) }, true);
    } catch (error) {
      if (this.raised.has(error)) return this.message({ error: { h: this.raised.get(error) } }, true);
      return this.message({ raised: [this.callback(error), String(error?.name), String(error?.message)] }, true);
    }
  }

  /** The number of what the solution can give back, but not look into. */
  callback(value) {
    if (!this.callback_numbers.has(value)) {
      this.callback_numbers.set(value, this.callbacks.size);
      this.callbacks.set(this.callbacks.size, value);
    }
    return this.callback_numbers.get(value);
  }

  encode(value) {
    try {
      return this.encoded(value);
    } catch (error) {
      throw this.checked(error);
    }
  }

  /** An error of writing a message. Ends the test if the test gives the solution what cannot leave. */
  checked(error) {
    return error instanceof Stays ? end({ fault: error.message }) : error;
  }

  encoded(value) {
    return encode(value, this.shared, (one) => {
      if (this.numbers.has(one)) return { h: this.numbers.get(one) };
      if (this.raised.has(one)) return { h: this.raised.get(one) };
      if (typeof one === "function") {
        const name = Object.getOwnPropertyNames(globalThis).find((name) => globalThis[name] === one);
        return name === undefined ? { c: [this.callback(one)] } : { g: name };
      }
      const fields = open_fields(one);
      if (fields !== undefined) return this.with_fields(one, fields);
      // A copy that the runner has made of one of the solution's objects, to show it.
      if (this.numbers.has(getPrototypeOf(one))) throw new TypeError("the program returned an object that cannot be copied");
      const kind = one?.constructor?.name ?? typeof one;
      throw new Stays(`the test gives the solution a value of the type \`${kind}\`, which cannot leave the test`);
    });
  }

  /** An object of the tests with functions: they are called back. */
  with_fields(value, fields) {
    const number = this.callback(value);
    // It may be one of its own fields.
    if (this.open.has(number)) return { c: [number] };
    this.open.add(number);
    try {
      return { c: [number, fields.map((field) => field.map((one) => this.encoded(one)))] };
    } finally {
      this.open.delete(number);
    }
  }

  decode(written) {
    return decode(written, this.shared, (name, value) => {
      if (name === "c" && this.callbacks.has(value)) return this.callbacks.get(value);
      if (name === "h" && typeof value[0] === "number") return this.thing(value[0], value[1] === true, value[2] === true);
      throw new TypeError(name);
    });
  }

  /** Values as they were when the solution printed them. */
  copies(contents, given) {
    const { shared } = this;
    this.shared = new Shared(1);
    try {
      this.shared.read(contents, (one) => this.decode(one));
      return given.map((one) => this.decode(one));
    } finally {
      this.shared = shared;
    }
  }

  thing(number, is_function, is_array) {
    for (const [error, of] of this.raised) if (of === number) return error;
    if (!this.things.has(number)) {
      const made = stand_in(this, number, is_function, is_array && !is_function);
      this.things.set(number, made);
      this.numbers.set(made, number);
    }
    return this.things.get(number);
  }

  error(raised) {
    for (const [error, of] of this.raised) if (of === raised.number) return error;
    if ("thrown" in raised) {
      const value = this.decode(raised.thrown);
      // The tests may have thrown it themselves, in a function that the solution called.
      if (!this.callback_numbers.has(value)) this.raised_value = [value, raised.number];
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
      ? this.ask("new", target, null, given.map((one) => this.encode(one)))
      : this.ask("call", target, this.encode(self === globalThis ? undefined : self), given.map((one) => this.encode(one)));
    if (!("raised" in answer)) this.last = [number, given, answer.made];
    if (!this.is_converting) this.forget();
    // No function returns its module, but one that wants its trust.
    this.modules.delete(this.numbers.get(answer.made));
    const is_made = (one) => this.made.has(this.numbers.get(one));
    if (is_new || (this.makers.has(number) && !this.others.has(number)) || this.made.has(number) || is_made(self) || given.some(is_made)) {
      this.mark_made(answer.made);
    }
    return this.value(answer);
  }

  /** Forgets what objects were before a call. */
  forget() {
    for (const known of [this.primitives, this.lengths, this.rows]) known.clear();
  }

  /** The length of an object that the tests did not make. */
  length(number) {
    if (!this.lengths.has(number)) this.lengths.set(number, this.value(this.ask("get", { h: number }, "length")));
    return this.lengths.get(number);
  }

  /** What is in an object that extends arrays. */
  row(number) {
    if (!this.rows.has(number)) this.rows.set(number, this.value(this.ask("row", { h: number })));
    return this.rows.get(number);
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
    this.lines.say({ raise: number });
    while (this.lines.next() !== undefined);
  }
}

/** The fields of an object of the tests that has functions, or gives values one by one; none for other values. */
function open_fields(value) {
  if (typeof value !== "object" || value === null || isProxy(value)) return undefined;
  if (typeof value.next === "function" && typeof value[Symbol.iterator] === "function") {
    return ["next", "return", "throw", Symbol.iterator].filter((key) => typeof value[key] === "function").map((key) => [key, value[key]]);
  }
  if (![Object.prototype, null].includes(getPrototypeOf(value))) return undefined;
  const keys = Reflect.ownKeys(value).filter((key) => typeof key === "string" || known_symbol(key) !== undefined);
  const fields = keys.map((key) => [key, Reflect.getOwnPropertyDescriptor(value, key)]).filter(([, field]) => field.enumerable);
  return fields.every(([, field]) => "value" in field) ? fields.map(([key, field]) => [key, field.value]) : undefined;
}

/** Stands for an object of the solution. What is read of it comes from the solution's process. */
function stand_in(solution, number, is_function, is_array) {
  const target = { h: number };
  const ask = (...what) => solution.value(solution.ask(...what));
  // A bound function can be made an object with `new`, and has no properties that a proxy must show.
  const own = is_function ? function () {}.bind() : is_array ? [] : {};
  // What is shown in messages. node does not ask a proxy.
  defineProperty(own, util.inspect.custom, { value: () => String(ask("shown", target)), configurable: true });
  const key_of = (key) => solution.encode(key);
  const is_trusted = () => solution.modules.has(number) || solution.made.has(number);
  const is_ours = (key) => typeof key === "symbol" && known_symbol(key) === undefined;
  const in_row = (key) => is_array && typeof key === "string" && (key === "length" || /^\d+$/.test(key));
  const keys = () => ask("keys", target);
  return new Proxy(own, {
    get(_, key) {
      if (key === util.inspect.custom) return own[key];
      if (is_ours(key) || HIDDEN.includes(key)) return undefined;
      if (SEARCHES.includes(key) && !is_trusted()) return undefined;
      if (key === Symbol.toPrimitive) return (hint) => solution.primitive(number, solution.things.get(number), hint);
      if (key === Symbol.hasInstance) return (value) => ask("of", target, solution.encode(value)) === true;
      if (in_row(key)) return solution.row(number)[key];
      if (key === "length" && !is_trusted()) return solution.length(number);
      if (is_array && key === Symbol.iterator && !is_trusted()) return Array.prototype[key];
      return solution.got(number, key, ask("get", target, key_of(key)));
    },
    set(_, key, value) {
      solution.forget();
      return ask("set", target, key_of(key), solution.encode(value)) === true;
    },
    deleteProperty(_, key) {
      solution.forget();
      return ask("delete", target, key_of(key)) === true;
    },
    // What has a value is there: Jest compares no property that is not.
    has(_, key) {
      if (in_row(key)) return key in solution.row(number);
      return !is_ours(key) && (ask("has", target, key_of(key)) === true || ask("get", target, key_of(key)) !== undefined);
    },
    apply: (_, self, given) => solution.call(number, self, given, false),
    construct: (_, given) => solution.call(number, undefined, given, true),
    ownKeys() {
      const others = keys().map(([key]) => key).filter((key) => !in_row(key));
      return is_array ? [...Object.keys(solution.row(number)), "length", ...others] : others;
    },
    getOwnPropertyDescriptor(_, key) {
      if (in_row(key)) return Reflect.getOwnPropertyDescriptor(solution.row(number), key);
      const found = typeof key === "string" && keys().find(([name]) => name === key);
      return found ? { value: ask("get", target, key), writable: true, enumerable: found[1], configurable: true } : undefined;
    },
    getPrototypeOf() {
      const kind = ask("kind", target);
      return typeof kind === "string" ? KINDS.find((known) => known.name === kind)?.prototype ?? null : kind;
    },
    defineProperty: () => false,
  });
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


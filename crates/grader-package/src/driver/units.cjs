// Serves the program that runs the unit tests of a teacher in JavaScript (runner.cjs). Each line of standard input asks for one
// thing, and this program answers with what came of it. Neither the tests nor what they expect come here.
const { pathToFileURL } = require("node:url");

// The problem's own files beside the solution.
const GIVEN = @GIVEN@;

class Served {
  constructor() {
    this.lines = new Lines(0, 1);
    // Objects that are no plain values stay here; the other side knows their numbers.
    this.objects = [];
    this.numbers = new Map();
    // Functions of the tests, their objects with functions, and errors that these functions threw, by their numbers.
    this.callbacks = new Map();
    this.callback_numbers = new Map();
    this.shared = new Shared(0);
    this.printed = [];
  }

  number(value) {
    if (!this.numbers.has(value)) {
      this.numbers.set(value, this.objects.length);
      this.objects.push(value);
    }
    return this.numbers.get(value);
  }

  keep(value) {
    return { h: [this.number(value), typeof value === "function", isArray(value)] };
  }

  encode(value) {
    return encode(value, this.shared, (one) => (this.callback_numbers.has(one) ? { c: this.callback_numbers.get(one) } : this.keep(one)));
  }

  decode(written) {
    return decode(written, this.shared, (name, value) => {
      if (name === "h") return this.objects[value];
      if (name === "g") return globalThis[value];
      if (name !== "c") throw new TypeError(name);
      return this.callback(...value);
    });
  }

  /** A function of the tests, or one of their objects with these fields. */
  callback(number, fields) {
    if (!this.callbacks.has(number)) {
      const served = this;
      const call = function (...given) {
        return served.call_back(number, new.target ? undefined : this, given);
      };
      this.know(number, fields ? {} : call);
    }
    const found = this.callbacks.get(number);
    for (const [key, value] of fields ?? []) {
      defineProperty(found, this.decode(key), { value: this.decode(value), writable: true, enumerable: true, configurable: true });
    }
    return found;
  }

  know(number, value) {
    this.callbacks.set(number, value);
    this.callback_numbers.set(value, number);
  }

  /** Sends a message with the contents of what it names. */
  say(message, is_inside) {
    this.lines.say({ ...message, printed: this.printed.splice(0), contents: this.shared.contents((one) => this.encode(one), is_inside) });
  }

  /** Reads a message; none if there is no more. */
  heard() {
    const line = this.lines.next();
    const message = line === undefined ? undefined : parse(line);
    if (message?.contents) this.shared.read(message.contents, (one) => this.decode(one));
    return message;
  }

  /** Values as they are now, with their contents. */
  copies(given) {
    const { shared } = this;
    this.shared = new Shared(0);
    try {
      const written = given.map((one) => this.encode(one));
      return [this.shared.contents((one) => this.encode(one)), written];
    } finally {
      this.shared = shared;
    }
  }

  call_back(callback, self, given) {
    const about = self === globalThis ? undefined : self;
    this.say({ callback, self: this.encode(about), given: given.map((one) => this.encode(one)) }, true);
    for (;;) {
      const message = this.heard();
      if (message === undefined) process.exit(1);
      if ("ask" in message) {
        // The function of the tests asks for something before it returns. Nothing can wait for a promise now.
        const { waits, ...answer } = this.answered(message.ask);
        this.say(waits ? { value: this.keep(waits) } : answer, true);
        continue;
      }
      if ("error" in message) throw this.decode(message.error);
      if ("raised" in message) throw this.raised_by_tests(...message.raised);
      return this.decode(message.value);
    }
  }

  raised_by_tests(number, name, message) {
    if (!this.callbacks.has(number)) {
      const error = new (ERRORS.find((kind) => kind.name === name) ?? Error)(message);
      if (error.name !== name) defineProperty(error, "name", { value: name, writable: true, configurable: true });
      this.know(number, error);
    }
    return this.callbacks.get(number);
  }

  error(raised) {
    const is_error = raised instanceof Error;
    const names = [];
    for (let kind = is_error ? getPrototypeOf(raised) : null; kind; kind = getPrototypeOf(kind)) {
      names.push(String(kind.constructor?.name));
    }
    if (!is_error || this.callback_numbers.has(raised)) return { thrown: this.encode(raised), number: this.number([raised]) };
    const own = Object.entries(raised).filter(([, value]) => typeof value !== "function");
    return { number: this.number(raised), names, name: String(raised.name), message: String(raised.message), own: own.map(([key, value]) => [key, this.encode(value)]) };
  }

  answer([what, target, ...rest]) {
    if (what === "module") return { waits: module_named(target) };
    const object = this.decode(target);
    switch (what) {
      case "get": return { value: this.encode(Reflect.get(object, this.decode(rest[0]))) };
      case "set": return { value: this.encode(Reflect.set(object, this.decode(rest[0]), this.decode(rest[1]))) };
      case "delete": return { value: Reflect.deleteProperty(object, this.decode(rest[0])) };
      case "has": return { value: Reflect.has(object, this.decode(rest[0])) };
      case "keys": return { value: Reflect.ownKeys(object).filter((key) => typeof key === "string").map((key) => [key, Object.prototype.propertyIsEnumerable.call(object, key)]) };
      case "row": return { value: Array.from({ length: object.length }, (_, at) => this.encode(object[at])) };
      case "kind": {
        const kind = getPrototypeOf(object);
        const known = KINDS.find((known) => kind === known.prototype);
        return { value: kind === null || known ? known?.name ?? null : this.keep(kind) };
      }
      case "of": return { value: this.decode(rest[0]) instanceof object };
      case "shown": return { value: util.inspect(object, { depth: 2 }) };
    }
    const self = this.decode(rest[0]), given = rest[1].map((one) => this.decode(one));
    const value = what === "new" ? Reflect.construct(object, given) : Reflect.apply(object, self, given);
    return typeof value?.then === "function" && value instanceof Promise ? { waits: value } : { value: this.encode(value) };
  }

  /** An answer, also if the solution throws. */
  answered(ask) {
    try {
      return this.answer(ask);
    } catch (raised) {
      return { error: this.error(raised) };
    }
  }

  async serve() {
    for (let message; (message = this.heard()) !== undefined; ) {
      if ("raise" in message) {
        const raised = this.objects[message.raise];
        // Nothing of the solution may catch it.
        process.removeAllListeners("uncaughtException");
        write(2, `${(isArray(raised) ? raised[0] : raised)?.stack ?? String(raised)}\n`);
        process.reallyExit(1);
      }
      let answer = this.answered(message.ask);
      if ("waits" in answer) {
        const is_module = message.ask[0] === "module";
        try {
          const value = await answer.waits;
          answer = is_module ? { value: this.keep(value) } : { promise: this.encode(value) };
        } catch (raised) {
          answer = { [is_module ? "error" : "rejected"]: this.error(raised) };
        }
      }
      this.say(answer, false);
      this.shared.trim();
    }
    process.reallyExit(0);
  }
}

/** The module of the solution that a test imports. A solution in one file may have any name. */
async function module_named(name) {
  const others = fs.readdirSync(__dirname).filter((file) => /\.[cm]?js$/i.test(file) && file !== path.basename(__filename) && !GIVEN.includes(file));
  const bare = (file) => file.replace(/\.[cm]?js$/i, "");
  const whole = [name, `${name}.js`, `${name}.cjs`, `${name}.mjs`, path.join(name, "index.js")].map((file) => path.join(__dirname, file));
  const found = whole.find((file) => fs.statSync(file, { throwIfNoEntry: false })?.isFile())
    ?? [others.find((file) => bare(file) === bare(path.basename(name))), others.length === 1 ? others[0] : undefined]
      .filter((file) => file !== undefined).map((file) => path.join(__dirname, file))[0];
  if (found === undefined) throw new Error(`Cannot find module '${name}'`);
  const exported = await import(pathToFileURL(found));
  // What `require` gives for a module of CommonJS.
  return require.cache[found]?.exports ?? exported;
}

const served = new Served();
// What the solution itself prints is no answer. The tests may look at it.
Object.defineProperty(process, "stdout", { get: () => process.stderr });
for (const method of ["log", "info", "debug", "warn", "error"]) {
  const shown = console[method].bind(console);
  console[method] = (...given) => {
    shown(...given);
    if (served.printed.length < 1000) served.printed.push([method, ...served.copies(given)]);
  };
}
// What a promise of the solution does while nobody waits for it is no crash.
process.on("unhandledRejection", () => {});
served.serve();

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
    // Functions of the tests, by their numbers.
    this.callbacks = new Map();
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
    return { h: [this.number(value), typeof value === "function"] };
  }

  encode(value) {
    return encode(value, (one) => {
      for (const [number, callback] of this.callbacks) if (callback === one) return { c: number };
      return this.keep(one);
    });
  }

  decode(written) {
    return decode(written, (name, value) => {
      if (name === "h") return this.objects[value];
      if (name === "g") return globalThis[value];
      if (name !== "c") throw new TypeError(name);
      if (!this.callbacks.has(value)) {
        const served = this;
        this.callbacks.set(value, function (...given) {
          return served.call_back(value, new.target ? undefined : this, given);
        });
      }
      return this.callbacks.get(value);
    });
  }

  call_back(callback, self, given) {
    const about = self === globalThis ? undefined : self;
    this.lines.say({ callback, self: this.encode(about), given: this.encode(given), printed: this.printed.splice(0) });
    const line = this.lines.next();
    if (line === undefined) process.exit(1);
    const answer = parse(line);
    if ("error" in answer) throw this.decode(answer.error);
    return this.decode(answer.value);
  }

  error(raised) {
    const is_error = raised instanceof Error;
    const names = [];
    for (let kind = is_error ? getPrototypeOf(raised) : null; kind; kind = getPrototypeOf(kind)) {
      names.push(String(kind.constructor?.name));
    }
    if (!is_error) return { thrown: this.encode(raised), number: this.number([raised]) };
    const own = Object.entries(raised).filter(([, value]) => typeof value !== "function");
    return { number: this.number(raised), names, name: String(raised.name), message: String(raised.message), own: own.map(([key, value]) => [key, this.encode(value)]) };
  }

  async answer([what, target, ...rest]) {
    if (what === "module") return { value: this.keep(await module_named(target)) };
    const object = this.decode(target);
    switch (what) {
      case "get": return { value: this.encode(Reflect.get(object, this.decode(rest[0]))) };
      case "set": return { value: this.encode(Reflect.set(object, this.decode(rest[0]), this.decode(rest[1]))) };
      case "delete": return { value: Reflect.deleteProperty(object, this.decode(rest[0])) };
      case "has": return { value: Reflect.has(object, this.decode(rest[0])) };
      case "keys": return { value: Reflect.ownKeys(object).filter((key) => typeof key === "string").map((key) => [key, Object.prototype.propertyIsEnumerable.call(object, key)]) };
      case "kind": {
        const kind = getPrototypeOf(object);
        const known = KINDS.find((known) => kind === known.prototype);
        return { value: kind === null || known ? known?.name ?? null : this.keep(kind) };
      }
      case "of": return { value: this.decode(rest[0]) instanceof object };
      case "shown": return { value: util.inspect(object, { depth: 2 }) };
    }
    const [self, given] = rest.map((one) => this.decode(one));
    const before = stringify(this.encode(given));
    let value = what === "new" ? Reflect.construct(object, given) : Reflect.apply(object, self, given);
    const answer = {};
    if (typeof value?.then === "function" && value instanceof Promise) {
      try {
        answer.promise = this.encode(await value);
      } catch (raised) {
        answer.rejected = this.error(raised);
      }
    } else {
      answer.value = this.encode(value);
    }
    const left = this.encode(given);
    if (stringify(left) !== before) answer.left = left;
    return answer;
  }

  async serve() {
    for (let line; (line = this.lines.next()) !== undefined; ) {
      const ask = parse(line);
      if (ask[0] === "raise") {
        const raised = this.objects[ask[1]];
        // Nothing of the solution may catch it.
        process.removeAllListeners("uncaughtException");
        write(2, `${(isArray(raised) ? raised[0] : raised)?.stack ?? String(raised)}\n`);
        process.reallyExit(1);
      }
      let answer;
      try {
        answer = await this.answer(ask);
      } catch (raised) {
        answer = { error: this.error(raised) };
      }
      this.lines.say({ ...answer, printed: this.printed.splice(0) });
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
    if (served.printed.length < 1000) served.printed.push([method, served.encode(given)]);
  };
}
// What a promise of the solution does while nobody waits for it is no crash.
process.on("unhandledRejection", () => {});
served.serve();

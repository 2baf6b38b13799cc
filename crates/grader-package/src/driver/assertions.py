# Serves the program that judges a solution in Python by assertions (evaluator.py). Each line of standard input asks for
# one call, and this program answers with what came of it. Expected values do not come here, unless the assertions could
# not be taken apart: then the last line is a program of assertions with a word, which is written after they hold.


def main():
    # Bound before anything of the solution runs, which may put other functions into their places.
    run, translate, write, read, write_json = exec, compile, os.write, json.loads, json.dumps
    asks, answers = os.fdopen(os.dup(0), encoding="utf-8"), os.dup(1)
    # What the solution itself prints is no answer, and nothing is there for it to read.
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)

    def say(line):
        sys.stdout.flush()
        left = memoryview((line + "\n").encode()[: LONGEST + 1])
        while left:
            left = left[write(answers, left) :]

    served, error = Served(load(run, translate)), None
    for line in asks:
        ask = read(line)
        if ask == "raise":
            raise error
        if "judged_by" in ask:
            continue
        if "assertions" in ask:
            # A test is a program: `if __name__ == "__main__"` holds.
            served.names["__name__"] = "__main__"
            run(translate(ask["assertions"], "test", "exec"), served.names)
            say(write_json(ask["word"]))
            continue
        try:
            answer = served.answer(ask)
        except Exception as raised:
            error = raised
            answer = {"error": [kind.__name__ for kind in type(raised).__mro__], "message": words_of(raised)}
        say(write_json(answer))


main()

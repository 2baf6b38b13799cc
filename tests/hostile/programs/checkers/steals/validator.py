import os, sys
workspace = open(sys.argv[1]).read().split()[1]
assert open(sys.argv[2]).read() == "ok\n"
for secret in ["testcases/p/secret/1.ans", "problems/p", "home/secret", "grader.toml", ".grader/index.sqlite"]:
    try:
        os.open(os.path.join(workspace, secret), os.O_RDONLY)
        sys.exit(f"opened {secret}")
    except OSError:
        pass
for copy in sys.argv[1:3]:
    open(copy, "w").write("spoilt")
sys.exit(42)

import os, signal, sys, time
if os.fork() == 0:
    os.setsid()
    if os.fork() != 0:
        os._exit(0)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    open(sys.argv[3] + "/held", "w")
    time.sleep(600)
sys.exit(42)

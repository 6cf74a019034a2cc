"""Runs a program with one pipe as standard output (and error), reads it slowly, and tells what arrived.

Arguments: MODE, then the program. Prints one JSON object: how many bytes arrived, their SHA-256, and the exit code.
MODE is a list of words: nonblock (both ends of the pipe do not block), shared (standard error is the same pipe), pty (a
terminal instead of a pipe), head (close after the first line), slow (wait before each read).
"""

import fcntl, hashlib, json, os, subprocess, sys, termios, time

words, program = sys.argv[1].split("+"), sys.argv[2:]
if "pty" in words:
    reader, writer = os.openpty()
    settings = termios.tcgetattr(writer)
    settings[1] &= ~termios.OPOST
    termios.tcsetattr(writer, termios.TCSANOW, settings)
else:
    reader, writer = os.pipe()
if "nonblock" in words:
    for end in (reader, writer):
        fcntl.fcntl(end, fcntl.F_SETFL, fcntl.fcntl(end, fcntl.F_GETFL) | os.O_NONBLOCK)
stderr = writer if "shared" in words else subprocess.PIPE
child = subprocess.Popen(program, stdin=subprocess.DEVNULL, stdout=writer, stderr=stderr)
os.close(writer)
arrived, digest = 0, hashlib.sha256()
while True:
    if "slow" in words:
        time.sleep(0.002)
    try:
        chunk = os.read(reader, 4096 if "head" in words else 50_000)
    except BlockingIOError:
        time.sleep(0.001)
        continue
    except OSError:
        break
    if not chunk:
        break
    arrived += len(chunk)
    digest.update(chunk)
    if "head" in words:
        break
os.close(reader)
errors = b"" if "shared" in words else child.stderr.read()
print(json.dumps({"bytes": arrived, "hash": digest.hexdigest(), "code": child.wait(), "err": errors.decode()}))

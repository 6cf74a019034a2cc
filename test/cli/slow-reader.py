"""Runs a program whose output goes to a pipe or a terminal, reads it in a peculiar way, and prints as JSON what arrived.

Arguments: MODE, then the program. MODE is a list of words joined by +: slow (wait before each read), nonblock (the pipe
doesn't block), shared (standard error is the same pipe), pty (a terminal of 80 columns), text (print what arrived),
yes, no or interrupt (answer a question on the terminal).
"""

import fcntl, hashlib, json, os, struct, subprocess, sys, termios, time

words, program = sys.argv[1].split("+"), sys.argv[2:]
ANSWERS = {"yes": b"y\n", "no": b"n\n", "interrupt": b"\x03"}
answer = next((ANSWERS[word] for word in words if word in ANSWERS), None)
if "pty" in words:
    reader, writer = os.openpty()
    settings = termios.tcgetattr(writer)
    settings[1] &= ~termios.OPOST
    termios.tcsetattr(writer, termios.TCSANOW, settings)
    fcntl.ioctl(writer, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
else:
    reader, writer = os.pipe()
if "nonblock" in words:
    for end in (reader, writer):
        fcntl.fcntl(end, fcntl.F_SETFL, fcntl.fcntl(end, fcntl.F_GETFL) | os.O_NONBLOCK)
is_shared = "shared" in words or "text" in words or answer is not None


def own_terminal():
    os.setsid()
    if "pty" in words:
        fcntl.ioctl(writer, termios.TIOCSCTTY, 0)


child = subprocess.Popen(
    program,
    stdin=writer if answer is not None else subprocess.DEVNULL,
    stdout=writer,
    stderr=writer if is_shared else subprocess.DEVNULL,
    preexec_fn=own_terminal,
    env={**os.environ, "NO_COLOR": "1", "TERM": "xterm"},
)
os.close(writer)
arrived = b""
while True:
    if "slow" in words:
        time.sleep(0.002)
    try:
        chunk = os.read(reader, 50_000)
    except BlockingIOError:
        time.sleep(0.001)
        continue
    except OSError:
        break
    if not chunk:
        break
    arrived += chunk
    if answer is not None and b"[y/N]" in arrived:
        os.write(reader, answer)
        answer = None
code = child.wait()
if "text" in words:
    sys.stdout.buffer.write(arrived)
else:
    print(json.dumps({"bytes": len(arrived), "digest": hashlib.sha256(arrived).hexdigest(), "code": code}))

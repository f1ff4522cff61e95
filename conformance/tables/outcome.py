# SPDX-License-Identifier: Apache-2.0
"""What one run of a program came to."""

PASSED, FAILED, DIFFERS, ABSENT, STOPPED = "passed", "failed", "differs", "absent", "stopped"


class Outcome:
    """seconds: the time of the program's main section (None if it states none); process: of the
    whole process; result: what is compared; reason: why it did not pass."""

    def __init__(self, status, result=None, seconds=None, process=None, reason=None):
        self.status = status
        self.result = result
        self.seconds = seconds
        self.process = process
        self.reason = reason

    def passed(self):
        return self.status == PASSED


def last_line(text):
    """The last line that says something, shortened to what fits in a table."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1][:240] if lines else "no message"

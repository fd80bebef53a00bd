# This file is part of Heapwright and may be used under its licence (MIT).
"""BenchExec tool-info module for Heapwright.

Maps a BenchExec task to `heapwright check --property P --data-model M --verdict-line FILES` and
the one line this prints to a BenchExec result.
"""

import re

import benchexec.result as result
import benchexec.tools.template
from benchexec.tools.sv_benchmarks_util import get_data_model_from_task
from benchexec.tools.template import ToolNotFoundException

# Every part of a property that a FALSE may name, with the status BenchExec expects for it.
VIOLATIONS = {
    "unreach-call": result.RESULT_FALSE_REACH,
    "valid-deref": result.RESULT_FALSE_DEREF,
    "valid-free": result.RESULT_FALSE_FREE,
    "valid-memtrack": result.RESULT_FALSE_MEMTRACK,
    "valid-memcleanup": result.RESULT_FALSE_MEMCLEANUP,
    "no-overflow": result.RESULT_FALSE_OVERFLOW,
    "termination": result.RESULT_FALSE_TERMINATION,
}

VERDICT = re.compile(r"(TRUE|FALSE|UNKNOWN)(?:\((.*)\))?")


class Tool(benchexec.tools.template.BaseTool2):
    """Heapwright, a verifier for C programs that work on the heap."""

    def executable(self, tool_locator):
        # With --tool-directory only the named folder is searched, so look into both.
        try:
            return tool_locator.find_executable("heapwright", subdir="bin")
        except ToolNotFoundException:
            return tool_locator.find_executable("heapwright")

    def name(self):
        return "Heapwright"

    def project_url(self):
        return "https://github.com/heapwright/heapwright"

    def version(self, executable):
        return self._version_from_tool(executable, line_prefix="heapwright")

    def cmdline(self, executable, options, task, rlimits):
        command = [executable, "check", "--verdict-line"]
        if task.property_file:
            command += ["--property", task.property_file]
        names = {"ILP32": "ILP32", "LP64": "LP64"}
        data_model = get_data_model_from_task(task, names)
        # Benchmark definitions may set the data model themselves; ours must not contradict.
        if data_model and "--data-model" not in options:
            command += ["--data-model", data_model]
        return [*command, *options, *task.input_files_or_identifier]

    def determine_result(self, run):
        # A process that was killed has no say, whatever it had printed. BenchExec
        # names the signal, or the limit that was behind it.
        if run.exit_code.signal is not None:
            return result.RESULT_ERROR
        # BenchExec mixes in the standard error, so look for the last line that is a verdict.
        for line in reversed(run.output):
            match = VERDICT.fullmatch(line.strip())
            if match:
                return self._status(*match.groups())
        return result.RESULT_ERROR

    @staticmethod
    def _status(verdict, detail):
        if verdict == "TRUE":
            return result.RESULT_TRUE_PROP
        if verdict == "FALSE":
            return VIOLATIONS.get(detail, result.RESULT_FALSE_PROP)
        # Only the kind of reason: tables group by status, and details would split every group.
        kind = re.split("[:;,(]", detail or "")[0].strip()
        return f"{result.RESULT_UNKNOWN}({kind})" if kind else result.RESULT_UNKNOWN

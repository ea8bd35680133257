"""That figures are refused where the counts are wrong, and what a report looks like. python3 -m unittest test_figures"""
import contextlib
import io
import json
import pathlib
import re
import sys
import tempfile
import unittest

import figures
from builds import Missing
from figures import ALL, Built, Peer, Refused

PACKETS, TCP, UDP, PORTS = 1000, 300, 600, 4_000_000


def built(key, *processes, most=ALL):
    peer = Peer(key, f"the {key}", lambda: ([key], []), lambda: "1", len(processes[0]) if processes else 2, most)
    return Built(peer, "1", [key], [], most, [list(map(list, rounds)) for rounds in processes])


def line(ns, packets=PACKETS, udp=UDP):
    return [packets, TCP, udp, PORTS, ns]


def reference(most):
    return [min(most, PACKETS), TCP, UDP, PORTS]


class Counts(unittest.TestCase):
    def test_takes_what_agrees(self):
        one = built("one", [line(9), line(5)], [line(7), line(8)])
        figures.hold_steady([one])
        figures.hold_alike([one], reference)

    def test_refuses_rounds_that_count_differently(self):
        for wrong in (built("one", [line(9), line(5, udp=UDP - 1)]), built("one", [line(9)], [line(9, packets=999)])):
            with self.assertRaisesRegex(Refused, "the one counted differently"):
                figures.hold_steady([wrong])

    def test_refuses_another_sum_than_the_reference(self):
        right, wrong = built("one", [line(9)]), built("two", [line(1, udp=UDP + 1)])
        with self.assertRaisesRegex(Refused, "the two counted"):
            figures.hold_alike([right, wrong], reference)

    def test_refuses_a_peer_that_stops_early(self):
        # its counts are right for what it read: that it should have read more knows the reference only
        early = built("early", [[500, 150, 300, 2_000_000, 1]])
        with self.assertRaisesRegex(Refused, "the early counted"):
            figures.hold_alike([early], reference)

    def test_asks_the_reference_for_as_many_packets_as_the_peer_reads(self):
        few = built("few", [[10, TCP, UDP, PORTS, 1]], most=10)
        figures.hold_alike([few], reference)

    def test_refuses_who_saw_nothing(self):
        with self.assertRaisesRegex(Refused, "saw no packet"):
            figures.hold_steady([built("one", [[0, 0, 0, 0, 1]])])


class Processes(unittest.TestCase):
    def test_run_in_alternation(self):
        one, two = built("one"), built("two")
        turns = []

        def run(words, name):
            turns.append(words)
            return [line(1), line(2)]
        figures.alternate([one, two], "file", 2, 1, run)
        self.assertEqual([words[0] for words in turns], ["one", "two", "one", "two"])
        self.assertEqual(turns[0], ["one", "file", "2", str(ALL)])
        self.assertEqual(len(one.processes), 2)

    def test_are_refused_with_fewer_rounds_than_asked_for(self):
        with self.assertRaisesRegex(Refused, "printed 1 rounds, not 2"):
            figures.alternate([built("one")], "file", 1, 1, lambda words, name: [line(1)])

    def test_are_refused_when_they_fail_or_print_no_counts(self):
        python = [sys.executable, "-c"]
        self.assertEqual(figures.process([*python, "print('1 2'); print('a word')"], "x"), [[1, 2]])
        for program in ("raise SystemExit(3)", "print('nothing')", "print('1 2'); print('1 2 3')"):
            with self.assertRaises(Refused):
                figures.process([*python, program], "x")


class Reports(unittest.TestCase):
    def test_count_the_best_round_of_each_process(self):
        one = built("one", [line(9000), line(5000)], [line(7000), line(8000)])
        two = built("two", [line(10_000)], [line(28_000)])
        self.assertEqual(one.best_ns(), [5, 7])
        self.assertEqual(figures.ratios(two, one), [2, 4])
        self.assertEqual(figures.spread(one.best_ns(), ".1f"), "5.0 to 7.0")

    def test_leave_out_who_cannot_be_built(self):
        def none():
            raise Missing("no compiler")
        peers = [Peer("one", "the one", lambda: (["one"], []), lambda: "1", 1), Peer("two", "the two", none, lambda: "", 1)]
        with contextlib.redirect_stderr(io.StringIO()) as told:
            found, missing = figures.build(peers)
        self.assertEqual([one.peer.key for one in found], ["one"])
        self.assertEqual(missing, {"the two": "no compiler"})
        self.assertIn("the two is left out: no compiler", told.getvalue())
        self.assertIn("- left out: the two: no compiler", figures.left_out(missing))

    def test_know_no_other_peer_than_those_listed(self):
        peers = [Peer("one", "", None, None, 1), Peer("two", "", None, None, 1)]
        self.assertEqual([peer.key for peer in figures.pick(peers, "two, one")], ["one", "two"])
        with self.assertRaisesRegex(ValueError, "no peer three; there are one, two"):
            figures.pick(peers, "one,three")

    def test_are_markdown_with_the_machine_and_json_with_all_rounds(self):
        one = built("one", [line(9000), line(5000)])
        machine = figures.machine()
        self.assertGreaterEqual(set(machine), {"processor", "processors", "memory", "system", "measured at"})
        text = figures.head("T", "Q?", machine) + "\n\n" + figures.table(["a", "b"], 1, [["x", "1"]])
        self.assertRegex(text, r"(?m)^\| processor \| .+ \|$")
        self.assertRegex(text, re.escape("| a | b |\n|---|---:|\n| x | 1 |"))
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()) as printed:
            figures.keep(folder + "/new", "name", text, {"peers": figures.as_data([one])})
            self.assertEqual(printed.getvalue(), text + "\n")
            self.assertEqual(pathlib.Path(folder, "new", "name.md").read_text(), text + "\n")
            data = json.loads(pathlib.Path(folder, "new", "name.json").read_text())
        self.assertEqual(data["peers"][0]["rounds"], [[line(9000), line(5000)]])


if __name__ == "__main__":
    unittest.main()

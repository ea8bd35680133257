"""That figures are refused where the counts are wrong, and what a report looks like. python3 -m unittest test_figures"""
import contextlib
import importlib.machinery
import importlib.util
import io
import json
import pathlib
import re
import struct
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


def script(name):
    """One of the commands, as a module."""
    loader = importlib.machinery.SourceFileLoader(name, str(pathlib.Path(__file__).with_name(name)))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))
    loader.exec_module(module)
    return module


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
        with contextlib.redirect_stderr(io.StringIO()):
            figures.alternate([one, two], "file", 2, 1, run)
        self.assertEqual([words[0] for words in turns], ["one", "two", "one", "two"])
        self.assertEqual(turns[0], ["one", "file", "2", str(ALL)])
        self.assertEqual(len(one.processes), 2)

    def test_are_refused_with_fewer_rounds_than_asked_for(self):
        with contextlib.redirect_stderr(io.StringIO()), self.assertRaisesRegex(Refused, "printed 1 rounds, not 2"):
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


class Commands(unittest.TestCase):
    def test_list_each_peer_once(self):
        for name, ours in (("run", "offhook"), ("scan", "offhook")):
            keys = [peer.key for peer in script(name).PEERS]
            self.assertEqual(len(keys), len(set(keys)))
            self.assertIn(ours, keys)

    def test_run_tells_times_offhook_and_times_c(self):
        run = script("run")
        peers = [built("c", [line(4000)], [line(8000)]), built("offhook", [line(5000)], [line(8800)]),
                 built("slow", [line(50_000)], [line(88_000)])]
        with tempfile.NamedTemporaryFile() as file:
            text, _ = run.report(peers, {"gone": "no such thing"}, file.name, "a capture", 2)
        self.assertIn("a capture: 1,000 packets, 300 TCP, 600 UDP, ports add up to 4,000,000", text)
        self.assertRegex(text, r"(?m)^\| the offhook \| 1 \| 1,000 \| 6.9 \| 5.0 to 8.8 \| 1.00 \| 1.18 \|$")
        self.assertRegex(text, r"(?m)^\| the slow .* \| 10.00 \| 11.75 \|$")
        self.assertIn("- left out: gone: no such thing", text)
        self.assertIn("Its figures mean little", text)

    def test_scan_refuses_who_saw_other_packets(self):
        scan = script("scan")
        ours = built("offhook", [[14_600, 60_000, 0, 100]], most=2)
        scan.hold_whole([ours, built("pcap4j", [[7_300, 20_000, 9, 100]], most=1)])
        with self.assertRaisesRegex(Refused, "not all saw the same packets: the offhook 7300 a pass, the pcap4j 7299 a pass"):
            scan.hold_whole([ours, built("pcap4j", [[7_299, 20_000, 9, 100]], most=1)])

    def test_scan_refuses_views_on_other_headers_than_are_listed(self):
        scan = script("scan")
        ours = built("offhook", [[7_300, 30_000, 0, 100]], most=1)
        with self.assertRaisesRegex(Refused, "headers a pass"):
            scan.hold_whole([ours, built("offhook-views", [[7_300, 29_999, 0, 100]], most=1)])

    def test_scan_tells_headers_a_second_beside_what_jnetpcap_published(self):
        scan = script("scan")
        # 60,000 headers in 1 ms and in 2 ms: 45 million a second, 173 times 260,111
        ours = built("offhook", [[14_600, 60_000, 0, 1_000_000]], [[14_600, 60_000, 0, 2_000_000]], most=2)
        slow = built("pkts", [[7_300, 20_000, 9, 10_000_000]], [[7_300, 20_000, 9, 20_000_000]], most=1)
        text, _ = scan.report([ours, slow], {}, "7,300 of 9,000", (7_300, 2_100_077), "samples", 2)
        self.assertIn("| 59,051 | 260,111 |  | 3,845 | 1 |", text)
        self.assertIn("| 7,341 | 22,030,069 | 10,000 |", text)
        self.assertIn("| 7,300 | 2,100,077 | 2 | 30,000 | 0 | 10,950,000 | 45,000,000 | 30,000,000 to 60,000,000 | 22.2 | 173.0 | 1.0 |", text)
        self.assertIn("| 7,300 | 2,100,077 | 1 | 20,000 | 9 | 547,500 | 1,500,000 | 1,000,000 to 2,000,000 | 666.7 | 5.8 | 30.0 |", text)

    def test_scan_counts_packets_and_bytes_of_a_capture(self):
        scan = script("scan")
        for order in "<>":
            with tempfile.NamedTemporaryFile() as file:
                file.write(struct.pack(order + "IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1))
                for length in (60, 1514, 14):
                    file.write(struct.pack(order + "IIII", 0, 0, length, length + 5) + bytes(length))
                file.flush()
                self.assertEqual(scan.size_of(file.name), (3, 1588))


if __name__ == "__main__":
    unittest.main()

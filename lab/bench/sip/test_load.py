"""What is computed from the counts of sipp and from packets."""
import pathlib
import struct
import tempfile
import unittest

import delay
import overload
import sipp


def clean_run(**changed):
    return {"rate": 100, "callsAsked": 1000, "callsGood": 1000, "callsFailed": 0, "callsFailedAtCallee": 0, "retransmitted": 0,
            "repeated": 0, "callsPerSecond": 99.0} | changed


def datagram(at_ns, source, destination, text):
    payload = text.replace("\n", "\r\n").encode()
    udp = struct.pack(">HHHH", source, destination, 8 + len(payload), 0) + payload
    ip = struct.pack(">BBHHHBBHII", 0x45, 0, 20 + len(udp), 0, 0, 64, 17, 0, 0x7F000001, 0x7F000001) + udp
    frame = bytes(12) + b"\x08\x00" + ip
    return struct.pack("<IIII", at_ns // 10**9, at_ns % 10**9, len(frame), len(frame)) + frame


def message(first, call, sequence):
    return f"{first}\nVia: SIP/2.0/UDP 127.0.0.1\nCall-ID: {call}\nCSeq: {sequence}\n\n"


class CleanTest(unittest.TestCase):
    def test_all_good_at_the_rate_is_clean(self):
        self.assertTrue(sipp.is_clean(clean_run()))

    def test_anything_lost_sent_twice_or_late_is_not(self):
        for changed in ({"callsGood": 999}, {"callsFailedAtCallee": 1}, {"retransmitted": 1}, {"repeated": 1},
                        {"callsPerSecond": 96.0}):
            self.assertFalse(sipp.is_clean(clean_run(**changed)), changed)


class CountsTest(unittest.TestCase):
    def test_tells_what_was_sent_again_from_what_came_again(self):
        counts = {"0_INVITE_Sent": "10", "0_INVITE_Retrans": "3", "0_INVITE_Timeout": "0", "1_180_Recv": "9",
                  "1_180_Retrans": "2", "1_180_Unexp": "4", "CurrentTime": "2026"}
        self.assertEqual(sipp.messages(counts), (3, 2, 4))

    def test_reads_the_last_line_of_a_file_of_sipp(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "counts.csv")
            file.write_text("A;B;\n1;2;\n3;4;\n")
            self.assertEqual((sipp.whole(sipp.last_row(file), "A"), sipp.whole(sipp.last_row(file), "B")), (3, 4))
            self.assertEqual(sipp.last_row(pathlib.Path(folder, "nothing")), {})

    def test_time_in_which_calls_are_only_held_is_no_part_of_the_rate(self):
        class Side:
            def __init__(self, row):
                self.row = row

            def statistics(self):
                return self.row

            def counts(self):
                return {}

            def first_error(self):
                return ""
        caller = Side({"SuccessfulCall(C)": "100", "TotalCallCreated": "100", "CallRate(C)": "2.5"})  # 10 s, and 30 s held
        run = sipp.counted(caller, Side({}), 10, 100, {}, held=30)
        self.assertEqual((run["callsPerSecond"], run["callsFailed"]), (10.0, 0))

    def test_names_the_first_complaint_that_matters(self):
        at = "2026-11-26\t13:33:43.048041\t1795700023.048041: "
        log = f"sipp: The following events occurred:\n{at}Maximum number of open sockets (1) plus\n{at}Aborting call A.{at}B"
        self.assertEqual(sipp.complaint(log), "Aborting call A.")
        self.assertEqual(sipp.complaint(f"{at}Maximum number of open sockets\n"), "")


class OverloadTest(unittest.TestCase):
    def test_counts_calls_that_were_answered_503(self):
        self.assertEqual(sipp.refused({"0_INVITE_Sent": "10", "2_503_Recv": "4", "2_503_Retrans": "1", "3_180_Recv": "6"}), 4)
        self.assertEqual(sipp.refused({"3_180_Recv": "6"}), 0)

    def test_tells_refused_calls_from_completed_and_failed_ones(self):
        counts = clean_run(callsMade=1000, callsGood=950, refused=500)
        of = overload.outcome(counts, capacity=50, factor=2, used=0.1, seconds=10)
        self.assertEqual((of["completed"], of["goodPerSecond"], of["refusedPerSecond"], of["failed"], of["cpuUs"]),
                         (450, 45, 50, 50, 100))


class DelayTest(unittest.TestCase):
    def test_pairs_arrival_and_departure_of_each_message(self):
        proxy, caller, callee = 5070, 6000, 7000
        packets = [
            datagram(1_000, caller, proxy, message("INVITE sip:b SIP/2.0", "x", "1 INVITE")),
            datagram(1_500, proxy, caller, message("SIP/2.0 100 Trying", "x", "1 INVITE")),
            datagram(3_000, proxy, callee, message("INVITE sip:b SIP/2.0", "x", "1 INVITE")),
            datagram(9_000, proxy, callee, message("INVITE sip:b SIP/2.0", "x", "1 INVITE")),  # again: not counted
            datagram(10_000, callee, proxy, message("SIP/2.0 180 Ringing", "x", "1 INVITE")),
            datagram(11_000, proxy, caller, message("SIP/2.0 180 Ringing", "x", "1 INVITE")),
            datagram(12_000, caller, proxy, message("BYE sip:b SIP/2.0", "x", "2 BYE")),
            datagram(13_000, caller, proxy, "\n\n"),
        ]
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "delay.pcap")
            file.write_bytes(struct.pack("<IHHiIII", 0xA1B23C4D, 2, 4, 0, 0, 65535, 1) + b"".join(packets))
            by_kind, never_left = delay.delays(file, proxy)
        self.assertEqual(by_kind, {"INVITE": [2_000], "180 INVITE": [1_000]})
        self.assertEqual(never_left, 1)

    def test_pairs_each_invite_of_the_caller_with_its_first_180(self):
        caller, proxy = 6000, 5070
        packets = [
            datagram(1_000, caller, proxy, message("INVITE sip:b SIP/2.0", "x", "1 INVITE")),
            datagram(2_000, proxy, caller, message("SIP/2.0 100 Trying", "x", "1 INVITE")),
            datagram(3_000, caller, proxy, message("INVITE sip:b SIP/2.0", "x", "1 INVITE")),
            datagram(6_000, proxy, caller, message("SIP/2.0 180 Ringing", "x", "1 INVITE")),
            datagram(7_000, proxy, caller, message("SIP/2.0 180 Ringing", "x", "1 INVITE")),
        ]
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "answers.pcap")
            file.write_bytes(struct.pack("<IHHiIII", 0xA1B23C4D, 2, 4, 0, 0, 65535, 1) + b"".join(packets))
            self.assertEqual(delay.answers(file, caller), [5_000])

    def test_percentiles_are_values_that_were_measured(self):
        values = list(range(1, 1001))
        self.assertEqual([delay.percentile(values, part) for part in (.5, .99, .999, 1)], [500, 990, 999, 1000])
        self.assertEqual(delay.percentile([7], .5), 7)


if __name__ == "__main__":
    unittest.main()

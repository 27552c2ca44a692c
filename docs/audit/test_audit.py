"""What the auditor must see: `python3 -m unittest discover docs/audit` from the root of the repository."""
import contextlib
import gzip
import hashlib
import io
import json
import os
import struct
import sys
import tempfile
import time
import unittest
import zlib

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import audit  # noqa: E402

CSV = {"type": "csv", "header": True, "separator": ",", "columns": [], "comment": "#"}


def identity(micros, *fields):
    encoded = b"".join(struct.pack(">I", len(f.encode())) + f.encode() for f in fields)
    return (micros.to_bytes(8, "big") + hashlib.sha256(encoded).digest()[:16] + b"\xff\xff\xff\xff").hex()


class Run:
    """A small run in files, and what the auditor says of it."""

    def path(self, name):
        return os.path.join(self.root, name)

    def write(self, name, content):
        with open(self.path(name), "wb") as file:
            file.write(content)

    def write_lines(self, name, lines):
        self.write(name, "".join(line + "\n" for line in lines).encode())

    def assert_status(self, expected):
        self.write("state/pipeline.json", json.dumps(self.pipeline).encode())
        self.write_lines("out/east/dt=2026-11-23/hour=07/1-1-0.jsonl", self.east)
        self.write_lines("out/west/2-1-0.jsonl", self.west)
        self.write_lines("state/report/waiting.jsonl", map(json.dumps, self.waiting))
        if self.report is None:
            if os.path.exists(self.path("state/report/report.json")):
                os.remove(self.path("state/report/report.json"))
        else:
            self.write("state/report/report.json", json.dumps(self.report).encode())
        said, argv = io.StringIO(), sys.argv
        sys.argv = ["audit.py", "--output", self.path("out"), "--state", self.path("state")]
        try:
            with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
                status = audit.main()
        finally:
            sys.argv = argv
        self.assertEqual(status, expected, said.getvalue())


class AuditTest(Run, unittest.TestCase):
    """Each test starts from a small run that is right: four queries, five clicks, four joined, one waiting."""

    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.root = holder.name
        for directory in ("in", "out/east/dt=2026-11-23/hour=07", "out/west/_work", "state/report"):
            os.makedirs(self.path(directory))
        self.pipeline = {
            "pipeline": "test", "datacenters": ["east", "west"], "adapter": {"type": "merge"},
            "output": {"format": "json-lines"},
            "primary": {
                "paths": [self.path("in/queries-*")], "format": CSV, "where": {}, "whereNot": {"kind": ["bot"]},
                "id": {"from": ["host", "query"]}, "timestamp": {"field": "at", "unit": "seconds"}},
            "foreign": {
                "paths": [self.path("in/clicks*.jsonl")], "format": {"type": "json-lines"}, "where": {"ok": ["true"]},
                "whereNot": {}, "id": {"from": ["click"]}, "timestamp": {"field": "at", "unit": "millis"},
                "primaryId": {"from": ["of.host", "of.query"]}},
        }
        self.write("in/queries-1.csv.gz", gzip.compress(
            b'at,host,query,kind\n# a comment\n1.5,a,q1,"x, ""y"""\n2,a,q2,x,more\n2,b,bot,bot\n3,,q3,x\n')
            + gzip.compress(b"4,b,q4,x\n5,b,q4,z\n"))
        self.write("in/queries-2.csv", b"at,host,query,kind\n6,c,q5,x\n7,c,unfini")
        clicks = [self.click(1, "a", "q1", 1500.0009), self.click(2, "a", "q2", 1e3), self.click(3, "b", "q4", 7),
                  self.click(4, "c", "q5", 8), self.click(5, "c", "q6", 9)]
        self.write_lines("in/clicks.jsonl", clicks + [clicks[0], '{"ok": false, "click": "no"}', '{"ok": true}', "{"])
        self.east = [self.joined(clicks[0], 1500000, "a:q1", '{"at":"1.5","host":"a","query":"q1","kind":"x, \\"y\\""}'),
                     self.joined(clicks[1], 1000000, "a:q2",
                                 '{"at":"2","host":"a","query":"q2","kind":"x","column5":"more"}')]
        self.west = [self.joined(clicks[2], 7000, "b:q4", '{"at":"5","host":"b","query":"q4","kind":"z"}'),
                     self.joined(clicks[3], 8000, "c:q5", '{"at":"6","host":"c","query":"q5","kind":"x"}')]
        self.waiting = [{"id": "c5", "identity": identity(9000, "c5"), "reason": "waits", "datacenter": "east"}]
        self.report = {"foreignEvents": 5, "joined": 4, "duplicates": 0, "waiting": 1, "deadLettered": 0, "skipped": {},
                       "outcomeLost": 0, "unaccounted": 0, "badRecords": 3, "seconds": 1.5,
                       "byDatacenter": {"east": {"joined": 2, "wastedAttempts": 0}, "west": {"joined": 2}}}
        self.write("out/west/_work/half.jsonl", b"{")

    def test_a_right_run_agrees(self):
        self.assert_status(0)

    def test_what_a_retired_datacenter_has_published_counts(self):
        self.pipeline.update({"datacenters": ["east"], "retiredDatacenters": ["west"]})
        self.assert_status(0)
        self.pipeline["retiredDatacenters"] = []
        self.assert_status(1)

    def test_compressed_lines_are_read_and_what_it_cannot_read_is_said(self):
        self.pipeline["output"] = {"format": "json-lines", "compression": "gzip"}
        line = (self.west.pop() + "\n").encode()
        self.assert_status(1)
        self.write("out/west/1-1-000009.jsonl.gz", gzip.compress(line))
        self.assert_status(0)
        self.write("out/west/1-1-000009.jsonl.gz", gzip.compress(line + line))
        self.assert_status(1)
        self.pipeline["output"] = {"format": "json-lines", "compression": "none"}
        os.remove(self.path("out/west/1-1-000009.jsonl.gz"))
        for name in ("1-1-000009.avro", "1-1-000009.parquet", "1-1-000009.jsonl.zst", "1-1-000009.framed"):
            self.write("out/west/" + name, b"")
            self.assert_status(2)
            os.remove(self.path("out/west/" + name))
        self.pipeline["output"]["compression"] = "zstd"
        self.assert_status(2)

    def test_a_record_dated_before_2000_is_bad_unless_any_date_is_right(self):
        self.pipeline["foreign"]["timestamp"]["plausible"] = "any"
        self.assert_status(0)
        self.pipeline["foreign"]["timestamp"]["plausible"] = "required"
        self.assert_status(1)

    def test_without_a_report_the_events_alone_are_judged(self):
        self.report = None
        self.assert_status(0)

    def test_each_joined_line_is_missed(self):
        for lines in (self.east, self.west):
            for at in range(2):
                line = lines.pop(at)
                self.assert_status(1)
                lines.insert(at, line)

    def test_a_file_that_was_declared_lost_may_not_be_there(self):
        os.makedirs(self.path("out/east/_work/1-2.sealed"))
        self.write("out/east/_work/1-2.sealed/lost-000007.json", b'{"files": ["dt=2026-11-23/hour=07/1-2-000007.jsonl"], "reason": "burned"}')
        self.assert_status(0)
        self.write("out/east/dt=2026-11-23/hour=07/1-2-000007.jsonl", b"")
        self.assert_status(1)

    def test_a_missing_line_is_missed_whatever_the_report_says(self):
        self.west.pop()
        self.report.update(joined=3, unaccounted=1, byDatacenter={"east": {"joined": 2}, "west": {"joined": 1}})
        self.assert_status(1)

    def test_a_duplicate_is_seen_in_one_datacenter_and_over_both(self):
        self.west.append(self.west[0])
        self.assert_status(1)
        self.west[-1] = self.east[0]
        self.assert_status(1)
        self.report = None
        self.assert_status(1)

    def test_an_invented_line_is_seen(self):
        self.west.append(self.joined(self.click(9, "a", "q1", 3), 3000, "a:q1",
                                     '{"at":"1.5","host":"a","query":"q1","kind":"x, \\"y\\""}'))
        self.assert_status(1)

    def test_a_wrong_primary_event_is_seen(self):
        good, self.west[0] = self.west[0], self.west[0].replace('"query":"q4"', '"query":"q5"')
        self.assert_status(1)
        self.west[0] = good[: good.index(', "primary"')] + self.west[1][self.west[1].index(', "primary"'):]
        self.assert_status(1)

    def test_any_of_several_primary_events_with_one_id_is_right(self):
        self.west[0] = self.west[0].replace('"at":"5"', '"at":"4"').replace('"kind":"z"', '"kind":"x"')
        self.assert_status(0)
        self.west[0] = self.west[0].replace('"at":"4"', '"at":"5"')
        self.assert_status(1)

    def test_any_content_of_a_changed_repeat_is_right(self):
        self.write_lines("in/clicks-2.jsonl", [self.click(3, "b", "q4", 7, more="changed")])
        self.assert_status(0)
        self.west[0] = self.west[0].replace('"more": ""', '"more": "changed"')
        self.assert_status(0)
        self.west[0] = self.west[0].replace('"more": "changed"', '"more": "neither"')
        self.assert_status(1)

    def test_any_changed_value_is_seen(self):
        for old, new in (('"id": "c3"', '"id": "c4"'), ('"primaryId": "b:q4"', '"primaryId": "a:q1"'),
                         ('"timestampMicros": 7000', '"timestampMicros": 7001'), ('"at": 7,', '"at": "7",'),
                         ('"at": 7,', '"at": 7.0,'), ('"more": ""', '"more": null'), ("}}", "}"), ('"kind"', '"kin"')):
            good, self.west[0] = self.west[0], self.west[0].replace(old, new)
            self.assertNotEqual(good, self.west[0])
            self.assert_status(1)
            self.west[0] = good

    def test_an_event_without_its_primary_event_is_right_in_a_left_join_alone(self):
        good = self.west[0]
        self.west[0] = good[:good.index('"primary":')] + '"primary": null, "unmatched": true}'
        self.assert_status(1)
        self.pipeline["unmatched"] = {"after": "1h"}
        self.assert_status(0)
        self.west[0] = self.west[0].replace(', "unmatched": true', "")
        self.assert_status(1)

    def test_an_upgrade_is_right_once_beside_an_event_without_its_primary_event(self):
        good = self.west[0]
        self.pipeline["unmatched"] = {"after": "1h", "upgrade": True}
        self.west.append(good[:good.rindex("}")] + ', "upgrade": true}')
        self.assert_status(1)  # the event is joined with its primary event besides
        self.west[0] = good[:good.index('"primary":')] + '"primary": null, "unmatched": true}'
        self.report["upgraded"] = 1
        self.assert_status(0)
        self.report["upgraded"] = 0
        self.assert_status(1)
        self.report["upgraded"] = 1
        self.west.append(self.west[-1])
        self.assert_status(1)

    def test_an_event_that_waits_for_nothing_is_seen(self):
        self.west.pop()
        self.waiting.append({"id": "c4", "identity": identity(8000, "c4"), "reason": "waits", "datacenter": "west"})
        self.report.update(joined=3, waiting=2, byDatacenter={"east": {"joined": 2}, "west": {"joined": 1}})
        self.assert_status(1)

    def test_a_waiting_event_that_nobody_exported_is_missed(self):
        self.waiting.clear()
        self.assert_status(1)

    def test_a_waiting_event_that_is_in_no_input_is_seen(self):
        self.waiting.append({"id": "c6", "identity": identity(9000, "c6"), "reason": "waits", "datacenter": "east"})
        self.assert_status(1)

    def test_a_dead_letter_accounts_and_the_table_must_say_so(self):
        self.west.pop()
        self.write_lines("state/report/dead-letters.jsonl", [
            json.dumps({"id": "c4", "identity": identity(8000, "c4"), "reason": "no", "datacenter": "west"}),
            json.dumps({"id": "", "identity": None, "reason": "a record without id", "datacenter": "west"})])
        self.assert_status(1)
        self.report.update(joined=3, deadLettered=1, byDatacenter={"east": {"joined": 2}, "west": {"joined": 1}})
        self.assert_status(0)

    def test_every_figure_of_the_report_is_compared(self):
        for key in set(self.report) - {"seconds"}:
            good, self.report[key] = self.report[key], {"east": {"joined": 9}} if key == "byDatacenter" else 77
            self.assert_status(1)
            self.report[key] = good

    def test_a_torn_last_line_may_be_joined_or_not(self):
        with open(self.path("in/clicks.jsonl"), "ab") as file:
            file.write(self.click(6, "a", "q1", 10).encode())
        self.assert_status(0)
        self.east.append(self.joined(self.click(6, "a", "q1", 10), 10000, "a:q1",
                                     '{"at":"1.5","host":"a","query":"q1","kind":"x, \\"y\\""}'))
        self.report.update(foreignEvents=6, joined=5, byDatacenter={"east": {"joined": 3}, "west": {"joined": 2}})
        self.assert_status(0)

    def test_it_refuses_the_records_that_photon_refuses(self):
        def bad(*lines):
            self.write("in/clicks-3.jsonl", b"".join(line + b"\n" for line in lines))
            self.report["badRecords"] = 3 + len(lines)
            self.assert_status(0)

        click = self.click(7, "a", "q1", 10).encode()
        for line in (click.replace(b"c7", b"\\ud83d"), click.replace(b"c7", b"\xed\xa0\xbd"),
                     click.replace(b'"more"', b'"of"'), click.decode().encode("utf-16")[2:].replace(b"\n", b"")):
            bad(line)
        bad(b"{", b"\xef\xbb\xbf" + click)  # a byte order mark in the midst
        self.write("in/clicks-3.jsonl", click.replace(b"true", b"false").replace(b'"at"', b'"click"') + b"\n")
        self.report["badRecords"] = 3  # filtered out before it is judged
        self.assert_status(0)

    def test_a_broken_header_makes_its_rows_bad(self):
        self.write("in/queries-3.csv", b'at,host,query,"kind\n1,a,q9,x\n2,a,q8,x\n')
        self.report["badRecords"] = 6
        self.assert_status(0)

    @unittest.skipIf(sys.version_info < (3, 11), "the auditor does not look at such names there")
    def test_hidden_files_and_halves_of_surrogate_pairs_are_read_as_photon_does(self):
        self.pipeline["primary"]["paths"] = [self.path("in/*.csv*")]
        os.rename(self.path("in/queries-2.csv"), self.path("in/.queries-2.csv"))
        self.write("in/queries-3.csv", b"at,host,query,kind\n1.5,a,q1,x,\xed\xa0\xbd\xff\xe2\x82!\n")
        self.assert_status(0)
        # What Java makes of it.
        self.east[0] = self.east[0].replace('"x, \\"y\\""', '"x","column5":"\ufffd\ufffd\ufffd!"')
        self.assert_status(0)

    def test_what_it_cannot_audit_is_said(self):
        foreign = self.pipeline["foreign"]
        for where, key, value in ((foreign, "format", {"type": "framed"}), (foreign, "id", "native"),
                                  (foreign, "id", {"native": True}), (foreign, "primaryId", {"native": True}),
                                  (foreign, "timestamp", {"field": "at", "pattern": "yyyy", "zone": "UTC"}),
                                  (self.pipeline, "adapter", {"type": "my.Adapter"}),
                                  (self.pipeline, "output", {"format": "avro"})):
            good, where[key] = where[key], value
            self.assert_status(2)
            where[key] = good
        self.write("in/queries-3", b"\x28\xb5\x2f\xfd0000")
        self.assert_status(2)
        self.write("in/queries-3", gzip.compress(b"at,host,query,kind\n")[:-6] + b"broken")
        self.pipeline["primary"]["input"] = {"openMembers": "trust"}
        self.assert_status(2)

    # Hostile inputs: docs/testing.md has the list.

    def bad(self, content, records=1, name="in/clicks-3.jsonl"):
        """These bytes add so many bad records, and nothing else."""
        self.write(name, content)
        self.report["badRecords"] = 3 + records
        self.assert_status(0)

    def test_of_a_corrupt_gzip_file_whole_members_count(self):
        first, second = self.click(7, "a", "q1", 10).encode(), self.click(8, "a", "q2", 11).encode()
        rows = b"".join(self.click(n, "a", "q1", n).encode() + b"\n" for n in range(100, 400))
        for at in range(11, len(gzip.compress(rows)) - 8, 97):
            flipped = bytearray(gzip.compress(rows))
            flipped[at] ^= 4
            flipped[at + 5] ^= 16
            try:
                zlib.decompressobj(31).decompress(flipped)
                broken = 0  # it goes on beyond its end
            except zlib.error:
                broken = 1
            self.bad(gzip.compress(b"") + bytes(flipped), broken)
        flipped = bytearray(gzip.compress(rows))
        flipped[-6] ^= 1
        self.bad(bytes(flipped))
        whole = gzip.compress(first + b"\n" + second[:20])
        self.write("in/clicks-3.jsonl", whole + bytes(flipped) + gzip.compress(rows))
        self.assert_status(1)  # the one before it is not joined
        query = '{"at":"1.5","host":"a","query":"q1","kind":"x, \\"y\\""}'
        self.east.append(self.joined(first.decode(), 10000, "a:q1", query))
        self.report.update(foreignEvents=6, joined=5, byDatacenter={"east": {"joined": 3}, "west": {"joined": 2}})
        self.assert_status(0)
        self.bad(whole + b"no gzip follows")
        click = self.click(100, "a", "q1", 100)
        self.west.append(self.joined(click, 100000, "a:q1", query))
        self.report.update(joined=6, byDatacenter={"east": {"joined": 3}, "west": {"joined": 3}})
        self.assert_status(1)  # garbage was published

    def test_of_a_gzip_file_that_is_cut_whole_members_count(self):
        click = self.click(7, "a", "q1", 10).encode()
        rows = b"".join(self.click(n, "a", "q1", n).encode() + b"\n" for n in range(100, 400))
        cut = gzip.compress(rows)[:-9]
        self.bad(cut, 0)
        self.bad(gzip.compress(click[:-10]) + cut, 0)  # nor is its last line a record
        self.bad(gzip.compress(b"{\n") + b"\0" * 100000, 1)
        self.bad(gzip.compress(b"{\n{") + b"\0" * 100000, 2)  # it is finished
        self.write("in/clicks-3.jsonl", cut)
        self.pipeline["foreign"]["input"] = {"openMembers": "trust"}
        self.report["badRecords"] = 3
        self.assert_status(1)  # Photon has read its lines

    def test_a_gzip_file_of_many_small_members_is_read(self):
        empty = gzip.compress(b"")
        self.bad(empty * 20000 + gzip.compress(b"{\n") + b"\0" * 512 + empty + gzip.compress(b"[\n"), 2)

    def test_a_line_of_more_than_8_mib_is_one_bad_record(self):
        start = self.click(7, "a", "q1", 10)[:-2].encode()
        longest = start + b"x" * (audit.LINE_MAX - len(start) - 2) + b'"}'
        self.write("in/clicks-3.jsonl", longest + b"\n")
        self.assert_status(1)  # it is an event
        self.bad(longest + b" \n{\n" + longest + b" \n", 3)
        self.bad(gzip.compress(longest + b" \n{\n" + longest + b" \n"), 3)
        self.bad(longest + b" ", 0)  # may still be written
        self.bad(gzip.compress(longest + b" "), 1)

    def test_its_time_is_linear_in_the_length_of_a_line(self):
        started = time.process_time()
        self.write("in/clicks-4.jsonl", b"")
        with open(self.path("in/clicks-4.jsonl"), "r+b") as file:
            file.truncate(200_000_000)
            file.seek(0, os.SEEK_END)
            file.write(b"\n")
        self.bad(b"", 1)
        os.remove(self.path("in/clicks-4.jsonl"))
        size = 2 << 20
        for line in (b'{"a":[' + b"[" * size, b'{' * 1001 + b'"' + b'\\"' * (size // 2 - 1001), b'"' * size,
                     b'{"ok":true,' + b'"a":1,' * (size // 6) + b'"b":1}', b"[" + b"1," * (size // 2), b"\\" * size):
            self.bad(line + b"\n")
        self.write("in/clicks-3.jsonl", b"")
        self.report["badRecords"] = 3
        for line in (b"," * size, b"a," * (size // 2) + b'"b"', b'"",' * (size // 3), b'"' * size, b"," * size + b'"'):
            self.write("in/queries-3.csv", b"at,host,query,kind\n" + line + b"\n")
            self.report["badRecords"] = 4
            self.assert_status(0)
        self.assertLess(time.process_time() - started, 120)

    def test_nesting_has_the_bound_that_photon_has(self):
        def nested(levels, begin=b"[", end=b"]"):
            click = self.click(7, "a", "q1", 10)[:-1].encode()
            return click + b',"deep":' + begin * levels + b"1" + end * levels + b"}\n"

        self.bad(nested(1000))
        self.bad(nested(100_000))
        self.bad(nested(100_000, b'{"a":', b"}"))
        self.bad(b"[" * 100_000 + b"\n")
        self.report["badRecords"] = 3
        self.write("in/clicks-3.jsonl", nested(999))
        self.assert_status(1)  # it is an event
        self.write("in/clicks-3.jsonl", nested(1, b"[" + b'"]]\\"[[",' * 2000))
        self.assert_status(1)  # brackets in strings are none

    def test_timestamps_that_are_none_are_bad_records(self):
        def row(stamp):
            return self.click(7, "a", "q1", 10).replace('"at": 10', '"at": ' + stamp).encode() + b"\n"

        stamps = ("-1", "1e308", "1e9999999999", "NaN", "Infinity", '"NaN"', '""', "null", "true", '" "', '" 15"',
                  '"15 "', '"15\u00a0"', '"\u0661\u0665"', "0x10", '"1_000"', "1e-400", "1e-999999999", "0.0009", "[1]", "{}")
        self.bad(b"".join(map(row, stamps)), len(stamps))
        self.report["badRecords"] = 3
        for stamp in ("0", "-0", '"+15"', "0.001", "15.0000000000001"):
            self.write("in/clicks-3.jsonl", row(stamp))
            self.assert_status(1)  # it is an event

    def test_an_event_that_is_ahead_of_the_clock_waits(self):
        at = int(time.time() * 1000) + 31_536_000_000
        self.write_lines("in/clicks-3.jsonl", [self.click(7, "a", "q1", at)])
        self.waiting.append({"id": "c7", "identity": identity(at * 1000, "c7"), "datacenter": "west",
                             "reason": "its timestamp is ahead of the registry's clock"})
        self.report.update(foreignEvents=6, waiting=2)
        self.assert_status(0)
        for past in (at - 31_536_000_000 - 5_000, 10):
            self.write_lines("in/clicks-3.jsonl", [self.click(7, "a", "q1", past)])
            self.waiting[-1]["identity"] = identity(past * 1000, "c7")
            self.assert_status(1)

    def test_a_fifo_is_no_input_and_no_output(self):
        os.mkfifo(self.path("in/clicks-fifo.jsonl"))
        os.mkfifo(self.path("in/queries-fifo.csv"))
        self.assert_status(0)
        os.mkfifo(self.path("out/west/3-1-0.jsonl"))
        self.assert_status(1)

    @staticmethod
    def click(number, host, query, at, more=""):
        return '{"click": "c%d", "ok": true, "of": {"host": "%s", "query": "%s"}, "at": %s, "more": "%s"}' % (
            number, host, query, at, more)

    @staticmethod
    def joined(click, micros, primary_id, primary):
        return '{"id": "%s", "primaryId": "%s", "timestampMicros": %d, "foreign": %s, "primary": %s}' % (
            json.loads(click)["click"], primary_id, micros, click, primary)


class NativeIdsTest(Run, unittest.TestCase):
    """The same with native ids in fields: three queries, three clicks, two joined, one waiting."""

    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.root = holder.name
        for directory in ("in", "out/east/dt=2026-11-23/hour=07", "out/west", "state/report"):
            os.makedirs(self.path(directory))
        native = {"server": "id.server", "process": "id.process", "timestamp": "id.micros"}
        of = {"server": "of.server", "process": "of.process", "timestamp": "of.micros"}
        self.pipeline = {
            "pipeline": "test", "datacenters": ["east", "west"], "adapter": {"type": "merge"},
            "output": {"format": "json-lines"},
            "primary": {"paths": [self.path("in/queries.jsonl")], "format": {"type": "json-lines"}, "id": native},
            "foreign": {"paths": [self.path("in/clicks.jsonl")], "format": {"type": "json-lines"}, "id": native,
                        "primaryId": of},
        }
        self.queries = [self.query("10.0.0.1", 7, 1000), self.query("2001:db8::1", 4294967293, 2000),
                        self.query("10.0.0.2", 7, 9223372036854775807)]
        self.clicks = [self.click("10.1.0.1", 9, 5000, "10.0.0.1", 7, 1000),
                       self.click("2001:db8::2", 9, 6000, "2001:db8::1", 4294967293, 2000),
                       self.click("10.1.0.1", 9, 7000, "10.0.0.9", 7, 1000)]
        self.east = [self.joined(self.clicks[0], self.queries[0])]
        self.west = [self.joined(self.clicks[1], self.queries[1])]
        self.waiting = [{"id": "10.1.0.1:9:7000", "reason": "waits",
                         "identity": "0000000000001b58" "00000000000000000000ffff0a010001" "00000009"}]
        self.report = {"foreignEvents": 3, "joined": 2, "duplicates": 0, "waiting": 1, "deadLettered": 0, "skipped": {},
                       "outcomeLost": 0, "unaccounted": 0, "badRecords": 0,
                       "byDatacenter": {"east": {"joined": 1}, "west": {"joined": 1}}}

    def test_a_right_run_agrees(self):
        self.assert_run(0)

    def test_what_is_missing_or_twice_is_seen(self):
        line = self.west.pop()
        self.assert_run(1)
        self.west += [line, line]
        self.assert_run(1)
        self.west = [line, self.east[0]]
        self.assert_run(1)
        self.west = [line]
        self.assert_run(0)

    def test_each_part_of_the_identity_counts(self):
        right = self.waiting[0]["identity"]
        for at in (15, 39, 47, 55):  # the last digit of time, address, and two of the process
            wrong = "8" if right[at] != "8" else "7"
            self.waiting[0]["identity"] = right[:at] + wrong + right[at + 1:]
            self.assert_run(1)

    def test_another_process_server_or_time_is_another_event(self):
        good = self.east[0]
        for old, new in (('"process": 9', '"process": 8'), ('"10.1.0.1"', '"10.1.0.2"'), ('"micros": 5000', '"micros": 5001')):
            self.east[0] = good.replace(old, new)
            self.assert_run(1)
        for old, new in (('"id": "10.1.0.1:9:5000"', '"id": "10.1.0.1:9:5001"'),
                         ('"timestampMicros": 5000', '"timestampMicros": 5001'),
                         ('"primaryId": "10.0.0.1:7:1000"', '"primaryId": "10.0.0.1:7:1001"')):
            self.assertIn(old, good)
            self.east[0] = good.replace(old, new)
            self.assert_run(1)

    def test_the_wrong_primary_event_is_seen(self):
        self.east[0] = self.joined(self.clicks[0], self.queries[1])
        self.assert_run(1)

    def test_one_that_waits_though_its_primary_is_there_is_seen(self):
        self.queries.append(self.query("10.0.0.9", 7, 1000))
        self.assert_run(1)

    def test_other_spellings_of_an_id_are_the_same_id(self):
        self.clicks.append(self.click("::ffff:10.1.0.1", "09", "05000", "::ffff:a00:1", "007", 1000))
        self.assert_run(0)
        self.east.append(self.joined(self.clicks[-1], self.queries[0]))
        self.assert_run(1)

    def test_ids_that_are_none_are_bad_records(self):
        for parts in (("host", 9, 1), ("fe80::1%eth0", 9, 1), ("10.0.1", 9, 1), ("10.1.0.1", 4294967294, 1),
                      ("10.1.0.1", -1, 1), ("10.1.0.1", 9, "1e3"), ("10.1.0.1", 9, 9223372036854775808),
                      ("10.1.0.1", 9, "+1"), ("", 9, 1), ("10.1.0.1", "\u0669", 1)):
            self.clicks.append(self.click(*parts, "10.0.0.1", 7, 1000))
            self.report["badRecords"] += 1
            self.assert_run(0)
            self.clicks.append(self.click("10.1.0.1", 9, 8000, *parts))
            self.report["badRecords"] += 1
            self.assert_run(0)
        self.clicks.append('{"id": {"server": "10.1.0.1", "process": 9}, "of": 1}')
        self.assert_run(1)  # the report does not know of it

    @staticmethod
    def native(server, process, micros):
        return '{"server": %s, "process": %s, "micros": %s}' % tuple(map(json.dumps, (server, process, micros)))

    @classmethod
    def query(cls, server, process, micros):
        return '{"id": %s, "words": "so"}' % cls.native(server, process, micros)

    @classmethod
    def click(cls, server, process, micros, *of):
        return '{"id": %s, "of": %s}' % (cls.native(server, process, micros), cls.native(*of))

    @staticmethod
    def joined(click, query):
        id_text, primary_id = (":".join(str(i[part]) for part in ("server", "process", "micros"))
                               for i in (json.loads(click)["id"], json.loads(click)["of"]))
        return '{"id": "%s", "primaryId": "%s", "timestampMicros": %d, "foreign": %s, "primary": %s}' % (
            id_text, primary_id, int(json.loads(click)["id"]["micros"]), click, query)

    def assert_run(self, expected):
        self.write_lines("in/queries.jsonl", self.queries)
        self.write_lines("in/clicks.jsonl", self.clicks)
        self.assert_status(expected)


if __name__ == "__main__":
    unittest.main()

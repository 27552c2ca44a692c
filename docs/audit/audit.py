#!/usr/bin/env python3
"""Audits a finished run of `photon local`: reads inputs, published outputs and exported books, computes the run's
table anew, and checks every joined line. Shares no code with Photon; README.md beside this file says what it reads.
Exit status: 0 all agree, 1 any difference (each kind is printed), 2 something that it cannot audit."""
import argparse, glob, gzip, hashlib, ipaddress, json, os, re, struct, sys, zlib
from collections import Counter, defaultdict, namedtuple
from decimal import Context, Decimal

EXACT = Context(prec=100, Emax=10**6, Emin=-10**6)
NUMBER = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?")
EXPONENT = {"seconds": 6, "millis": 3, "micros": 0}  # from the unit to microseconds
PUBLISHED = (".jsonl", ".jsonl.gz", ".jsonl.zst", ".avro", ".parquet", ".framed", ".framed.gz", ".framed.zst")
DOT = {"include_hidden": True} if sys.version_info >= (3, 11) else {}  # Photon's globs match such names
NATIVE = ("server", "process", "timestamp")  # the parts of a native id, and of its text
Native = namedtuple("Native", "micros address process")
SHOWN = 10  # differences of a kind that are printed
LINE_MAX = 8 << 20  # bytes of a line; a longer one is a bad record
DEPTH_MAX = 1000  # objects and arrays within each other
sys.setrecursionlimit(max(sys.getrecursionlimit(), 5 * DEPTH_MAX))
TWICE = object()  # the value of a key that stands in an object more than once

class CannotAudit(Exception): pass

def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)

def json_object(pairs):
    fields, times = dict(pairs), Counter()
    if len(fields) < len(pairs):
        times.update(key for key, _ in pairs)
    return {key: value if times[key] < 2 else TWICE for key, value in fields.items()}

def parse_json(line):
    """Numbers become (source text,): never rounded, and not equal to a string. NaN is refused: int cannot read it."""
    number = lambda text: (text,)
    return json.loads(line.decode(), object_pairs_hook=json_object, parse_int=number, parse_float=number,
                      parse_constant=int)

def depth(line):
    """How deep objects and arrays stand in each other; 0 where there are few."""
    deepest = level = 0
    if line.count(b"[") + line.count(b"{") > DEPTH_MAX:
        for bracket in re.findall(rb"[][{}]", re.sub(rb'"[^"]*"', b"", re.sub(rb"\\.", b"", line))):
            level += 1 if bracket in b"[{" else -1
            deepest = max(deepest, level)
    return deepest

def split(line, separator):
    """RFC 4180, one line: a field that begins with a quote ends at the next one that is not doubled."""
    text, values, at = line.decode("utf-8", "surrogateescape"), [], 0
    if '"' not in text:
        return text.split(separator)
    while True:
        quoted = text.startswith('"', at)
        end = text.find('"' if quoted else separator, at + quoted)
        while quoted and end >= 0 and text.startswith('""', end):
            end = text.find('"', end + 2)
        if quoted and end < 0:
            raise ValueError("a quote is not closed")
        end = end if end >= 0 else len(text)
        values.append(text[at + 1:end].replace('""', '"') if quoted else text[at:end])
        end += quoted
        if end == len(text):
            return values
        if not text.startswith(separator, end):
            raise ValueError("more stands behind a quote")
        at = end + len(separator)

class Stream:
    """One input stream: its records and their identities."""
    def __init__(self, config, bad):
        self.paths, self.bad, form = config["paths"], bad, config["format"]
        if form["type"] not in ("csv", "json-lines"):
            raise CannotAudit("format " + form["type"])
        ids = [config["id"], config.get("primaryId") or {"from": []}]
        if not all(isinstance(i, dict) and ("from" in i or "server" in i) for i in ids):
            raise CannotAudit("native ids in frames")
        self.native, self.primary_native = ("server" in i for i in ids)
        if not self.native and "unit" not in (config.get("timestamp") or {}):
            raise CannotAudit("a timestamp by pattern, or none")
        self.trusted = (config.get("input") or {}).get("openMembers") == "trust"
        self.csv, self.separator, self.comment = form["type"] == "csv", form.get("separator", ","), form.get("comment")
        self.columns = None if form.get("header") else tuple(form.get("columns") or ())
        self.id, self.primary_id = (i["from"] if "from" in i else [i[part] for part in NATIVE] for i in ids)
        stamp = {"field": self.id[2], "unit": "micros"} if self.native else config["timestamp"]
        self.timestamp, self.unit = stamp["field"], stamp["unit"]
        self.earliest = 946_684_800_000_000 if stamp.get("plausible") == "required" else 0  # 2000-01-01
        self.wheres = [(field, set(values), key == "where") for key in ("where", "whereNot")
                       for field, values in (config.get(key) or {}).items()]
        self.wanted = {self.timestamp, *self.id, *self.primary_id, *(field for field, _, _ in self.wheres)}
    def events(self):
        """Of each usable record: (micros, id), primary id, content (line, columns), whether Photon surely read it."""
        for path in sorted({p for pattern in self.paths for p in expand(pattern) if os.path.isfile(p)}):
            columns = self.columns
            for offset, line, sure in lines(path, self.trusted):
                if line is None:
                    self.bad.update([(path, offset)] if sure else [])
                    continue
                line = line.strip(b" \t\r") if not self.csv else line[:-1] if line.endswith(b"\r") else line
                if not line or (self.csv and self.comment and line.startswith(self.comment.encode())):
                    continue
                try:
                    if self.csv and columns is None:
                        columns = ("", "")  # which suits nobody, where the header is no row
                        columns = tuple(split(line, self.separator))
                        continue
                    fields = self.fields((line, columns))
                    if all((self.text(fields, f) in values) == keep for f, values, keep in self.wheres):
                        yield (*self.identity(fields), (line, columns), sure)
                except (ValueError, ArithmeticError, AttributeError, RecursionError):
                    if sure:
                        self.bad.add((path, offset))
    def fields(self, content):
        line, columns = content
        if not self.csv and depth(line) > DEPTH_MAX:
            raise ValueError("more than %d levels" % DEPTH_MAX)
        if not self.csv:
            return dict(parse_json(line).items())  # an AttributeError where it is no object
        values = split(line, self.separator)
        names = columns + tuple("column%d" % (i + 1) for i in range(len(columns), len(values)))
        further = {f for f in self.wanted if re.fullmatch("column[1-9][0-9]{0,5}", f) and int(f[6:]) > len(columns)}
        if len(set(columns)) < len(columns) or not self.wanted <= further.union(columns):
            raise ValueError("the header does not name each wanted column once")
        return dict(zip(names, values))
    def carried(self, content):
        """The fields as a joined line carries them: what is not UTF-8 in a csv file is replaced."""
        fields, bad = self.fields(content), rb"\xed[\xa0-\xbf][\x80-\xbf]?"  # one mark for half of a surrogate pair
        read = lambda text: re.sub(bad, b"\xff", text.encode("utf-8", "surrogateescape")).decode("utf-8", "replace")
        return fields if not self.csv else {key: read(text) for key, text in fields.items()}
    def text(self, fields, path):
        """A field's text; None if it has none."""
        value = fields
        for name in [path] if self.csv else path.split("."):
            value = value.get(name) if isinstance(value, dict) else None
            if value is TWICE:
                raise ValueError(path + " is there twice")
        value = str(value).lower() if isinstance(value, bool) else value[0] if isinstance(value, tuple) else value
        if isinstance(value, str):
            value.encode()  # a ValueError where it is not UTF-8, or half of a surrogate pair
        return value if isinstance(value, str) else None
    def id_texts(self, fields):
        """The texts of the id fields and of the primary id fields."""
        ids, primary_ids = (tuple(self.text(fields, f) for f in names) for names in (self.id, self.primary_id))
        if not all(ids + primary_ids):
            raise ValueError("an id field is missing or empty")
        return ids, primary_ids
    def identity(self, fields):
        ids, primary_ids = self.id_texts(fields)
        primary_ids = native_id(primary_ids) if self.primary_native else primary_ids
        if self.native:
            ids = native_id(ids)
            return (ids.micros, ids), primary_ids
        stamp = self.text(fields, self.timestamp)
        usable = stamp and len(stamp) <= 64 and NUMBER.fullmatch(stamp)
        number = Decimal(stamp) if usable else Decimal(-1)
        micros = number.scaleb(EXPONENT[self.unit], EXACT)
        if number and not 1 <= micros < 2**63:
            raise ValueError("the timestamp is missing, or no time since 1970")
        if micros < self.earliest:
            raise ValueError("the timestamp is before 2000, and not every date is allowed")
        return (int(micros), ids), primary_ids

def expand(pattern):
    before, brace, rest = pattern.partition("{")
    each, _, after = rest.partition("}")
    return [p for one in each.split(",") for p in expand(before + one + after)] if brace else glob.glob(pattern, **DOT)

def unzipped(file):
    """The content of a gzip file in pieces, each with whether a member ends behind it. Members stand one behind the
    other, perhaps with zeros between them."""
    unzip = None
    for block in iter(lambda: file.read(1 << 16), b""):
        while block:
            if unzip is None or unzip.eof:
                block = block if unzip is None else block.lstrip(b"\0")
                if not block:
                    break
                if block[0] != 0x1f:
                    raise zlib.error("no gzip follows the end of a member")
                unzip = zlib.decompressobj(31)
            piece = unzip.decompress(block, 1 << 20)  # a bomb, too, comes in pieces
            block = unzip.unused_data if unzip.eof else unzip.unconsumed_tail
            yield piece, unzip.eof
    if unzip and not unzip.eof:
        piece = unzip.flush()
        yield piece, unzip.eof

def verified(path):
    """Of a gzip file: the length of its content up to the last member whose checksum is right, whether the file ends
    there, and whether what follows is corrupt."""
    length, checked, whole = 0, 0, False
    with open(path, "rb") as file:
        try:
            for piece, whole in unzipped(file):
                length += len(piece)
                checked = length if whole else checked
        except zlib.error:
            return checked, False, True
    return checked, whole, False

def pieces(file, limit):
    """The content of a gzip file up to there."""
    content = unzipped(file)
    while limit > 0:  # nothing is asked for beyond: it may be corrupt
        piece, _ = next(content, (None, True))
        if piece is None:
            return
        yield piece[:limit]
        limit -= len(piece)

def lines(path, trusted):
    """Each line with its offset, and whether Photon has surely read it: it may still wait for the end of the last.
    None instead of a line that is too long, and once for what follows the last whole member of a corrupt gzip file.
    Of gzip members that are not whole nothing is read, unless they are trusted."""
    with open(path, "rb") as file:
        magic, offset, parts, length, ended, corrupt = file.peek(4)[:4], 0, [], 0, False, False
        if magic == b"\x28\xb5\x2f\xfd":
            raise CannotAudit("zstd: " + path)
        content = iter(lambda: file.read(1 << 16), b"")
        if magic[:2] == b"\x1f\x8b":
            checked, ended, corrupt = verified(path)
            if corrupt and trusted:
                raise CannotAudit("it is corrupt, and trusted before its checksum: " + path)
            content = pieces(file, sys.maxsize if trusted else checked)
        for piece in content:
            *heads, rest = piece.split(b"\n")
            for head in heads:
                length += len(head)
                line = b"".join((*parts, head)) if length <= LINE_MAX else None
                yield offset, line if offset or line is None else line.removeprefix(b"\xef\xbb\xbf"), True
                offset, parts, length = offset + length + 1, [], 0
            length += len(rest)
            parts = [*parts, rest] if length <= LINE_MAX else []
        if corrupt:
            yield offset, None, True
        elif length:
            yield offset, b"".join(parts) if length <= LINE_MAX else None, ended

def native_id(texts):
    """What a native id's texts name; several spellings of one address or number are one id."""
    server, process, stamp = texts
    if "%" in server:
        raise ValueError("an address with a zone")
    address = ipaddress.ip_address(server)  # a ValueError where it is none: names are not asked for
    address = address.packed if address.version == 6 else b"\0" * 10 + b"\xff\xff" + address.packed
    if not all(re.fullmatch("[0-9]{1,19}", number) for number in (process, stamp)):
        raise ValueError("no number of digits only")
    if int(process) >= 0xfffffffe or int(stamp) >= 2**63:
        raise ValueError("a reserved process or a higher one, or a time beyond 63 bits")
    return Native(int(stamp), address.hex(), int(process))

def packed(micros, ids):
    if isinstance(ids, Native):
        return (struct.pack(">q", micros) + bytes.fromhex(ids.address) + struct.pack(">I", ids.process)).hex()
    encoded = b"".join(struct.pack(">I", len(field)) + field for field in (i.encode("utf-8", "replace") for i in ids))
    return (struct.pack(">q", micros) + hashlib.sha256(encoded).digest()[:16] + b"\xff" * 4).hex()

class Audit:
    def __init__(self, output, state):
        self.output, self.report, self.differences, bad = output, os.path.join(state, "report"), Counter(), set()
        pipeline = load(os.path.join(state, "pipeline.json"))
        if pipeline["adapter"]["type"] != "merge" or pipeline["output"]["format"] != "json-lines":
            raise CannotAudit("another adapter than merge, or another output format than json-lines")
        if pipeline["output"].get("compression", "none") not in ("none", "gzip"):
            raise CannotAudit("an output compressed with " + pipeline["output"]["compression"])
        self.left_join, self.alone, self.upgraded = "unmatched" in pipeline, set(), Counter()
        self.datacenters, self.bad = pipeline["datacenters"] + pipeline.get("retiredDatacenters", []), bad
        self.primary, self.foreign = Stream(pipeline["primary"], bad), Stream(pipeline["foreign"], bad)
        self.primaries, self.contents, self.sure, self.names = defaultdict(set), defaultdict(set), set(), {}
        for (_, ids), _, content, sure in self.primary.events():
            self.primaries[ids].add(content)
            self.sure.update([ids] if sure else [])
        for identity, primary_ids, content, sure in self.foreign.events():
            self.contents[identity].add((primary_ids, content))
            self.names[packed(*identity)] = identity
            self.sure.update([identity] if sure else [])
    def differ(self, kind, what):
        self.differences[kind] += 1
        if self.differences[kind] <= SHOWN:
            print("DIFFERENCE: %s: %s" % (kind, what))
    def run(self):
        published = {datacenter: self.published(datacenter) for datacenter in self.datacenters}
        joined = sum(published.values(), Counter())
        for identity in (i for i, times in joined.items() if times > 1): self.differ("joined more than once", identity)
        for identity in (i for i, times in self.upgraded.items() if times > 1): self.differ("upgraded more than once", identity)
        twice = [identity for identity in self.upgraded if identity in joined and identity not in self.alone]
        for identity in twice: self.differ("joined with its primary event and upgraded besides", identity)
        books = {name: self.book(name) for name in ("dead-letters", "waiting", "outcome-lost", "skipped")}
        for identity in set(books["waiting"]) - set(joined):
            ahead = identity[0] > self.reported()  # the registry takes it when its time has come
            if not ahead and all(primary_ids in self.sure for primary_ids, _ in self.contents[identity]):
                self.differ("waits though its primary event is there", identity)
        left, counts = set(self.contents) - set(joined), {}
        for name, book in books.items():
            counts[name] = left & set(book)
            left -= counts[name]
        unread, left = left - self.sure, left & self.sure
        for identity in left: self.differ("neither joined nor in any book", identity)
        self.compare({
            "foreignEvents": len(self.contents) - len(unread), "joined": len(joined), "upgraded": len(self.upgraded),
            "duplicates": sum((joined + self.upgraded).values()) - len(joined) - len(self.upgraded) + len(twice), "waiting": len(counts["waiting"]),
            "deadLettered": len(counts["dead-letters"]), "outcomeLost": len(counts["outcome-lost"]),
            "skipped": dict(Counter(min(books["skipped"][i]) for i in counts["skipped"])),
            "unaccounted": len(left), "badRecords": len(self.bad),
            "byDatacenter": {datacenter: {"joined": len(found)} for datacenter, found in published.items()}})
        return 1 if self.differences else 0
    def published(self, datacenter):
        """Checks each joined line; gives the identities with how often each is there."""
        identities = Counter()
        for path in glob.glob(os.path.join(self.output, datacenter, "_work", "*.sealed", "lost-*.json")):
            for name in load(path)["files"]:  # joined again: they stand in other files
                if os.path.exists(os.path.join(self.output, datacenter, name)):
                    self.differ("declared lost, but is there", "%s: %s" % (path, name))
        for directory, below, names in os.walk(os.path.join(self.output, datacenter)):
            below[:] = [name for name in below if not name.startswith("_")]
            for path in (os.path.join(directory, n) for n in names if n.endswith(PUBLISHED) and not n.startswith("_")):
                if not os.path.isfile(path):  # to open a FIFO would wait forever
                    self.differ("published, but no regular file", path)
                    continue
                if not path.endswith((".jsonl", ".jsonl.gz")):  # written under another configuration
                    raise CannotAudit("published, but not in JSON lines: " + path)
                with (gzip.open if path.endswith(".gz") else open)(path, "rb") as file:
                    for at, line in enumerate(file, 1):
                        try:
                            identity, upgrade = self.check("%s:%d" % (path, at), line)
                            (self.upgraded if upgrade else identities)[identity] += 1
                        except (ValueError, ArithmeticError, TypeError, KeyError, AttributeError) as why:
                            self.differ("no joined event", "%s:%d: %r" % (path, at, why))
        return identities
    def check(self, where, line):
        """Gives the identity, and whether it is joined once more, with a primary event that came late."""
        joined = parse_json(line if line.endswith(b"\n") else b"")
        identity, primary_ids = self.foreign.identity(joined["foreign"])
        stated = joined["id"], joined["primaryId"], joined["timestampMicros"]
        if stated != (*map(":".join, self.foreign.id_texts(joined["foreign"])), (str(identity[0]),)):
            self.differ("id, primaryId or timestampMicros is not that of its foreign event", where)
        if identity not in self.contents:
            raise ValueError("its foreign event is in no input")
        if not any(joined["foreign"] == self.foreign.carried(content) for _, content in self.contents[identity]):
            self.differ("other fields than its foreign event", where)
        if self.left_join and joined["primary"] is None and joined.get("unmatched") is True:
            self.alone.add(identity)  # when its primary event came, if it did, no file says
            return identity, False
        if not any(joined["primary"] == self.primary.carried(c) for c in self.primaries.get(primary_ids, ())):
            self.differ("not the primary event that its foreign event names", where)
        return identity, self.left_join and joined.get("upgrade") is True
    def book(self, name):
        """What Photon has exported: of each identity the reasons."""
        reasons, path = defaultdict(set), os.path.join(self.report, name + ".jsonl")
        with open(path if os.path.exists(path) else os.devnull, encoding="utf-8") as file:
            for entry in map(json.loads, file):
                if entry.get("identity") in self.names:
                    reasons[self.names[entry["identity"]]].add(entry.get("reason", ""))
                elif entry.get("identity"):  # a record without one is a bad record
                    self.differ("in a book and in no input", "%s: %s" % (path, entry))
        return reasons
    def reported(self):
        """When Photon has exported what waits, in microseconds."""
        return os.stat(os.path.join(self.report, "waiting.jsonl")).st_mtime_ns // 1000
    def compare(self, table):
        path, report = os.path.join(self.report, "report.json"), table
        if os.path.exists(path):
            report = {**table, **load(path)}
            report["byDatacenter"] = {dc: {"joined": one["joined"]} for dc, one in report["byDatacenter"].items()}
        for key, value in table.items():
            print("%-14s %s" % (key, json.dumps(value)))
            if report[key] != value:
                self.differ("report.json says otherwise", "%s is %s there" % (key, json.dumps(report[key])))

def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for directory in ("--output", "--state"): parser.add_argument(directory, required=True, metavar="DIR")
    arguments = parser.parse_args()
    try:
        status = Audit(arguments.output, arguments.state).run()
    except (CannotAudit, OSError, KeyError, ValueError, zlib.error) as why:
        print("Cannot audit this run: %s: %s" % (type(why).__name__, why), file=sys.stderr)
        return 2
    print("all agree" if status == 0 else "DIFFERENT")
    return status

if __name__ == "__main__":
    sys.exit(main())

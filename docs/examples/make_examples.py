#!/usr/bin/env python3
"""Makes the example logs beside this file, the same at every run (with the same zlib byte for byte), and their answers.

The logs are made up. Their shape is that of real ones: most events soon after what they refer to, a long tail, several
for one, repeats, strays, and clocks that disagree. The answers come from what was made, not from joining the logs.
"""
import gzip
import hashlib
import json
import os
import random

HERE = os.path.dirname(os.path.abspath(__file__))
AUTUMN = 1_760_000_000  # seconds since 1970


def write_gzip(path, text):
    with open(os.path.join(HERE, path), "wb") as file:
        # Neither a time nor a name in the header: the same bytes at every run.
        with gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0, compresslevel=9) as packed:
            packed.write(text.encode())


def write_text(path, text):
    with open(os.path.join(HERE, path), "w", encoding="utf-8", newline="\n") as file:
        file.write(text)


def write_answer(path, pairs, distinct):
    """pairs: the (primary id, id) of every event that joins, once each; distinct: how many foreign events there are."""
    joined = b"".join(sorted(("%s\t%s\n" % pair).encode() for pair in pairs))
    answer = {
        "foreignEvents": distinct,
        "joined": len(pairs),
        "waiting": distinct - len(pairs),
        "sha256": hashlib.sha256(joined).hexdigest(),
    }
    write_text(path, json.dumps(answer, indent=2) + "\n")


def make_ads():
    rng = random.Random(2013)
    impressions, clicks, pairs = [], [], []

    def click(impression, at_millis):
        clicks.append((impression, at_millis, rng.choice(["de", "en", "fr", "pt"]), rng.randrange(1, 9)))

    for number in range(2_000):
        name = "i%08x" % rng.getrandbits(32)
        shown_millis = AUTUMN * 1_000 + number * 1_700 + rng.randrange(1_000)
        impressions.append((shown_millis, name, rng.randrange(40), rng.choice(["top", "side", "foot"])))
        for _ in range(rng.choice([0, 0, 0, 0, 0, 1, 1, 1, 1, 3])):
            # Half within half a minute, one in a hundred after forty minutes, a few after hours.
            click(name, shown_millis + int(rng.lognormvariate(10.3, 1.9)))
        if number % 11 == 0:
            click(name, shown_millis + rng.randrange(1_000, 20_000))
        if number % 250 == 7:
            click(name, shown_millis - rng.randrange(1, 900))  # a server whose clock is ahead
    for _ in range(40):
        click("lost%04x" % rng.getrandbits(16), AUTUMN * 1_000 + rng.randrange(3_400_000))

    # A click is logged a little after it happened, not always in order; thirty are logged twice.
    clicks.sort(key=lambda c: c[1] + rng.randrange(2_000))
    shown = {name for _, name, _, _ in impressions}
    lines = []
    for number, (impression, at_millis, language, position) in enumerate(clicks):
        name = "c%05d" % number
        if impression in shown:
            pairs.append((impression, name))
        lines.append(json.dumps({
            "click": name, "at": at_millis, "ad": {"impression": impression, "position": position}, "lang": language}))
    for number in rng.sample(range(len(lines)), 30):
        lines.insert(rng.randrange(len(lines)), lines[number])
    half = len(lines) // 2
    write_text("ads/clicks-0.jsonl", "".join(line + "\n" for line in lines[:half]))
    write_text("ads/clicks-1.jsonl", "".join(line + "\n" for line in lines[half:]))

    header = "at,impression,campaign,slot\n"
    rows = ['%d.%03d,%s,"campaign %d, ""autumn""",%s\n' % (*divmod(ms, 1_000), name, campaign, slot)
            for ms, name, campaign, slot in impressions]
    write_gzip("ads/impressions-0.csv.gz", header + "".join(rows[:1_200]))
    write_gzip("ads/impressions-1.csv.gz", header + "".join(rows[1_200:]))
    write_answer("ads/ANSWER.json", pairs, len(clicks))


def make_jobs():
    rng = random.Random(2011)
    rows, ends = [], set()

    def row(micros, job, kind, user):
        owner = hashlib.sha256(b"user %d" % user).hexdigest()[:12]
        label = hashlib.sha256(b"job %d" % job).hexdigest()[:12]
        rows.append((micros, "%d,,%d,%d,%s,%d,%s,%s" % (micros, job, kind, owner, user % 4, label, label[:8])))

    def end(micros, job, user):
        kind = rng.choice([2, 3, 4, 4, 4, 4, 5, 5, 6])
        row(micros, job, kind, user)
        ends.add((job, kind, micros))

    submitted = set()
    for number in range(1_000):
        job, user = 6_251_000_000 + number * 37 + rng.randrange(30), rng.randrange(60)
        start = 600_000_000 + number * 3_500_000 + rng.randrange(3_000_000)
        row(start, job, 0, user)
        submitted.add(job)
        row(start + rng.randrange(1_000_000), job, 1, user)
        if rng.random() < 0.9:
            end(start + int(rng.lognormvariate(18.8, 1.7)), job, user)
        if number == 500:
            row(start + 40_000_000, job, 0, user)  # submitted twice
            end(start + 90_000_000, job, user)
    for number in range(35):
        end(600_000_000 + rng.randrange(3_000_000_000), 5_000_000_000 + number, rng.randrange(60))
    rows.sort()
    for part in range(3):
        lines = rows[part * len(rows) // 3:(part + 1) * len(rows) // 3]
        write_gzip("jobs/part-%05d-of-00003.csv.gz" % (part + 1), "".join(line + "\n" for _, line in lines))
    pairs = [("%d" % job, "%d:%d:%d" % (job, kind, micros)) for job, kind, micros in ends if job in submitted]
    write_answer("jobs/ANSWER.json", pairs, len(ends))


if __name__ == "__main__":
    make_ads()
    make_jobs()

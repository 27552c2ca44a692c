"""Keeps clicks of people, with the words of their query."""

import json

from photon_adapter import WrongOption, emit, serve, skip


def make(options):
    spam_agents = set(filter(None, options.pop("spamAgents", "").split(",")))
    if options:
        raise WrongOption("there is no option " + ", ".join(sorted(options)))

    def join(foreign, primary):
        click = json.loads(foreign.json)
        query = json.loads(primary.json)
        if text(click, "agent") in spam_agents:
            return skip("spam")
        joined = {
            "click": foreign.id,
            "words": text(query, "words"),
            "country": text(query, "user", "country") or "unknown",
            "afterMillis": (foreign.timestamp_micros - primary.timestamp_micros) // 1000,
        }
        return emit(json.dumps(joined).encode())

    return join


def text(event, *path):
    """What is in the event at the path; an empty text if there is none."""
    for name in path:
        event = event.get(name) if isinstance(event, dict) else None
    return event if isinstance(event, str) else ""


if __name__ == "__main__":
    serve("ads-clicks", "1.0", make)

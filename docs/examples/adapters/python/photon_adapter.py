"""Serves an adapter of Photon's: hand `serve` a function that joins, and it speaks Photon's protocol."""

import os
import sys
import time
from concurrent import futures

import grpc

import adapter_pb2 as messages

PROTOCOL = 1
SESSIONS_MAX = 64
MESSAGE_BYTES_MAX = 32 << 20
ANSWER_EVERY_SECONDS = 0.1

# Photon takes JSON up to 1,000 levels deep, and so must the parser here.
sys.setrecursionlimit(10_000)


class WrongOption(Exception):
    """An option of the configuration is wrong: Photon ends its start with this message."""


def emit(*events, output=""):
    """Writes joined events: each is one JSON object as bytes, without a line feed."""
    joined = [messages.JoinedEvent(output=output, json=event) for event in events]
    return messages.Answer(emit=messages.Emit(events=joined))


def skip(reason):
    """Leaves the foreign event out for good; it is counted under the reason."""
    return messages.Answer(skip=reason)


def retry(reason):
    """Tries again later: something that this call needed is away."""
    return messages.Answer(retry=reason)


def reject(reason):
    """Refuses the foreign event for good: it goes to the dead-letter log."""
    return messages.Answer(reject=reason)


def serve(name, version, make, takes_unmatched=False, takes_upgrades=False):
    """
    Serves until Photon ends. `make` gets the options, a dict of texts, and returns the function that joins: it gets a
    foreign event and its primary event, each with `id`, `timestamp_micros` and `json` (bytes), and returns a decision.

    With `takes_unmatched`, for a configuration with `unmatched`, the primary event is None where it has not come in time.
    With `takes_upgrades`, for one with `unmatched.upgrade`, the function gets a third argument: whether the foreign event
    was joined without its primary event before.

    Listens where Photon says if Photon has started this process, otherwise at the address in the first argument.
    """

    def join(incoming, _context):
        yield from _session(incoming, name, version, make, takes_unmatched, takes_upgrades)

    server = grpc.server(
        futures.ThreadPoolExecutor(max_workers=SESSIONS_MAX),
        options=[
            ("grpc.max_receive_message_length", MESSAGE_BYTES_MAX),
            ("grpc.max_send_message_length", MESSAGE_BYTES_MAX),
        ],
    )
    handler = grpc.stream_stream_rpc_method_handler(
        join, messages.ToAdapter.FromString, messages.FromAdapter.SerializeToString
    )
    server.add_generic_rpc_handlers(
        (grpc.method_handlers_generic_handler("photon.adapter.v1.Adapter", {"Join": handler}),)
    )
    socket = os.environ.get("PHOTON_ADAPTER_SOCKET")
    address = "unix:" + socket if socket else sys.argv[1]
    if server.add_insecure_port(address) == 0:
        sys.exit(f"cannot listen at {address}")
    server.start()
    if socket:
        # Photon holds this input open while it lives, however it ends.
        sys.stdin.buffer.read()
        server.stop(grace=0)
    else:
        server.wait_for_termination()


def _session(incoming, name, version, make, takes_unmatched, takes_upgrades):
    hello = next(incoming).hello
    if not hello.protocol_min <= PROTOCOL <= hello.protocol_max:
        yield _refusal(f"it speaks version {PROTOCOL} of the protocol only")
        return
    try:
        join = make(dict(hello.options))
    except WrongOption as wrong:
        yield _refusal(str(wrong))
        return
    yield messages.FromAdapter(
        welcome=messages.Welcome(
            protocol=PROTOCOL,
            name=name,
            version=version,
            effect=messages.EFFECT_SAFE,
            takes_unmatched=takes_unmatched,
        )
    )
    for message in incoming:
        answers = []
        told = time.monotonic()
        for pair in message.batch.pairs:
            answers.append(_answer(join, pair, takes_upgrades))
            # Photon takes an adapter that answers nothing for adapter.timeout for one that hangs.
            if time.monotonic() - told >= ANSWER_EVERY_SECONDS:
                yield messages.FromAdapter(answers=messages.Answers(answers=answers))
                answers = []
                told = time.monotonic()
        if answers:
            yield messages.FromAdapter(answers=messages.Answers(answers=answers))


def _refusal(problem):
    return messages.FromAdapter(refusal=messages.Refusal(problems=[problem]))


def _answer(join, pair, takes_upgrades):
    primary = pair.primary if pair.HasField("primary") else None
    try:
        answer = join(pair.foreign, primary, pair.upgrade) if takes_upgrades else join(pair.foreign, primary)
    except Exception as failure:  # One pair must not end the session of the others.
        answer = retry(f"{type(failure).__name__}: {failure}")
    answer.id = pair.id
    return answer

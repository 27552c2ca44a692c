package photon.dispatcher.flow;

import photon.core.loop.EventLoop;

/**
 * Every loop of a dispatcher; all three may be the same one.
 *
 * @param main owns the events on their way
 * @param reader owns the tail; blocks on the input files
 * @param journal owns journal, ledger and checkpoint; blocks on their files
 */
public record Loops(EventLoop main, EventLoop reader, EventLoop journal) {}

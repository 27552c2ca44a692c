package photon.dispatcher.flow;

import photon.core.event.LogEvent;
import photon.core.id.CommitToken;

/**
 * An event that is to be joined anew.
 *
 * @param lostToken the fenced token that holds its id and whose joined event was lost
 */
public record RepairRow(LogEvent event, CommitToken lostToken) {}

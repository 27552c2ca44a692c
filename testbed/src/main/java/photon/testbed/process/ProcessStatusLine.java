package photon.testbed.process;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * What a process said of itself ({@code photon run --status-every}).
 *
 * @param atMicros its wall clock, microseconds since 1970 UTC
 * @param messages that it has sent to others since its start
 * @param status its status record, by the names of the record's components
 */
public record ProcessStatusLine(
        long atMicros, ProcessName process, long messages, JsonNode status) {}

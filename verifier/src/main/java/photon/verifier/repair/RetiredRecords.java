package photon.verifier.repair;

import java.io.IOException;
import photon.core.id.EventId;
import photon.core.id.Incarnation;
import photon.verifier.retention.RetentionLoop;

/** What repairs have written down of an incarnation, for when it is retired. */
record RetiredRecords(RepairRecords records, WriteOffOrders orders)
        implements RetentionLoop.Records {
    @Override
    public RetentionLoop.Lost lost(Incarnation incarnation) throws IOException {
        long events = 0;
        long lastMicros = -1;
        for (EventId id : records.read(incarnation).keySet()) {
            events++;
            lastMicros = Math.max(lastMicros, id.micros());
        }
        return new RetentionLoop.Lost(events, lastMicros);
    }

    @Override
    public void drop(Incarnation incarnation) throws IOException {
        records.drop(incarnation);
        orders.drop(incarnation);
    }
}

package photon.idregistry.server.boundary;

import photon.core.time.ClockState;
import photon.core.time.IntervalClock;
import photon.proto.v1.ClockSource;
import photon.proto.v1.ServerClock;

/** This server's clock, as it tells others. */
public final class OwnClock {
    private OwnClock() {}

    public static ServerClock tell(IntervalClock clock) {
        ClockState state = clock.state();
        IntervalClock.Interval now = clock.now();
        return ServerClock.newBuilder()
                .setEarliestMicros(now.earliestMicros())
                .setLatestMicros(now.latestMicros())
                .setSynchronised(state.synchronised())
                .setSource(
                        switch (state.source()) {
                            case CONFIGURED -> ClockSource.CLOCK_CONFIGURED;
                            case CHRONY -> ClockSource.CLOCK_CHRONY;
                        })
                .setBoundMicros(state.boundMicros())
                .setTrouble(state.trouble())
                .build();
    }
}

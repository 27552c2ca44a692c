package photon.idregistry.control;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import photon.proto.v1.IncarnationInfo;
import photon.proto.v1.IncarnationState;
import photon.proto.v1.RegisterRequest;
import photon.registry.api.RegistryProtos;

/** One slot of a pipeline: every generation that it ever had, and the lowest that is live. */
final class Slot {
    private final int number;
    private final String name;
    private final String outputId;

    /** In order of their numbers, which leave a gap where a restore has raised them. */
    private final List<Generation> generations = new ArrayList<>();

    /** From 1: one above the highest while none is live. */
    private int lowestLive = 1;

    /** By a restore: up to here, generations may have been issued that nobody knows of. */
    private int floor;

    /** What is recorded of a generation, or of several in a row that were closed clean. */
    static final class Generation {
        /** Set when it is added; of several the last. */
        int number;

        /** Of several the first; else the number. */
        int first;

        final String nonce;
        final String address;
        final long processId;
        final long startedMicros;
        IncarnationState state;

        /** While it is open no boundary passes this. */
        long holdMicros = Long.MIN_VALUE;

        /** When it registered or renewed last, by the stamp; 0: not known. */
        long heardMicros;

        /** The entry by which it registered or renewed last; 0: not known, or settled. */
        long renewedIndex;

        /** How soon it renews again, as it has said; 0: it has not. */
        long renewsWithinMillis;

        /** Once it is repaired: where its repair rows are; null: there were none. */
        @Nullable UUID rowsIn;

        /** While it is open again: the lost state that had its repair rows. */
        @Nullable UUID rowsLostWith;

        int timesReopened;

        /** When the dispatcher of its datacenter lost its state last, in its time; 0: never. */
        long stateLostMicros;

        /**
         * @param nonce hex
         */
        Generation(
                String nonce,
                String address,
                long processId,
                long startedMicros,
                IncarnationState state) {
            this.nonce = nonce;
            this.address = address;
            this.processId = processId;
            this.startedMicros = startedMicros;
            this.state = state;
        }

        /** Whatever it had is published or owned by others: it holds nothing back any more. */
        void settle(IncarnationState settled) {
            state = settled;
            holdMicros = Long.MIN_VALUE;
            heardMicros = 0;
            renewedIndex = 0;
            renewsWithinMillis = 0;
        }

        void repaired(@Nullable UUID rows) {
            settle(IncarnationState.REPAIRED);
            rowsIn = rows;
            rowsLostWith = null;
        }

        /** Whether there is nothing to tell of it that a generation beside it has not, too. */
        private boolean mayShare(Generation next) {
            return state == IncarnationState.CLEAN
                    && next.state == IncarnationState.CLEAN
                    && timesReopened == 0
                    && next.timesReopened == 0
                    && stateLostMicros == next.stateLostMicros
                    && number + 1 == next.first;
        }

        /** As another row, of these numbers. */
        private Generation copy(int from, int to) {
            Generation copy = new Generation(nonce, address, processId, startedMicros, state);
            copy.first = from;
            copy.number = to;
            copy.stateLostMicros = stateLostMicros;
            return copy;
        }

        /**
         * What it may hold still is above the limit as it is now: no boundary passes that before it
         * is repaired again.
         */
        void reopen(long limitMicros) {
            state = IncarnationState.OPEN;
            rowsIn = null;
            holdMicros = limitMicros;
            timesReopened++;
        }
    }

    Slot(int number, String name, String outputId) {
        this.number = number;
        this.name = name;
        this.outputId = outputId;
    }

    int number() {
        return number;
    }

    String name() {
        return name;
    }

    String outputId() {
        return outputId;
    }

    int lowestLive() {
        return lowestLive;
    }

    List<Generation> generations() {
        return generations;
    }

    /** That was issued, or may have been. */
    int highest() {
        return Math.max(floor, lastNumber());
    }

    private int lastNumber() {
        return generations.isEmpty() ? 0 : generations.get(generations.size() - 1).number;
    }

    int floor() {
        return floor;
    }

    /** Nothing is issued at or below from now on. */
    void raiseFloor(int generation) {
        floor = Math.max(floor, generation);
    }

    /** As read from a snapshot, behind those that were issued before. */
    void restore(Generation generation) {
        generation.number = lastNumber() + 1;
        generation.first = generation.number;
        generations.add(generation);
    }

    /**
     * Closed clean, it shares a row with those beside it that were, too: joiners roll, and what is
     * recorded shall not grow with their age (docs/protocol.md section 1).
     */
    void closedClean(Generation closed) {
        closed.settle(IncarnationState.CLEAN);
        int at = generations.indexOf(closed);
        if (at + 1 < generations.size() && closed.mayShare(generations.get(at + 1))) {
            share(at);
        }
        if (at > 0 && generations.get(at - 1).mayShare(generations.get(at))) {
            share(at - 1);
        }
    }

    /** The later row stays, as its nonce may still be asked for. */
    private void share(int at) {
        Generation earlier = generations.remove(at);
        generations.get(at).first = earlier.first;
    }

    /** The generation in a row of its own, where something is to be recorded of it alone. */
    Generation alone(Generation row, int generation) {
        int at = generations.indexOf(row);
        if (row.first < generation) {
            generations.add(at++, row.copy(row.first, generation - 1));
        }
        if (generation < row.number) {
            generations.add(at, row.copy(generation, generation));
            row.first = generation + 1;
            return generations.get(at);
        }
        row.first = generation;
        return row;
    }

    /** True if the highest generation was registered with this nonce. */
    boolean isHighest(String nonce) {
        return !nonce.isEmpty()
                && !generations.isEmpty()
                && lastNumber() > floor
                && generations.get(generations.size() - 1).nonce.equals(nonce);
    }

    /** Adds a generation, open; the caller fences those before it. */
    Generation add(RegisterRequest request, String nonce, long holdMicros, long heardMicros) {
        Generation added =
                new Generation(
                        nonce,
                        request.getAddress(),
                        request.getProcessId(),
                        request.getStartedMicros(),
                        IncarnationState.OPEN);
        added.holdMicros = holdMicros;
        added.heardMicros = heardMicros;
        added.number = highest() + 1;
        added.first = added.number;
        generations.add(added);
        return added;
    }

    /**
     * @return false if it was as high already
     */
    boolean raise(int lowestLiveGeneration) {
        if (lowestLiveGeneration <= lowestLive) {
            return false;
        }
        lowestLive = lowestLiveGeneration;
        return true;
    }

    boolean isFenced(int generation) {
        return generation < lowestLive;
    }

    /** Null if it was never issued. It may share its row with others: see {@link #alone}. */
    @Nullable Generation generation(int generation) {
        int low = 0;
        int high = generations.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (generations.get(middle).number < generation) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low < generations.size() && generations.get(low).first <= generation
                ? generations.get(low)
                : null;
    }

    List<IncarnationInfo> describe() {
        List<IncarnationInfo> all = new ArrayList<>(generations.size());
        for (Generation generation : generations) {
            all.add(
                    IncarnationInfo.newBuilder()
                            .setIncarnation(
                                    photon.proto.v1.Incarnation.newBuilder()
                                            .setSlot(number)
                                            .setGeneration(generation.number))
                            .setSlotName(name)
                            .setState(generation.state)
                            .setFenced(isFenced(generation.number))
                            .setAddress(generation.address)
                            .setProcessId(generation.processId)
                            .setStartedMicros(generation.startedMicros)
                            .setOutputId(outputId)
                            .setHoldMicros(generation.holdMicros)
                            .setHeardMicros(generation.heardMicros)
                            .setRenewedIndex(generation.renewedIndex)
                            .setRenewsWithinMillis(generation.renewsWithinMillis)
                            .setRowsIn(RegistryProtos.bytesOrNone(generation.rowsIn))
                            .setRowsLostWith(RegistryProtos.bytesOrNone(generation.rowsLostWith))
                            .setTimesReopened(generation.timesReopened)
                            .setStateLostMicros(generation.stateLostMicros)
                            .setFirstGeneration(
                                    generation.first < generation.number ? generation.first : 0)
                            .build());
        }
        return all;
    }
}

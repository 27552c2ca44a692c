package photon.verifier.repair;

import static photon.core.error.Checks.check;

import java.time.Duration;
import java.util.Optional;
import java.util.UUID;

/**
 * Settings of a datacenter's repair.
 *
 * @param datacenter its slots begin with this and a slash
 * @param stateDirectory where the count of repaired events and {@link RepairRecords} are kept; made
 *     if need be
 * @param ledgerDirectory where ids are written down whose outcome is lost; made if need be
 * @param scratchDirectory of what running repairs sort, on this machine, nobody else's; made if
 *     need be
 * @param dispatcherDirectory of the states of this datacenter's dispatcher ({@link
 *     photon.storage.state.StateHome}), whose checkpoint is read
 * @param giveUpAfter how long lost events are looked for, with every log in sight, before they are
 *     written off
 * @param fenceAfter joiners that have not renewed for so long are fenced; empty: a person does that
 * @param logsKept input logs that are older need not be there any more; empty: all are kept
 * @param keepLedger so long an entry of the ledger stands at least
 * @param interval from the end of one look at the registry's list to the next
 */
public record RepairSettings(
        String datacenter,
        UUID pipeline,
        String stateDirectory,
        String ledgerDirectory,
        String scratchDirectory,
        String dispatcherDirectory,
        Duration giveUpAfter,
        Optional<Duration> fenceAfter,
        Optional<Duration> logsKept,
        Duration keepLedger,
        Duration interval,
        RepairLimits limits) {

    public static final Duration DEFAULT_INTERVAL = Duration.ofSeconds(1);

    public RepairSettings {
        check(
                !datacenter.isEmpty() && datacenter.indexOf('/') < 0,
                "Expected a datacenter's name without a slash, but got '%s'",
                datacenter);
        check(
                !interval.isNegative() && !interval.isZero(),
                "Expected an interval above 0, but got %s",
                interval);
    }

    /** With the usual interval and limits. */
    public RepairSettings(
            String datacenter,
            UUID pipeline,
            String stateDirectory,
            String ledgerDirectory,
            String scratchDirectory,
            String dispatcherDirectory,
            Duration giveUpAfter,
            Optional<Duration> fenceAfter,
            Optional<Duration> logsKept,
            Duration keepLedger) {
        this(
                datacenter,
                pipeline,
                stateDirectory,
                ledgerDirectory,
                scratchDirectory,
                dispatcherDirectory,
                giveUpAfter,
                fenceAfter,
                logsKept,
                keepLedger,
                DEFAULT_INTERVAL,
                RepairLimits.DEFAULTS);
    }

    String slotPrefix() {
        return datacenter + "/";
    }
}

package photon.verifier.repair;

import static photon.core.error.Checks.check;

import java.time.Duration;
import java.util.UUID;

/**
 * Settings of a datacenter's repair.
 *
 * @param datacenter its slots begin with this and a slash
 * @param stateDirectory where the count of repaired events and {@link RepairRecords} are kept; made
 *     if need be
 * @param ledgerDirectory where ids are written down whose outcome is lost; made if need be
 * @param interval from the end of one look at the registry's list to the next
 */
public record RepairSettings(
        String datacenter,
        UUID pipeline,
        String stateDirectory,
        String ledgerDirectory,
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
            String datacenter, UUID pipeline, String stateDirectory, String ledgerDirectory) {
        this(
                datacenter,
                pipeline,
                stateDirectory,
                ledgerDirectory,
                DEFAULT_INTERVAL,
                RepairLimits.DEFAULTS);
    }

    String slotPrefix() {
        return datacenter + "/";
    }
}
